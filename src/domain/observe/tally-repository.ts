// Hourly totals of asks. Figures, time series and lists of callers read these totals instead of traces.
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import type { RequestFilter } from './request-repository.ts';

/** The totals are grouped by these columns. `lens` is empty if the ask named no lens. */
const TALLY_DIMENSIONS = ['hour', 'lens', 'caller', 'surface', 'status', 'confidence', 'certification'].join(', ');
const COUNTED_COLUMNS = {
  asks: 'true',
  answered: `status = 'answered'`,
  clarification: `status = 'clarification'`,
  refused: `status = 'refused'`,
  uncovered: `status = 'uncovered'`,
  failed: `status = 'failed'`,
  verified: `status = 'answered' and confidence = 'verified'`,
  partial: `status = 'answered' and confidence = 'partial'`,
  unverified: `status = 'answered' and confidence = 'unverified'`,
  certified: `status = 'answered' and certification = 'certified'`,
  assisted: `status = 'answered' and certification = 'assisted'`,
  uncertified: `status = 'answered' and certification = 'none'`,
  certified_failed: `certification = 'certified_failed'`,
} as const;
export type RequestTally = Record<keyof typeof COUNTED_COLUMNS, number> & { cost: number; total_ms: number };
const SUM_COLUMNS = [
  ...Object.entries(COUNTED_COLUMNS).map(
    ([name, condition]) => `coalesce(sum(asks) filter (where ${condition}), 0)::float8 as ${name}`,
  ),
  'coalesce(sum(cost), 0)::float8 as cost',
  'coalesce(sum(total_ms), 0)::float8 as total_ms',
].join(', ');

export type AskFilter = Pick<RequestFilter, 'lens' | 'caller' | 'surface'>;
type TallyFilter = AskFilter & { since: Date; until: Date };
const MATCHING_TALLIES_SQL = `svc.trace_tallies where org_id = $1
  and hour >= date_trunc('hour', $2::timestamptz, 'UTC') and hour < $3::timestamptz
  and ($4::text is null or lens = $4) and ($5::text is null or caller = $5) and (surface = $6 or $6::text is null and surface not in ('mgmt', 'view'))`;
const listTallyParameters = (db: TenantClient, { since, until, lens, caller, surface }: TallyFilter) => [
  db.orgId,
  since,
  until,
  lens,
  caller,
  surface,
];

export const sumTallies = async (
  db: TenantClient,
  filter: TallyFilter,
): Promise<RequestTally & { callers: number; last_at: Date | null; rows: number }> =>
  (await db.first<RequestTally & { callers: number; last_at: Date | null; rows: number }>(
    `select ${SUM_COLUMNS}, count(distinct caller)::int as callers, max(last_at) as last_at, count(*)::int as rows from ${MATCHING_TALLIES_SQL}`,
    listTallyParameters(db, filter),
  ))!;

export const readTallySeries = (
  db: TenantClient,
  filter: TallyFilter,
  bucket: 'hour' | 'day',
): Promise<(RequestTally & { at: Date })[]> =>
  db.rows<RequestTally & { at: Date }>(
    `select date_trunc('${bucket}', hour, 'UTC') as at, ${SUM_COLUMNS} from ${MATCHING_TALLIES_SQL} group by 1 order by 1`,
    listTallyParameters(db, filter),
  );

export const readCallerTallies = (
  db: TenantClient,
  filter: TallyFilter,
  page: { limit: number; offset: number },
): Promise<(RequestTally & { caller: string; last_at: Date })[]> =>
  db.rows<RequestTally & { caller: string; last_at: Date }>(
    `select caller, max(last_at) as last_at, ${SUM_COLUMNS} from ${MATCHING_TALLIES_SQL}
     group by caller order by sum(asks) desc, caller limit $7 offset $8`,
    [...listTallyParameters(db, filter), page.limit, page.offset],
  );

/** Skips locked rows, so that two processes don't wait for each other. */
export async function compactTallies(db: TenantClient, since: Date): Promise<void> {
  await db.run(
    `with many as (select ${TALLY_DIMENSIONS} from svc.trace_tallies
       where org_id = $1 and hour >= $2 group by ${TALLY_DIMENSIONS} having count(*) > 1 limit 5000),
       picked as (select t.ctid from svc.trace_tallies t join many using (${TALLY_DIMENSIONS}) where t.org_id = $1 for update of t skip locked),
       gone as (delete from svc.trace_tallies t using picked where t.ctid = picked.ctid returning t.*)
     insert into svc.trace_tallies (org_id, ${TALLY_DIMENSIONS}, asks, cost, total_ms, last_at)
     select org_id, ${TALLY_DIMENSIONS}, sum(asks), sum(cost), sum(total_ms), max(last_at) from gone group by org_id, ${TALLY_DIMENSIONS}`,
    [db.orgId, since],
  );
}
