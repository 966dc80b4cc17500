// Organization-wide settings by name; those that files set are changed through files.
import { Problem } from '../../platform/problem.ts';
import type { Tenancy, TenantClient } from '../../platform/tenant.ts';
import { type Actor, audited } from '../audit/audited.ts';

export async function findSetting<T>(
  db: TenantClient,
  name: string,
): Promise<{ body: T; origin: 'file' | 'api' } | null> {
  const { rows } = await db.query<{ body: T; origin: 'file' | 'api' }>(
    'select body, origin from svc.settings where name = $1',
    [name],
  );
  return rows[0] ?? null;
}

export function putSetting<T>(deps: { tenancy: Tenancy }, actor: Actor, name: string, body: T): Promise<T> {
  return audited(deps, actor, async (db) => {
    const before = await findSetting<T>(db, name);
    if (before?.origin === 'file')
      throw new Problem('conflict', `\`${name}\` comes from the file svc.config.yaml. Change it there and apply.`);
    await db.query(
      `insert into svc.settings (org_id, name, body, origin) values ($1, $2, $3, 'api') on conflict (org_id, name) do update set body = excluded.body, updated_at = now()`,
      [db.orgId, name, JSON.stringify(body)],
    );
    return {
      result: body,
      action: `${name}.put`,
      objectKind: 'setting',
      objectId: name,
      before: before?.body ?? null,
      after: body,
    };
  });
}
