// A caller's grants are the union of all origins. A change to one origin edits only the rows of that origin.
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';

export type GrantOrigin = 'lens_file' | 'group_file' | 'demo' | 'lens_api' | 'caller_api';
export interface EffectiveGrant {
  lens: string;
  subjectKind: 'caller' | 'group';
  subject: string;
  origin: GrantOrigin;
}
const GRANT_COLUMNS = `lens, subject_kind as "subjectKind", subject, origin`;

const GRANTED_TO_CALLER_SQL = `(subject_kind = 'caller' and subject = $1) or (subject_kind = 'group' and subject = any($2))`;

export const listLensesOfCaller = async (
  db: TenantClient,
  caller: { name: string; groups: string[] },
): Promise<string[]> => [...new Set((await listGrantsOfCaller(db, caller)).map(({ lens }) => lens))];

/** A caller also has the grants of its groups. */
export const listGrantsOfCaller = (
  db: TenantClient,
  caller: { name: string; groups: string[] },
): Promise<EffectiveGrant[]> =>
  db.rows<EffectiveGrant>(
    `select ${GRANT_COLUMNS} from svc.grants where ${GRANTED_TO_CALLER_SQL} order by lens, origin, subject`,
    [caller.name, caller.groups],
  );

export const listGrantsOfLens = (db: TenantClient, lens: string): Promise<EffectiveGrant[]> =>
  db.rows<EffectiveGrant>(
    `select ${GRANT_COLUMNS} from svc.grants where lens = $1 order by subject_kind, subject, origin`,
    [lens],
  );

interface GrantSubjects {
  callers?: string[];
  groups?: string[];
}

/** Grants from files, groups and callers stay. */
export async function replaceApiGrantsOfLens(db: TenantClient, lens: string, subjects: GrantSubjects): Promise<void> {
  await db.run(`delete from svc.grants where lens = $1 and origin = 'lens_api'`, [lens]);
  await addGrants(db, 'lens_api', [lens], subjects);
}

/** Grants from files and groups stay. */
export async function replaceApiGrantsOfCaller(db: TenantClient, caller: string, lenses: string[]): Promise<void> {
  await db.run(`delete from svc.grants where subject_kind = 'caller' and subject = $1 and origin = 'caller_api'`, [
    caller,
  ]);
  await addGrants(db, 'caller_api', lenses, { callers: [caller] });
}

export async function addGrants(
  db: TenantClient,
  origin: GrantOrigin,
  lenses: string[],
  { callers = [], groups = [] }: GrantSubjects,
): Promise<void> {
  const rows = lenses.flatMap((lens) => [
    ...callers.map((subject) => ({ lens, subject_kind: 'caller', subject, origin })),
    ...groups.map((subject) => ({ lens, subject_kind: 'group', subject, origin })),
  ]);
  await insertRows(db, 'grants', rows, 'on conflict do nothing');
}

/** Renaming a caller doesn't change the grants in files. */
export async function renameGrants(db: TenantClient, from: string, to: string): Promise<void> {
  await db.run(
    `update svc.grants set subject = $2 where subject_kind = 'caller' and subject = $1 and origin in ('lens_api', 'caller_api')`,
    [from, to],
  );
}

export async function deleteApiGrants(db: TenantClient, caller: string): Promise<void> {
  await db.run(
    `delete from svc.grants where subject_kind = 'caller' and subject = $1 and origin in ('lens_api', 'caller_api')`,
    [caller],
  );
}

export async function listLensNames(db: TenantClient): Promise<string[]> {
  const rows = await db.rows<{ name: string }>(
    'select name from svc.lenses where active_version is not null order by name',
  );
  return rows.map(({ name }) => name);
}
