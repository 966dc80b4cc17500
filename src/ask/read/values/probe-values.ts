// Looks up values in the warehouse with the caller's permissions, with one limited query for each column.
import { LRUCache } from 'lru-cache';
import { findAttributes } from '../../../lens/model/sql-words.ts';
import { findPolicies } from '../../../lens/policies/row-policies.ts';
import { type Condition, createEmptyPlan, type Filter } from '../../../plan/lens-plan.ts';
import { Problem } from '../../../platform/problem.ts';
import { mapInParallel } from '../../../platform/schedule/in-parallel.ts';
import type { GrantedLens } from '../../outcome.ts';
import { fetchGovernedRows } from '../../run/governed-read.ts';
import { toCanonicalNumber, type ValueMention } from './named-values.ts';
import { findMatchingValues, findSpellings, sortByDistance } from './value-spellings.ts';

const MAX_COLUMN_VALUES = 5_000;
const MAX_PROBED_NUMBERS = 1_000; // in one query
const PROBE_TIMEOUT_MS = 5_000; // milliseconds for one lookup
const CACHE_MS = 20_000;

export interface ProbeLimits {
  timeoutMs: number;
  maxBytes: number;
  now: Date;
  signal: AbortSignal;
  /** Called if a dictionary is older than the warehouse's values. */
  onOutdatedDictionary?: ((grantedLens: GrantedLens) => void) | undefined;
}
/**
 * `absent`: svc proved that the value isn't stored. `unknown`: svc couldn't find out whether the value is stored, for
 * the reason in `faultClass`.
 */
export type ValueLookup =
  | { kind: 'stored'; values: string[]; fromWarehouse: boolean }
  | { kind: 'absent'; nearest: string[] }
  | { kind: 'unknown'; reason: string };

const probeCache = new LRUCache<string, string[]>({ max: 5_000, ttl: CACHE_MS });
/**
 * Returns the cache key for a caller's view of a lens, so that callers who see different rows never share a cached
 * value.
 */
export function toViewKey({ orgId, lensId, stamp, lens, caller }: GrantedLens, ...rest: string[]): string {
  const seesAllRows = caller.superuser || lens.rowPolicies.length === 0;
  // A policy can read the name of the caller. Otherwise, callers with the same attributes see the same rows.
  const readsName = lens.rowPolicies.some(({ filter }) => findAttributes(filter).includes('name'));
  const view = [caller.groups.toSorted(), Object.entries(caller.attributes).sort(), readsName ? caller.name : null];
  return JSON.stringify([orgId, lensId, stamp, seesAllRows ? 'all' : view, ...rest]);
}

/**
 * Returns the spellings of a recently found value, which counts as stored. svc never caches that a value wasn't found.
 */
const findRecentSpellings = (
  grantedLens: GrantedLens,
  { term }: ValueMention,
  requestedValue: string,
): string[] | null => probeCache.get(toViewKey(grantedLens, term, requestedValue)) ?? null;

export async function probeValues(
  grantedLens: GrantedLens,
  mention: ValueMention,
  requestedValues: readonly string[],
  limits: ProbeLimits,
): Promise<Map<string, ValueLookup>> {
  const probeLimits = { ...limits, timeoutMs: Math.min(limits.timeoutMs, PROBE_TIMEOUT_MS) };
  try {
    const lookups = await (mention.field.datatype === 'string' ? probeStrings : probeNumbers)(
      grantedLens,
      mention,
      requestedValues,
      probeLimits,
    );
    for (const [value, result] of lookups)
      if (result.kind === 'stored') probeCache.set(toViewKey(grantedLens, mention.term, value), result.values);
    return lookups;
  } catch (fault) {
    const isTimedOut = fault instanceof Problem && (fault.code === 'timeout' || fault.code === 'upstream');
    if (!isTimedOut || limits.signal.aborted) throw fault;
    return new Map(requestedValues.map((value) => [value, { kind: 'unknown', reason: 'the lookup took too long' }]));
  }
}

/** The distinct values of a column, up to a limit. */
export async function readColumnValues(
  grantedLens: GrantedLens,
  { path, field }: Condition['field'],
  filters: Filter[],
  limits: ProbeLimits,
): Promise<{ values: string[]; more: boolean }> {
  const lensPlan = { ...createEmptyPlan(), dimensions: [{ path, field }], filters, distinct: true };
  const { rows, more, bytesCut } = await fetchGovernedRows(grantedLens, lensPlan, {
    ...limits,
    maxRows: MAX_COLUMN_VALUES,
  });
  const values = rows.flatMap(([cell]) => (cell === null || cell === undefined ? [] : [String(cell)]));
  return { values, more: more || bytesCut };
}

// svc must neither confirm nor deny a value that a row policy hides.
const hidesRows = ({ lens, caller }: GrantedLens, { dataset }: ValueMention): boolean =>
  findPolicies(lens, dataset.name, caller).length > 0;
const UNKNOWN_BECAUSE_OF_POLICY: ValueLookup = { kind: 'unknown', reason: 'a row policy hides some rows' };

async function probeStrings(
  grantedLens: GrantedLens,
  mention: ValueMention,
  requestedValues: readonly string[],
  limits: ProbeLimits,
): Promise<Map<string, ValueLookup>> {
  const { field } = mention.condition;
  const columnValues = await readColumnValues(grantedLens, field, [], limits);
  const hasHiddenRows = hidesRows(grantedLens, mention);
  const lookups = new Map<string, ValueLookup>();
  for (const value of requestedValues) {
    const spellings = findSpellings(columnValues.values, value);
    if (spellings.length > 0) lookups.set(value, { kind: 'stored', values: spellings, fromWarehouse: true });
    else if (hasHiddenRows && !columnValues.more) lookups.set(value, UNKNOWN_BECAUSE_OF_POLICY);
    else if (!columnValues.more)
      lookups.set(value, { kind: 'absent', nearest: sortByDistance(columnValues.values, value) });
    else
      lookups.set(
        value,
        await probePattern(grantedLens, field, value, { sampleValues: columnValues.values, hasHiddenRows }, limits),
      );
  }
  return lookups;
}

