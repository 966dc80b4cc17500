// Ends of callers and keys: removal, and the end of an overlap.
import type { TenantClient } from '../../platform/tenancy/tenant.ts';

/** Credentials go with the row; traces keep the name. Raises 23503 while a user asks as this caller. */
export async function deleteCallerRow(db: TenantClient, id: string): Promise<void> {
  await db.query('delete from svc.callers where id = $1', [id]);
}

/** Never later than it would have ended anyway. */
export async function endCredentialBy(db: TenantClient, id: string, seconds: number): Promise<void> {
  await db.query(
    `update svc.credentials set expires_at = least(expires_at, now() + make_interval(secs => $2)) where id = $1`,
    [id, seconds],
  );
}
