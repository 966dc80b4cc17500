// Deletes traces older than `retention.traces` of the project, otherwise of the operator's file (default: 400 days).
// Reviewed traces stay, because review tickets refer to them. svc also deletes conversations that no one continued and
// boards that no one opened during this time, because they contain questions. Boards from files stay.
import { DateTime, Duration } from 'luxon';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { deleteBoardsBefore } from '../boards/board-repository.ts';
import { findSetting } from '../cockpit/settings-repository.ts';
import { deleteThreadsBefore } from '../threads/thread-repository.ts';
import { compactTallies } from './tally-repository.ts';

const BATCH_SIZE = 2_000;
const DEFAULT_RETENTION = 'P400D';

export async function expireTraces(
  tenancy: Tenancy,
  now: Date,
  defaultRetention: string = DEFAULT_RETENTION,
): Promise<number> {
  let deletedCount = 0;
  for (const { id } of await tenancy.queryGlobal<{ id: string }>('select id from svc.organizations order by id')) {
    const setting = await tenancy.inTenant(id, (db) => findSetting<{ traces?: string }>(db, 'retention'));
    const configuredRetention = Duration.fromISO(setting?.body.traces ?? defaultRetention);
    // the minimum is a day, because settings from older versions of svc can contain a shorter time
    const retention = configuredRetention.as('days') >= 1 ? configuredRetention : Duration.fromObject({ days: 1 });
    deletedCount += await expireTracesOf(
      tenancy,
      id,
      DateTime.fromJSDate(now, { zone: 'UTC' }).minus(retention).toJSDate(),
    );
  }
  return deletedCount;
}

/** Compacts the totals of the last day by hour, because each ask adds its own rows to the totals. */
export async function compactRecentTallies(tenancy: Tenancy, now: Date): Promise<void> {
  const since = new Date(now.getTime() - 86_400_000);
  for (const { id } of await tenancy.queryGlobal<{ id: string }>('select id from svc.organizations order by id'))
    await tenancy.inTenant(id, (db) => compactTallies(db, since));
}

async function expireTracesOf(tenancy: Tenancy, orgId: string, cutoff: Date): Promise<number> {
  let deletedCount = 0;
  for (;;) {
    const batch = await tenancy.inTenant(orgId, (db) =>
      db.run(
        `delete from svc.traces where org_id = $1 and request_id in (
           select t.request_id from svc.traces t where t.org_id = $1 and t.at < $2
             and not exists (select from svc.reviews r where r.org_id = t.org_id and r.request_id = t.request_id)
           order by t.at limit $3)`,
        [orgId, cutoff, BATCH_SIZE],
      ),
    );
    deletedCount += batch;
    if (batch < BATCH_SIZE) break;
  }
  await tenancy.inTenant(orgId, (db) => deleteThreadsBefore(db, cutoff));
  await tenancy.inTenant(orgId, (db) => deleteBoardsBefore(db, cutoff));
  await tenancy.inTenant(orgId, (db) =>
    db.run(`delete from svc.trace_tallies where org_id = $1 and hour < date_trunc('hour', $2::timestamptz, 'UTC')`, [
      orgId,
      cutoff,
    ]),
  );
  return deletedCount;
}
