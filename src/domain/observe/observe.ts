// Key figures for admins: totals from hourly tallies, and percentiles and rankings from the newest requests.
import { Problem } from '../../platform/problem.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { listReviewsOfRequest, type Review } from '../reviews/review-repository.ts';
import {
  listRequests,
  type RequestFilter,
  type RequestRow,
  type RowPosition,
  readSample,
} from './request-repository.ts';
import { type AskFilter, compactTallies, readCallerTallies, readTallySeries, sumTallies } from './tally-repository.ts';
import type { StoredTrace, TraceRepository } from './trace-repository.ts';

export interface ObserveDeps {
  tenancy: Tenancy;
}
export interface Period {
  since: Date;
  until: Date;
}
const SAMPLE_SIZE = 10_000;
/** The maximum number of rows that an export holds in memory. */
const EXPORT_PAGE_SIZE = 20;
const COMPACT_THRESHOLD = 4_000;
const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

export const periodOf = (range: { since?: string | undefined; until?: string | undefined }, now: Date): Period => {
  const until = range.until ? new Date(range.until) : new Date(now.getTime() + 1000);
  return { since: range.since ? new Date(range.since) : new Date(until.getTime() - DEFAULT_DAYS * DAY_MS), until };
};

export function findRequests(
  deps: ObserveDeps,
  orgId: string,
  filter: RequestFilter,
  page: { limit: number; after: RowPosition | null },
) {
  return deps.tenancy.inTenant(orgId, (db) => listRequests(db, filter, page));
}

export async function getRequest(
  deps: ObserveDeps & { traces: Pick<TraceRepository, 'find'> },
  orgId: string,
  requestId: string,
): Promise<{ trace: StoredTrace; reviews: Review[] }> {
  const trace = await deps.traces.find(orgId, requestId);
  if (!trace)
    throw new Problem('not_found', 'There is no request with this id. GET /mgmt/observe/requests lists them.', {
      param: 'request_id',
    });
  return { trace, reviews: await deps.tenancy.inTenant(orgId, (db) => listReviewsOfRequest(db, trace.requestId)) };
}

/**
 * Yields every matching request, page by page, without an open transaction. `requireAccess` throws if the reader's
 * access has ended.
 */
export async function* iterateRequests(
  deps: ObserveDeps,
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

export function readKpis(deps: ObserveDeps, orgId: string, period: Period, filter: AskFilter) {
  const timeRange = { since: period.since.toISOString(), until: period.until.toISOString() };
  return deps.tenancy.inTenant(orgId, async (db) => {
    const tally = await sumTallies(db, { ...filter, ...period });
    if (tally.rows > COMPACT_THRESHOLD) await compactTallies(db, period.since);
    return { tally, sample: await readSample(db, { ...filter, ...timeRange }, SAMPLE_SIZE) };
  });
}

export async function readSeries(
  deps: ObserveDeps,
  orgId: string,
  period: Period,
  filter: AskFilter,
  bucket?: 'hour' | 'day',
) {
  const chosenBucket = bucket ?? (period.until.getTime() - period.since.getTime() > 3 * DAY_MS ? 'day' : 'hour');
  const rows = await deps.tenancy.inTenant(orgId, (db) => readTallySeries(db, { ...filter, ...period }, chosenBucket));
  return { bucket: chosenBucket, rows };
}

export function readCallers(deps: ObserveDeps, orgId: string, period: Period, page: { limit: number; offset: number }) {
  return deps.tenancy.inTenant(orgId, async (db) => {
    const rows = await readCallerTallies(db, period, page);
    const knownCallers = await db.rows<{ id: string; name: string; groups: string[] }>(
      'select id, name, groups from svc.callers where name = any($1)',
      [rows.map(({ caller }) => caller)],
    );
    return rows.map((row) => ({
      ...row,
      name: row.caller,
      caller: knownCallers.find(({ name }) => name === row.caller) ?? null,
    }));
  });
}

/**
 * Finds a caller by id or name, and admins and users by name. Null if no caller has this name and no one with this name
 * has asked.
 */
export function readCaller(deps: ObserveDeps, orgId: string, idOrName: string, period: Period) {
  return deps.tenancy.inTenant(orgId, async (db) => {
    const caller = await db.first<{ id: string; name: string; groups: string[] }>(
      'select id, name, groups from svc.callers where id::text = $1 or name = $1 limit 1',
      [idOrName],
    );
    const name = caller?.name ?? idOrName;
    const timeRange = { since: period.since.toISOString(), until: period.until.toISOString() };
    const tally = await sumTallies(db, { caller: name, ...period });
    if (!caller && tally.asks === 0) return null;
    const recentRequests = await listRequests(db, { caller: name, ...timeRange }, { limit: 20, after: null });
    return {
      name,
      caller,
      tally,
      recent: recentRequests.rows,
      sample: await readSample(db, { caller: name, ...timeRange }, SAMPLE_SIZE),
    };
  });
}