/** Searches a column that has too many values to read at once. */
async function probePattern(
  grantedLens: GrantedLens,
  field: Condition['field'],
  requestedValue: string,
  { sampleValues, hasHiddenRows }: { sampleValues: string[]; hasHiddenRows: boolean },
  limits: ProbeLimits,
): Promise<ValueLookup> {
  const likeCondition: Condition = {
    field,
    op: 'contains',
    values: [requestedValue.trim()],
  };
  const { values, more } = await readColumnValues(grantedLens, field, [likeCondition], limits);
  const spellings = findSpellings(values, requestedValue);
  if (spellings.length > 0) return { kind: 'stored', values: spellings, fromWarehouse: true };
  if (hasHiddenRows) return UNKNOWN_BECAUSE_OF_POLICY;
  // A pattern doesn't match if accents or inner white space differ. A missing match therefore proves only that a plain
  // string is absent.
  if (more || !/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(requestedValue.trim()))
    return { kind: 'unknown', reason: 'the column has too many values to search' };
  return { kind: 'absent', nearest: sortByDistance(sampleValues, requestedValue) };
}

async function probeNumbers(
  grantedLens: GrantedLens,
  mention: ValueMention,
  requestedValues: readonly string[],
  limits: ProbeLimits,
): Promise<Map<string, ValueLookup>> {
  const { field } = mention.condition;
  // Compares a numeric key with numbers, so that the engine can use the key's index even under a row policy.
  const values = requestedValues.map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value));
  const storedNumbers = new Set<string | null>();
  for (let start = 0; start < values.length; start += MAX_PROBED_NUMBERS) {
    const condition: Condition = { field, op: 'in', values: values.slice(start, start + MAX_PROBED_NUMBERS) };
    const found = await readColumnValues(grantedLens, field, [condition], limits);
    for (const value of found.values) storedNumbers.add(toCanonicalNumber(value));
  }
  const absentValues = requestedValues.filter((value) => !storedNumbers.has(value));
  const hasHiddenRows = hidesRows(grantedLens, mention);
  const otherValues =
    absentValues.length > 0 && !hasHiddenRows ? (await readColumnValues(grantedLens, field, [], limits)).values : [];
  return new Map(
    requestedValues.map((value): [string, ValueLookup] => [
      value,
      storedNumbers.has(value)
        ? { kind: 'stored', values: [value], fromWarehouse: true }
        : hasHiddenRows
          ? UNKNOWN_BECAUSE_OF_POLICY
          : { kind: 'absent', nearest: sortByDistance(otherValues, value) },
    ]),
  );
}

const MAX_CONCURRENT_READS = 3; // a warehouse has few sessions

export class ValueLookups {
  readonly #grantedLens: GrantedLens;
  readonly #limits: ProbeLimits;
  readonly #lookups = new Map<string, ValueLookup>();

  constructor(grantedLens: GrantedLens, limits: ProbeLimits) {
    this.#grantedLens = grantedLens;
    this.#limits = limits;
  }

  getResult({ term }: ValueMention, requestedValue: string): ValueLookup | undefined {
    return this.#lookups.get(JSON.stringify([term, requestedValue]));
  }

  /** Returns the result without values of hidden rows. A lens file can list such values. */
  async findVisibleResult(mention: ValueMention, requestedValue: string): Promise<ValueLookup> {
    const result = this.getResult(mention, requestedValue)!;
    if (result.kind !== 'stored' || !hidesRows(this.#grantedLens, mention)) return result;
    const { field } = mention.condition;
    const filter: Condition = { field, op: 'in', values: result.values };
    const visible = await readColumnValues(this.#grantedLens, field, [filter], this.#limits);
    const values = result.values.filter((value) => visible.values.includes(value));
    return values.length > 0 ? { ...result, values } : UNKNOWN_BECAUSE_OF_POLICY;
  }

  async lookUp(lookups: [ValueMention, string[]][]): Promise<void> {
    const pendingColumns = new Map<string, { mention: ValueMention; requestedValues: Set<string> }>();
    for (const [mention, values] of lookups)
      for (const requestedValue of values) {
        if (this.getResult(mention, requestedValue)) continue;
        const { dictionary } = mention.field;
        const dictionaryValues = dictionary ? findMatchingValues(dictionary, requestedValue) : [];
        const knownValues =
          dictionaryValues.length > 0
            ? dictionaryValues
            : findRecentSpellings(this.#grantedLens, mention, requestedValue);
        if (knownValues)
          this.#lookups.set(JSON.stringify([mention.term, requestedValue]), {
            kind: 'stored',
            values: knownValues,
            fromWarehouse: false,
          });
        else {
          const column = pendingColumns.get(mention.term) ?? { mention, requestedValues: new Set() };
          pendingColumns.set(mention.term, { ...column, requestedValues: column.requestedValues.add(requestedValue) });
        }
      }
    await mapInParallel([...pendingColumns.values()], MAX_CONCURRENT_READS, async ({ mention, requestedValues }) => {
      for (const [value, result] of await probeValues(this.#grantedLens, mention, [...requestedValues], this.#limits)) {
        this.#lookups.set(JSON.stringify([mention.term, value]), result);
        if (result.kind === 'stored' && mention.field.dictionary?.complete)
          this.#limits.onOutdatedDictionary?.(this.#grantedLens);
      }
    });
  }
}
