// Reads data_as_of, the latest date of the data, through the guard. svc caches the date of each lens version for 30 s.

import { LRUCache } from 'lru-cache';
import { DateTime } from 'luxon';
import type { Principal } from '../../domain/identity/principal.ts';
import type { LiveLens } from '../../domain/lenses/lens-repository.ts';
import type { FetchResult } from '../../domain/ports.ts';
import { findDatasetOfPath } from '../../lens/model/join-paths.ts';
import { findField, type Lens, type LensField, SVC_CALLER } from '../../lens/model/lens.ts';
import { guardStatementOverLens } from '../../lens/policies/governed-relations.ts';
import { createEmptyPlan } from '../../plan/lens-plan.ts';
import type { Clock } from '../../platform/clock.ts';
import { SharedReads } from '../../platform/shared-reads.ts';
import type { GrantedLens } from '../outcome.ts';
import { type LensDeps, toGrantedLens } from '../read/resolve-lens.ts';
import { fetchGovernedRows } from './governed-read.ts';

const TIMESTAMP_CACHE_MS = 30_000;
const READ_LIMITS = { maxRows: 1, maxBytes: 10_000 };
export class DataTimestampCache {
  readonly #reads = new SharedReads<string | null>({ max: 1_000, ttlMs: TIMESTAMP_CACHE_MS });
  readonly #lastReads = new LRUCache<string, { date: string | null }>({ max: 1_000 });

  /** RFC 3339 in UTC, with milliseconds. Null if the lens has no source for the date, or svc can't read the source. */
  readTimestamp(
    orgId: string,
    grantedLens: GrantedLens,
    options: { timeoutMs: number; now: Date; signal: AbortSignal },
  ): Promise<string | null> {
    const { dataAsOf, timezone } = grantedLens.lens;
    if (!dataAsOf) return Promise.resolve(null);
    if ('at' in dataAsOf) return Promise.resolve(toUtc(dataAsOf.at, timezone));
    const key = toFreshnessKey(orgId, grantedLens);
    const lastRead = this.#lastReads.get(key) ?? { date: null };
    this.#lastReads.set(key, lastRead);
    return this.#reads
      .get(key, options.signal, async () => {
        lastRead.date = await readDataTimestamp(grantedLens, options);
        return lastRead.date;
      })
      .catch(() => null);
  }

  /** The data_as_of of the last read, without a new query. Undefined before svc first reads the date. */
  getCachedTimestamp(orgId: string, liveLens: LiveLens): string | null | undefined {
    const { dataAsOf, timezone } = liveLens.lens;
    if (!dataAsOf) return null;
    return 'at' in dataAsOf ? toUtc(dataAsOf.at, timezone) : this.#lastReads.get(toFreshnessKey(orgId, liveLens))?.date;
  }
}

const toFreshnessKey = (orgId: string, { lensId, stamp }: LiveLens): string => `${orgId}/${lensId}/${stamp}`;

async function readDataTimestamp(
  granted: GrantedLens,
  { timeoutMs, now, signal }: { timeoutMs: number; now: Date; signal: AbortSignal },
): Promise<string | null> {
  const { lens, warehouse } = granted;
  const source = lens.dataAsOf!;
  let result: FetchResult;
  // The latest date is a property of the lens, so svc reads it from all rows and not only from the rows that a caller
  // can see.
  if ('field' in source) {
    const { dataset: path, field } = source.field;
    const lensPlan = { ...createEmptyPlan(), measures: [{ fn: 'max' as const, field: { path, field } }] };
    const reader = { warehouse, lens, caller: SVC_CALLER };
    result = await fetchGovernedRows(reader, lensPlan, { ...READ_LIMITS, timeoutMs, now, signal });
  } else if ('sql' in source) {
    const options = { mode: 'govern', maxRows: 1, shown: 'approved' } as const;
    const statement = await guardStatementOverLens(lens, SVC_CALLER, source.sql, options);
    result = await warehouse.fetch(statement, { ...READ_LIMITS, timeoutMs, signal });
  } else {
    return null;
  }
  const cell = result.rows[0]?.[0];
  // MySQL returns instants without a time zone.
  const isInstant = 'field' in source && findSourceField(lens, source.field)?.datatype === 'datetimetz';
  return cell === null || cell === undefined ? null : toUtc(String(cell), isInstant ? 'UTC' : lens.timezone);
}

function findSourceField(lens: Lens, source: { dataset: string; field: string }): LensField | undefined {
  const dataset = findDatasetOfPath(lens, source.dataset);
  return dataset && findField(dataset, source.field);
}

function toUtc(text: string, zone: string): string | null {
  const time = DateTime.fromISO(text.replace(' ', 'T'), { zone });
  return time.isValid ? time.toUTC().toISO({ includeOffset: true }) : null;
}

type FreshnessDeps = LensDeps & { freshness: DataTimestampCache; clock: Clock };

/** Reads data_as_of outside an ask. Returns null instead of an error if svc doesn't know the date. */
export async function fetchDataTimestamp(
  deps: FreshnessDeps,
  principal: Principal,
  liveLens: LiveLens,
  options: { timeoutMs: number; signal: AbortSignal },
): Promise<string | null> {
  if (!liveLens.lens.dataAsOf) return null;
  try {
    const grantedLens = await toGrantedLens(deps, principal, liveLens);
    return await deps.freshness.readTimestamp(principal.orgId, grantedLens, { ...options, now: deps.clock.now() });
  } catch {
    return null;
  }
}

const BACKGROUND_READ_TIMEOUT_MS = 30_000;

/** The data_as_of of the last read, or null. The first call starts a read without waiting for the result. */
export function getLastDataTimestamp(deps: FreshnessDeps, principal: Principal, liveLens: LiveLens): Date | null {
  const lastDate = deps.freshness.getCachedTimestamp(principal.orgId, liveLens);
  if (lastDate === undefined)
    void fetchDataTimestamp(deps, principal, liveLens, {
      timeoutMs: BACKGROUND_READ_TIMEOUT_MS,
      signal: AbortSignal.timeout(BACKGROUND_READ_TIMEOUT_MS),
    });
  return lastDate ? new Date(lastDate) : null;
}
