// Deletes old traces, and conversations and boards that no one used during the retention time. Reviewed traces stay,
// because review tickets refer to them.
import { DateTime, Duration } from 'luxon';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { findSetting } from '../cockpit/settings.ts';
import { compactTallies } from './tally-repository.ts';

const DELETE_BATCH_SIZE = 2_000;
const DEFAULT_RETENTION = 'P400D';

export async function expireTraces(
  tenancy: Tenancy,
  now: Date,
  defaultRetention: string = DEFAULT_RETENTION,
): Promise<number> {
  let deletedCount = 0;
  for (const orgId of await tenancy.listTenantIds()) {
    const setting = await tenancy.inTenant(orgId, (db) => findSetting<{ traces?: string }>(db, 'retention'));
    const configuredRetention = Duration.fromISO(setting?.body.traces ?? defaultRetention);
    // Settings from older versions of svc can have a retention time of less than a day.
    const retention = configuredRetention.as('days') >= 1 ? configuredRetention : Duration.fromObject({ days: 1 });
    const cutoff = DateTime.fromJSDate(now, { zone: 'UTC' }).minus(retention).toJSDate();
    let batch: number;
    do {
      batch = await tenancy.inTenant(orgId, (db) => deleteTraces(db, cutoff));
      deletedCount += batch;
    } while (batch === DELETE_BATCH_SIZE);
    await tenancy.inTenant(orgId, async (db) => {
      await db.run('delete from svc.threads where updated_at < $1', [cutoff]);
      await db.run('delete from svc.boards where opened_at < $1 and path is null', [cutoff]);
      await db.run(
        `delete from svc.trace_tallies where org_id = $1 and hour < date_trunc('hour', $2::timestamptz, 'UTC')`,
        [orgId, cutoff],
      );
    });
  }
  return deletedCount;
}

const deleteTraces = (db: TenantClient, cutoff: Date): Promise<number> =>
  db.run(
    `delete from svc.traces where org_id = $1 and request_id in (
       select t.request_id from svc.traces t where t.org_id = $1 and t.at < $2
         and not exists (select from svc.reviews r where r.org_id = t.org_id and r.request_id = t.request_id)
       order by t.at limit $3)`,
    [db.orgId, cutoff, DELETE_BATCH_SIZE],
  );

/** Merges the rows that single asks add to the totals of an hour. */
export async function compactRecentTallies(tenancy: Tenancy, now: Date): Promise<void> {
  const since = new Date(now.getTime() - 86_400_000);
  for (const orgId of await tenancy.listTenantIds()) await tenancy.inTenant(orgId, (db) => compactTallies(db, since));
}
