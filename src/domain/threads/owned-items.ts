// svc deletes these items when their owner loses access.
import type { TenantClient } from '../../platform/tenancy/tenant.ts';

export async function deleteOwnedItems(db: TenantClient, owner: string): Promise<void> {
  await db.run('delete from svc.threads where owner = $1', [owner]);
  await db.run('delete from svc.boards where owner = $1', [owner]);
}
