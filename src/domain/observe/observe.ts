// Totals come from hourly tallies, and percentiles and rankings from the newest requests.
import { Problem, requireFound } from '../../platform/problem.ts';
import { type Tenancy, withOwnTransaction } from '../../platform/tenancy/tenant.ts';
import { listReviewsOfRequest, type Review } from '../reviews/review-repository.ts';
import {
  listRequests,
  type RequestFilter,
  type RequestRow,
  type RowPosition,
  readRequestSample,
} from './request-repository.ts';
import { type AskFilter, compactTallies, readCallerTallies, readTallySeries, sumTallies } from './tally-repository.ts';
import type { StoredTrace, TraceRepository } from './trace-repository.ts';

export interface ReportPeriod {
  since: Date;
  until: Date;
}
interface CallerRow {
  id: string;
  name: string;
  groups: string[];
}
const SAMPLE_SIZE = 10_000;
/** The maximum number of rows that an export holds in memory. */
const EXPORT_PAGE_SIZE = 20;
const COMPACTION_THRESHOLD = 4_000;
const DAY_MS = 86_400_000;
const DEFAULT_PERIOD_DAYS = 30;

export const toReportPeriod = (
  range: { since?: string | undefined; until?: string | undefined },
  now: Date,
): ReportPeriod => {
  const until = range.until ? new Date(range.until) : new Date(now.getTime() + 1000);
  return {
    since: range.since ? new Date(range.since) : new Date(until.getTime() - DEFAULT_PERIOD_DAYS * DAY_MS),
    until,
  };
};

export const findRequests = withOwnTransaction(listRequests);

export async function getRequest(
  deps: { tenancy: Tenancy; traces: Pick<TraceRepository, 'find'> },
  orgId: string,
  requestId: string,
): Promise<{ trace: StoredTrace; reviews: Review[] }> {
  const noSuchRequest = 'There is no request with this id. GET /mgmt/observe/requests lists the requests.';
  const trace = requireFound(await deps.traces.find(orgId, requestId), noSuchRequest, 'request_id');
  return { trace, reviews: await deps.tenancy.inTenant(orgId, (db) => listReviewsOfRequest(db, trace.requestId)) };
}

/** No transaction stays open between pages. `requireAccess` throws if the reader's access has ended. */
export async function* iterateRequests(
  deps: { tenancy: Tenancy },
  orgId: string,
  filter: RequestFilter,
  requireAccess: () => Promise<void>,
): AsyncGenerator<RequestRow> {
  let lastPosition: RowPosition | null = null;
  do {
    if (lastPosition) await requireAccess();
    const page: Awaited<ReturnType<typeof findRequests>> = await findRequests(deps, orgId, filter, {
      limit: EXPORT_PAGE_SIZE,
      after: lastPosition,
    });
    yield* page.rows;
    lastPosition = page.nextPosition;
  } while (lastPosition);
}

export const readKpis = withOwnTransaction(async (db, period: ReportPeriod, filter: AskFilter) => {
  const tally = await sumTallies(db, { ...filter, ...period });
  if (tally.rows > COMPACTION_THRESHOLD) await compactTallies(db, period.since);
  return { tally, sample: await readRequestSample(db, { ...filter, ...period }, SAMPLE_SIZE) };
});

export const readSeries = withOwnTransaction(
  async (db, period: ReportPeriod, filter: AskFilter, bucket: 'hour' | 'day' | undefined) => {
    const chosenBucket = bucket ?? (period.until.getTime() - period.since.getTime() > 3 * DAY_MS ? 'day' : 'hour');
    return { bucket: chosenBucket, rows: await readTallySeries(db, { ...filter, ...period }, chosenBucket) };
  },
);

export const readCallers = withOwnTransaction(
  async (db, period: ReportPeriod, page: { limit: number; offset: number }) => {
    const rows = await readCallerTallies(db, period, page);
    const knownCallers = await db.rows<CallerRow>('select id, name, groups from svc.callers where name = any($1)', [
      rows.map(({ caller }) => caller),
    ]);
    return rows.map((row) => ({
      ...row,
      name: row.caller,
      caller: knownCallers.find(({ name }) => name === row.caller) ?? null,
    }));
  },
);

/** Finds a caller by id or name. Finds admins and users only by name. */
export const readCaller = withOwnTransaction(async (db, idOrName: string, period: ReportPeriod) => {
  const caller = await db.first<CallerRow>(
    'select id, name, groups from svc.callers where id::text = $1 or name = $1 limit 1',
    [idOrName],
  );
  const name = caller?.name ?? idOrName;
  const filter = { caller: name, ...period };
  const tally = await sumTallies(db, filter);
  const noOne = 'No one with this id or name has asked a question. GET /mgmt/observe/callers lists callers with asks.';
  if (!caller && tally.asks === 0) throw new Problem('not_found', noOne, { param: 'id' });
  const { rows: recent } = await listRequests(db, filter, { limit: 20, after: null });
  return { name, caller, tally, recent, sample: await readRequestSample(db, filter, SAMPLE_SIZE) };
});
