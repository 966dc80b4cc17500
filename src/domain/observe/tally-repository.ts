// Hourly sums of asks (svc.trace_tallies), which key figures, time series and caller lists read instead of
// the traces.
import type { TenantClient } from '../../platform/tenancy/tenant.ts';

export type TallyKind = 'all' | 'lens' | 'caller' | 'surface';
const COUNTS = [
  'asks',
  'answered',
  'clarification',
  'refused',
  'uncovered',
  'failed',
  'verified',
  'partial',
  'unverified',
  'certified',
  'assisted',
  'uncertified',
  'certified_failed',
] as const;
export type Tally = Record<(typeof COUNTS)[number], number> & { cost: number; total_ms: number };
const SUMS = [
  ...COUNTS.map((name) => `coalesce(sum(${name}), 0)::float8 as ${name}`),
  'coalesce(sum(cost), 0)::float8 as cost',
  'coalesce(sum(total_ms), 0)::float8 as total_ms',
].join(', ');
const TALLY_FILTER = `org_id = $1 and kind = $2 and ($3::text is null or value = $3) and hour >= date_trunc('hour', $4::timestamptz, 'UTC') and hour < $5::timestamptz`;

export interface TallyOf {
  kind: TallyKind;
  /** Null: every value of the kind. */
  value: string | null;
  since: Date;
  until: Date;
}
const boundValues = (db: TenantClient, of: TallyOf) => [db.orgId, of.kind, of.value, of.since, of.until];

export const sumTallies = async (db: TenantClient, of: TallyOf): Promise<Tally & { rows: number }> =>
  (await db.first<Tally & { rows: number }>(
    `select ${SUMS}, count(*)::int as rows from svc.trace_tallies where ${TALLY_FILTER}`,
    boundValues(db, of),
  ))!;

export const tallySeries = (db: TenantClient, of: TallyOf, bucket: 'hour' | 'day'): Promise<(Tally & { at: Date })[]> =>
  db.rows<Tally & { at: Date }>(
    `select date_trunc('${bucket}', hour, 'UTC') as at, ${SUMS} from svc.trace_tallies where ${TALLY_FILTER} group by 1 order by 1`,
    boundValues(db, of),
  );

export const tallyValues = (
  db: TenantClient,
  subject: TallyOf,
  page: { limit: number; offset: number },
): Promise<(Tally & { value: string; last_at: Date })[]> =>
  db.rows<Tally & { value: string; last_at: Date }>(
    `select value, max(last_at) as last_at, ${SUMS} from svc.trace_tallies where ${TALLY_FILTER}
     group by value order by sum(asks) desc, value limit $6 offset $7`,
    [...boundValues(db, subject), page.limit, page.offset],
  );

export const countTallyValues = async (db: TenantClient, of: TallyOf): Promise<number> =>
  (await db.first<{ values: number }>(
    `select count(distinct value)::int as values from svc.trace_tallies where ${TALLY_FILTER}`,
    boundValues(db, of),
  ))!.values;

/** Merges the rows of one hour. Two processes don't wait for each other, because locked rows are skipped. */
export async function compactTallies(db: TenantClient, since: Date): Promise<void> {
  const names = [...COUNTS, 'cost', 'total_ms'];
  await db.run(
    `with many as (select kind, hour, value from svc.trace_tallies
       where org_id = $1 and kind = any('{all,lens,caller,surface}') and hour >= $2 group by kind, hour, value having count(*) > 1 limit 5000),
       picked as (select t.ctid from svc.trace_tallies t join many using (kind, hour, value) where t.org_id = $1 for update of t skip locked),
       gone as (delete from svc.trace_tallies t using picked where t.ctid = picked.ctid returning t.*)
     insert into svc.trace_tallies (org_id, hour, kind, value, ${names.join(', ')}, last_at)
     select org_id, hour, kind, value, ${names.map((name) => `sum(${name})`).join(', ')}, max(last_at) from gone group by org_id, hour, kind, value`,
    [db.orgId, since],
  );
}
