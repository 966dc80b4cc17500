// Records what the last start applied from SVC_PROJECT, so that the next start applies only changes.
import type { TenantClient } from '../../platform/tenancy/tenant.ts';

const SETTING_NAME = 'start.project';

export const readLastStartHash = async (db: TenantClient): Promise<string | null> =>
  (
    await db.first<{ sha256: string }>(`select body ->> 'sha256' as sha256 from svc.settings where name = $1`, [
      SETTING_NAME,
    ])
  )?.sha256 ?? null;

export async function writeLastStartHash(db: TenantClient, sha256: string): Promise<void> {
  await db.run(
    `insert into svc.settings (org_id, name, body) values ($1, $2, jsonb_build_object('sha256', $3::text))
     on conflict (org_id, name) do update set body = excluded.body, updated_at = now()`,
    [db.orgId, SETTING_NAME, sha256],
  );
}
