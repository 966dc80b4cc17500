// Looks up values in the warehouse with the caller's permissions, with one limited query for each column.
import { LRUCache } from 'lru-cache';
import { policiesFor } from '../../../lens/policies/row-policies.ts';
import { type Condition, emptyPlan, type Filter } from '../../../plan/lens-plan.ts';
import { Problem } from '../../../platform/problem.ts';
import type { GrantedLens } from '../../outcome.ts';
import { readGoverned } from '../../run/governed-read.ts';
import { viewKey } from '../../view-key.ts';
import { numeral, type ValueMention } from './named-values.ts';
import { nearestFirst, spellingsIn } from './value-spellings.ts';

const PROBED_VALUES = 5_000;
const PROBE_MS = 5_000; // milliseconds for one lookup
const CACHE_MS = 20_000;

export interface ProbeLimits {
  timeoutMs: number;
  maxBytes: number;
  now: Date;
  signal: AbortSignal;
  /** Called if a dictionary is older than the warehouse's values. */
  lagging?: ((granted: GrantedLens) => void) | undefined;
}
/** `absent`: svc proved that the value isn't stored. `untold`: svc couldn't find out, with the reason. */
export type Found =
  | { is: 'stored'; values: string[]; live: boolean }
  | { is: 'absent'; nearest: string[] }
  | { is: 'untold'; why: string };

const cachedProbes = new LRUCache<string, string[]>({ max: 5_000, ttl: CACHE_MS });
const keyOf = (granted: GrantedLens, term: string, requestedValue: string): string =>
  JSON.stringify([granted.orgId, granted.lensId, granted.stamp, viewKey(granted), term, requestedValue]);

/** A recently found value counts as stored. svc looks up a value again if it wasn't found. */
export const recentlyFound = (granted: GrantedLens, { term }: ValueMention, requestedValue: string): string[] | null =>
  cachedProbes.get(keyOf(granted, term, requestedValue)) ?? null;

export async function probeValues(
  granted: GrantedLens,
  naming: ValueMention,
  requestedValues: readonly string[],
  limits: ProbeLimits,
): Promise<Map<string, Found>> {
  const probeLimits = { ...limits, timeoutMs: Math.min(limits.timeoutMs, PROBE_MS) };
  try {
    const found = await (naming.field.datatype === 'string' ? probeTexts : probeNumbers)(
      granted,
      naming,
      requestedValues,
      probeLimits,
    );
    for (const [value, one] of found)
      if (one.is === 'stored') cachedProbes.set(keyOf(granted, naming.term, value), one.values);
    return found;
  } catch (fault) {
    const slow = fault instanceof Problem && (fault.code === 'timeout' || fault.code === 'upstream');
    if (!slow || limits.signal.aborted) throw fault;
    return new Map(requestedValues.map((value) => [value, { is: 'untold', why: 'the lookup took too long' }]));
  }
}

/** The distinct values of a column, up to a limit. */
export async function readColumn(
  granted: GrantedLens,
  { path, field }: Condition['field'],
  filters: Filter[],
  limits: ProbeLimits,
): Promise<{ values: string[]; more: boolean }> {
  const lensPlan = { ...emptyPlan(), dimensions: [{ path, field }], filters, distinct: true };
  const { rows, more, bytesCut } = await readGoverned(granted, lensPlan, {
    ...limits,
    maxRows: PROBED_VALUES,
  });
  const values = rows.flatMap(([cell]) => (cell === null || cell === undefined ? [] : [String(cell)]));
  return { values, more: more || bytesCut };
}

// svc neither confirms nor denies a value that a row policy hides.
const hidesRows = ({ lens, caller }: GrantedLens, { dataset }: ValueMention): boolean =>
  policiesFor(lens, dataset.name, caller).length > 0;
const HIDDEN_BY_POLICY: Found = { is: 'untold', why: 'a row policy hides some rows' };

async function probeTexts(
  granted: GrantedLens,
  naming: ValueMention,
  requestedValues: readonly string[],
  limits: ProbeLimits,
): Promise<Map<string, Found>> {
  const { field } = naming.condition;
  const all = await readColumn(granted, field, [], limits);
  const hidden = hidesRows(granted, naming);
  const found = new Map<string, Found>();
  for (const value of requestedValues) {
    const spellings = spellingsIn(all.values, value);
    if (spellings.length > 0) found.set(value, { is: 'stored', values: spellings, live: true });
    else if (hidden && !all.more) found.set(value, HIDDEN_BY_POLICY);
    else if (!all.more) found.set(value, { is: 'absent', nearest: nearestFirst(all.values, value) });
    else found.set(value, await probePattern(granted, field, value, { some: all.values, hidden }, limits));
  }
  return found;
}

/** Searches a column that has too many values to read at once. */
async function probePattern(
  granted: GrantedLens,
  field: Condition['field'],
  requestedValue: string,
  { some, hidden }: { some: string[]; hidden: boolean },
  limits: ProbeLimits,
): Promise<Found> {
  const like: Condition = {
    field,
    op: 'contains',
    values: [requestedValue.trim()],
  };
  const { values, more } = await readColumn(granted, field, [like], limits);
  const spellings = spellingsIn(values, requestedValue);
  if (spellings.length > 0) return { is: 'stored', values: spellings, live: true };
  if (hidden) return HIDDEN_BY_POLICY;
  // Accents and inner white space can prevent a pattern match, so a missing match proves the absence of plain strings
  // only.
  if (more || !/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(requestedValue.trim()))
    return { is: 'untold', why: 'the column has too many values to search' };
  return { is: 'absent', nearest: nearestFirst(some, requestedValue) };
}

async function probeNumbers(
  granted: GrantedLens,
  naming: ValueMention,
  requestedValues: readonly string[],
  limits: ProbeLimits,
): Promise<Map<string, Found>> {
  const { field } = naming.condition;
  // Uses numbers, so that the index of a key also works under a row policy.
  const values = requestedValues.map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value));
  const condition: Condition = { field, op: 'in', values };
  const stored = new Set((await readColumn(granted, field, [condition], limits)).values.map(numeral));
  const absent = requestedValues.filter((value) => !stored.has(value));
  const hidden = hidesRows(granted, naming);
  const others = absent.length > 0 && !hidden ? (await readColumn(granted, field, [], limits)).values : [];
  return new Map(
    requestedValues.map((value): [string, Found] => [
      value,
      stored.has(value)
        ? { is: 'stored', values: [value], live: true }
        : hidden
          ? HIDDEN_BY_POLICY
          : { is: 'absent', nearest: nearestFirst(others, value) },
    ]),
  );
}
