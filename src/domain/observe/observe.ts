// Key figures for admins: sums from the tallies, percentiles and rankings from the newest requests.
import { Problem } from '../../platform/problem.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { type Review, reviewsOf } from '../reviews/review-repository.ts';
import { listRequests, type Place, type RequestFilter, type RequestRow, readSample } from './request-repository.ts';
import {
  compactTallies,
  countTallyValues,
  sumTallies,
  type Tally,
  type TallyKind,
  tallySeries,
  tallyValues,
} from './tally-repository.ts';
import type { StoredTrace, TraceRepository } from './trace-repository.ts';

export interface ObserveDeps {
  tenancy: Tenancy;
}
export interface Period {
  since: Date;
  until: Date;
}
const SAMPLE_SIZE = 10_000;
/** Rows in memory for each reader, however slow it is. */
const EXPORTED_AT_ONCE = 20;
const COMPACT_FROM = 4_000;
const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

export const periodOf = (given: { since?: string | undefined; until?: string | undefined }, now: Date): Period => {
  const until = given.until ? new Date(given.until) : new Date(now.getTime() + 1000);
  return { since: given.since ? new Date(given.since) : new Date(until.getTime() - DEFAULT_DAYS * DAY_MS), until };
};

export function findRequests(
  deps: ObserveDeps,
  orgId: string,
  filter: RequestFilter,
  page: { limit: number; after: Place | null },
) {
  return deps.tenancy.inTenant(orgId, (db) => listRequests(db, filter, page));
}

/** One request in full, with the reviews of its answer. */
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
  return { trace, reviews: await deps.tenancy.inTenant(orgId, (db) => reviewsOf(db, trace.requestId)) };
}

/**
 * Yields every matching request, page by page, without an open transaction. `mayGoOn` throws if the reader's
 * access has ended.
 */
export async function* eachRequest(
  deps: ObserveDeps,
  orgId: string,
  filter: RequestFilter,
  mayGoOn: () => Promise<void>,
): AsyncGenerator<RequestRow> {
  let after: Place | null = null;
  do {
    if (after) await mayGoOn();
    const page: Awaited<ReturnType<typeof findRequests>> = await findRequests(deps, orgId, filter, {
      limit: EXPORTED_AT_ONCE,
      after,
    });
    yield* page.rows;
    after = page.next;
  } while (after);
}

interface KpiFilter {
  lens?: string | undefined;
  caller?: string | undefined;
  surface?: string | undefined;
}
/** Tallies have one dimension each, so the narrowest filter applies; the sample below uses all filters. */
function narrowestDimension({ caller, lens, surface }: KpiFilter): { kind: TallyKind; value: string | null } {
  if (caller !== undefined) return { kind: 'caller', value: caller };
  if (lens !== undefined) return { kind: 'lens', value: lens };
  return surface !== undefined ? { kind: 'surface', value: surface } : { kind: 'all', value: null };
}

export function readKpis(deps: ObserveDeps, orgId: string, period: Period, narrow: KpiFilter) {
  const place = narrowestDimension(narrow);
  const within = { since: period.since.toISOString(), until: period.until.toISOString() };
  return deps.tenancy.inTenant(orgId, async (db) => {
    const tally = await sumTallies(db, { ...place, ...period });
    if (tally.rows > COMPACT_FROM) await compactTallies(db, period.since);
    const callers =
      narrow.caller === undefined
        ? await countTallyValues(db, { kind: 'caller', value: null, ...period })
        : Math.min(1, tally.asks);
    return { tally, callers, sample: await readSample(db, { ...narrow, ...within }, SAMPLE_SIZE) };
  });
}

export async function readSeries(
  deps: ObserveDeps,
  orgId: string,
  period: Period,
  narrow: KpiFilter,
  bucket?: 'hour' | 'day',
) {
  const chosen = bucket ?? (period.until.getTime() - period.since.getTime() > 3 * DAY_MS ? 'day' : 'hour');
  const rows = await deps.tenancy.inTenant(orgId, (db) =>
    tallySeries(db, { ...narrowestDimension(narrow), ...period }, chosen),
  );
  return { bucket: chosen, rows };
}

export function readCallers(deps: ObserveDeps, orgId: string, period: Period, page: { limit: number; offset: number }) {
  return deps.tenancy.inTenant(orgId, async (db) => {
    const rows = await tallyValues(db, { kind: 'caller', value: null, ...period }, page);
    const known = await db.rows<{ id: string; name: string; groups: string[] }>(
      'select id, name, groups from svc.callers where name = any($1)',
      [rows.map(({ value }) => value)],
    );
    return rows.map((row) => ({ ...row, caller: known.find(({ name }) => name === row.value) ?? null }));
  });
}

/** By id or name; admins and users are found by name. Null if no one with that name is known or has asked. */
export function readCaller(deps: ObserveDeps, orgId: string, idOrName: string, period: Period) {
  return deps.tenancy.inTenant(orgId, async (db) => {
    const caller = await db.first<{ id: string; name: string; groups: string[] }>(
      'select id, name, groups from svc.callers where id::text = $1 or name = $1 limit 1',
      [idOrName],
    );
    const name = caller?.name ?? idOrName;
    const within = { since: period.since.toISOString(), until: period.until.toISOString() };
    const [tally] = await tallyValues(db, { kind: 'caller', value: name, ...period }, { limit: 1, offset: 0 });
    if (!caller && !tally) return null;
    const recent = await listRequests(db, { caller: name, ...within }, { limit: 20, after: null });
    return {
      name,
      caller,
      tally: tally ?? null,
      recent: recent.rows,
      sample: await readSample(db, { caller: name, ...within }, SAMPLE_SIZE),
    };
  });
}

export const NO_ASKS: Tally = {
  ...{
    asks: 0,
    answered: 0,
    clarification: 0,
    refused: 0,
    uncovered: 0,
    failed: 0,
    verified: 0,
    partial: 0,
    unverified: 0,
  },
  ...{ certified: 0, assisted: 0, uncertified: 0, certified_failed: 0, cost: 0, total_ms: 0 },
};
