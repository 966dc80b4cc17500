// A setting that comes from a file can be changed only in that file.
import { Problem } from '../../platform/problem.ts';
import { computeRevision, readForEdit } from '../../platform/tenancy/revision.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { type Actor, runAudited } from '../audit/audit-log.ts';

interface StoredSetting<T> {
  body: T;
  origin: 'file' | 'api';
}
export const findSetting = <T>(db: TenantClient, name: string): Promise<StoredSetting<T> | null> =>
  db.first<StoredSetting<T>>('select body, origin from svc.settings where name = $1', [name]);

export async function upsertSetting(db: TenantClient, name: string, body: unknown): Promise<void> {
  await db.run(
    `insert into svc.settings (org_id, name, body, origin) values ($1, $2, $3, 'api')
     on conflict (org_id, name) do update set body = excluded.body, updated_at = now()`,
    [db.orgId, name, JSON.stringify(body)],
  );
}

export async function readSetting<T>(deps: { tenancy: Tenancy }, orgId: string, name: string) {
  const setting = await deps.tenancy.inTenant(orgId, (db) => findSetting<T>(db, name));
  return {
    body: setting?.body,
    origin: setting?.origin ?? ('default' as const),
    revision: hashSettingRevision(setting),
  };
}

const hashSettingRevision = (setting: { body: unknown } | null): string => computeRevision(setting?.body);

export function changeSetting<T>(
  deps: { tenancy: Tenancy },
  actor: Actor,
  name: string,
  body: T,
  ifMatch: string | null = null,
): Promise<T> {
  return runAudited(deps, actor, async (db) => {
    const previousSetting = await readForEdit(
      db,
      'setting',
      ifMatch,
      () => findSetting<T>(db, name),
      hashSettingRevision,
    );
    if (previousSetting?.origin === 'file')
      throw new Problem('conflict', `\`${name}\` comes from the file svc.config.yaml. Change it there and apply.`);
    await upsertSetting(db, name, body);
    return {
      result: body,
      action: `${name}.put`,
      objectKind: 'setting',
      objectId: name,
      before: previousSetting?.body ?? null,
      after: body,
    };
  });
}
