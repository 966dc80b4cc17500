// Reads and writes lens grants: the union of lens files, groups and API grants. Each origin edits only its own rows.
import type { TenantClient } from '../../platform/tenancy/tenant.ts';

export type GrantOrigin = 'lens_file' | 'group_file' | 'demo' | 'lens_api' | 'caller_api';
export interface EffectiveGrant {
  lens: string;
  subjectKind: 'caller' | 'group';
  subject: string;
  origin: GrantOrigin;
}
const COLUMNS = `lens, subject_kind as "subjectKind", subject, origin`;

const TO_CALLER = `(subject_kind = 'caller' and subject = $1) or (subject_kind = 'group' and subject = any($2))`;

export async function lensesOfCaller(db: TenantClient, caller: { name: string; groups: string[] }): Promise<string[]> {
  const rows = await db.rows<{ lens: string }>(
    `select distinct lens from svc.grants where ${TO_CALLER} order by lens`,
    [caller.name, caller.groups],
  );
  return rows.map(({ lens }) => lens);
}

/** Every grant by which this caller can use a lens, directly or through a group. */
export const grantsOfCaller = (
  db: TenantClient,
  caller: { name: string; groups: string[] },
): Promise<EffectiveGrant[]> =>
  db.rows<EffectiveGrant>(`select ${COLUMNS} from svc.grants where ${TO_CALLER} order by lens, origin, subject`, [
    caller.name,
    caller.groups,
  ]);

export const grantsOfLens = (db: TenantClient, lens: string): Promise<EffectiveGrant[]> =>
  db.rows<EffectiveGrant>(`select ${COLUMNS} from svc.grants where lens = $1 order by subject_kind, subject, origin`, [
    lens,
  ]);

/** Replaces the API grants of this lens. Keeps grants from files, groups and callers. */
export async function setLensGrants(
  db: TenantClient,
  lens: string,
  subjects: { callers: string[]; groups: string[] },
): Promise<void> {
  await db.run(`delete from svc.grants where lens = $1 and origin = 'lens_api'`, [lens]);
  await db.run(
    `insert into svc.grants (org_id, lens, subject_kind, subject, origin)
     select $1, $2, kind, subject, 'lens_api' from (select 'caller' as kind, unnest($3::text[]) as subject union select 'group', unnest($4::text[])) s`,
    [db.orgId, lens, subjects.callers, subjects.groups],
  );
}

/** Moves API grants to a caller's new name. Grants in files keep the name in the file. */
export async function renameGrants(db: TenantClient, from: string, to: string): Promise<void> {
  await db.run(
    `update svc.grants set subject = $2 where subject_kind = 'caller' and subject = $1 and origin in ('lens_api', 'caller_api')`,
    [from, to],
  );
}

export async function dropApiGrants(db: TenantClient, caller: string): Promise<void> {
  await db.run(
    `delete from svc.grants where subject_kind = 'caller' and subject = $1 and origin in ('lens_api', 'caller_api')`,
    [caller],
  );
}

export async function namesOfLenses(db: TenantClient): Promise<string[]> {
  const rows = await db.rows<{ name: string }>(
    'select name from svc.lenses where active_version is not null order by name',
  );
  return rows.map(({ name }) => name);
}
