// An index serves only one filter of a query. svc applies the others to a limited number of rows, which limits the cost
// of a page.
import type { z } from 'zod';
import type { exportQuerySchema, requestSummarySchema } from '../../contract/mgmt/observe.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';

export type RequestFilter = Omit<z.infer<typeof exportQuerySchema>, 'format' | 'since' | 'until'> & {
  since?: string | Date | undefined;
  until?: string | Date | undefined;
};
export type RequestRow = Omit<z.infer<typeof requestSummarySchema>, 'at' | 'cost'> & {
  /** The time of the request in RFC 3339 format with microseconds, which determines its position in the list. */
  position: string;
  at: Date;
  cost: string;
};
export interface RowPosition {
  at: string;
  requestId: string;
}

const MAX_SCANNED_ROWS = 5_000;
const POSITION_SQL = `to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
const REQUEST_COLUMNS = `request_id, ${POSITION_SQL} as position, at, caller, surface, client, route,
  lens, lens_version, question, status, outcome, confidence, certification, certified_id, plan, row_count, cost, total_ms,
  case when question is null then nullif(envelope->'scope'->>'sentence', '') end as sentence`;
/** The query uses the index of the first of these filters that the request contains. */
const INDEXED_FILTERS = ['caller', 'lens', 'status', 'confidence', 'certification'] as const;
const EXACT_FILTERS = [...INDEXED_FILTERS, 'surface'] as const;

/** With several filters, a page can be short or empty although a next page exists. */
export async function listRequests(
  db: TenantClient,
  filter: RequestFilter,
  page: { limit: number; after: RowPosition | null },
): Promise<{ rows: RequestRow[]; nextPosition: RowPosition | null }> {
  const { where, otherClauses, values } = buildConditions(db, filter);
  if (page.after)
    where.push(
      `(at, request_id) < (${bindValue(values, page.after.at)}::timestamptz, ${bindValue(values, page.after.requestId)}::uuid)`,
    );
  const matchingSql = `svc.traces where ${where.join(' and ')} order by at desc, request_id desc`;
  if (otherClauses.length === 0) {
    const rows = await db.rows<RequestRow>(
      `select ${REQUEST_COLUMNS} from ${matchingSql} limit ${page.limit + 1}`,
      values,
    );
    const pageRows = rows.slice(0, page.limit);
    return { rows: pageRows, nextPosition: rows.length > pageRows.length ? toRowPosition(pageRows.at(-1)!) : null };
  }
  const rows = await db.rows<RequestRow & { seen: string; last: string | null }>(
    `with scanned as materialized (select request_id, at, question, ${EXACT_FILTERS.join(', ')} from ${matchingSql} limit ${MAX_SCANNED_ROWS}),
       hits as (select request_id from scanned where ${otherClauses.join(' and ')} order by at desc, request_id desc limit ${page.limit + 1})
     select h.*, (select count(*) from scanned) as seen,
       (select ${POSITION_SQL} || '|' || request_id from scanned order by at asc, request_id asc limit 1) as last
     from (select 1) one
       left join (select ${REQUEST_COLUMNS} from svc.traces where org_id = $1 and request_id in (select request_id from hits)) h on true
     order by h.at desc, h.request_id desc`,
    values,
  );
  const matches = rows.filter(({ request_id }) => request_id !== null);
  const shownRows = matches.slice(0, page.limit);
  if (matches.length > shownRows.length) return { rows: shownRows, nextPosition: toRowPosition(shownRows.at(-1)!) };
  const [lastAt, requestId] = (rows[0]?.last ?? '|').split('|');
  return {
    rows: shownRows,
    nextPosition: Number(rows[0]?.seen ?? 0) === MAX_SCANNED_ROWS ? { at: lastAt!, requestId: requestId! } : null,
  };
}

/**
 * Computes percentiles, frequent questions and slow requests from recent traces, because the hourly tallies don't
 * contain them.
 */
export async function readRequestSample(db: TenantClient, filter: RequestFilter, size: number) {
  const { where, otherClauses, values } = buildConditions(db, filter);
  if (filter.surface === undefined) where.push(`surface not in ('mgmt', 'view')`);
  const sample = `newest as materialized (select request_id, question, total_ms, ${EXACT_FILTERS.join(', ')} from svc.traces
       where ${where.join(' and ')} order by at desc, request_id desc limit ${size}),
     sample as materialized (select * from newest where ${otherClauses.join(' and ') || 'true'})`;
  const rankedSql = (extra: string, condition: string) =>
    `(select coalesce(jsonb_agg(to_jsonb(r)), '[]') from (select min(question) as question, lens${extra}, count(*)::int as asks from sample
       where question is not null ${condition} group by lower(question), lens${extra} order by count(*) desc, min(question) limit 10) r)`;
  return (await db.first<{
    p50: number | null;
    p95: number | null;
    p99: number | null;
    of: number;
    top_questions: { question: string; lens: string | null; asks: number }[];
    top_gaps: { question: string; lens: string | null; status: string; asks: number }[];
    slowest: { request_id: string; question: string; lens: string | null; total_ms: number }[];
  }>(
    `with ${sample}
     select percentile_cont(0.5) within group (order by total_ms) as p50, percentile_cont(0.95) within group (order by total_ms) as p95,
       percentile_cont(0.99) within group (order by total_ms) as p99, count(*)::int as of,
       ${rankedSql('', '')} as top_questions, ${rankedSql(', status', `and status in ('refused', 'uncovered')`)} as top_gaps,
       (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from (select request_id, question, lens, total_ms from sample
         where question is not null order by total_ms desc, request_id limit 10) r) as slowest
     from sample`,
    values,
  ))!;
}

/** `where` uses an index. `otherClauses` filter the rows that the index finds. */
function buildConditions(db: TenantClient, filter: RequestFilter) {
  const values: unknown[] = [];
  const clauses = [`org_id = ${bindValue(values, db.orgId)}`];
  const otherClauses: string[] = [];
  const leadingFilter = INDEXED_FILTERS.find((name) => filter[name] !== undefined);
  for (const name of EXACT_FILTERS)
    if (filter[name] !== undefined)
      (name === leadingFilter ? clauses : otherClauses).push(`${name} = ${bindValue(values, filter[name])}`);
  if (filter.since !== undefined) clauses.push(`at >= ${bindValue(values, filter.since)}::timestamptz`);
  if (filter.until !== undefined) clauses.push(`at < ${bindValue(values, filter.until)}::timestamptz`);
  if (filter.q !== undefined)
    otherClauses.push(`question ilike ${bindValue(values, `%${filter.q.replace(/[\\%_]/g, '\\$&')}%`)}`);
  return { where: clauses, otherClauses, values };
}
const bindValue = (values: unknown[], value: unknown): string => `$${values.push(value)}`;
const toRowPosition = (row: RequestRow): RowPosition => ({ at: row.position, requestId: row.request_id });
