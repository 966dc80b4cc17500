// Deletes callers, and ends keys after the overlap of a rotation.
import type { TenantClient } from '../../platform/tenancy/tenant.ts';

/** Also deletes the credentials. Traces keep the name. Raises 23503 while a user is linked to this caller. */
export async function deleteCallerRow(db: TenantClient, id: string): Promise<void> {
  await db.run('delete from svc.callers where id = $1', [id]);
}

/** Never extends an earlier end. */
export async function endCredentialBy(db: TenantClient, id: string, seconds: number): Promise<void> {
  await db.run(
    `update svc.credentials set expires_at = least(expires_at, now() + make_interval(secs => $2)) where id = $1`,
    [id, seconds],
  );
}
