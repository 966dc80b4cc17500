// Reads values that no committed dictionary has, as this caller may see them. This happens only if a question has words
// that the lens can't explain, or if a row policy applies. The values are cached for half a minute for each view of the data.
import { LRUCache } from 'lru-cache';
import type { Lens, LensDataset, LensField } from '../../lens/model/lens.ts';
import { policiesFor } from '../../lens/policies/row-policies.ts';
import { emptyPlan } from '../../plan/lens-plan.ts';
import type { GrantedLens } from '../outcome.ts';
import { readGoverned } from '../run/governed-read.ts';
import { viewKey } from '../view-key.ts';
import type { ProbeLimits } from './values/probe-values.ts';

const PROBED_FIELDS = 12;
const PROBED_VALUES = 5_000;
const MAX_VALUE_WORDS = 200;

const vocabularyCache = new LRUCache<string, Promise<Lens | null>>({ max: 200, ttl: 30_000 });

/** The lens with the missing dictionaries filled in for this caller; null when there is nothing to fill in. */
export function lensForCaller(granted: GrantedLens, limits: ProbeLimits): Promise<Lens | null> {
  const missing = granted.lens.datasets
    .flatMap((dataset) => dataset.fields.filter(isProbed).map((field) => ({ dataset, field })))
    .sort((a, b) => Number(b.field.dictionaryFromWarehouse) - Number(a.field.dictionaryFromWarehouse))
    .slice(0, PROBED_FIELDS);
  if (missing.length === 0) return Promise.resolve(null);
  const key = JSON.stringify([granted.orgId, granted.lensId, granted.stamp, viewKey(granted)]);
  const present = vocabularyCache.get(key);
  if (present) return present;
  const filled = fillIn(granted, missing, limits);
  vocabularyCache.set(key, filled);
  filled.catch(() => vocabularyCache.delete(key));
  return filled;
}

const isProbed = (field: LensField): boolean =>
  field.datatype === 'string' && !field.masked && field.dictionary === null;

async function fillIn(
  granted: GrantedLens,
  missing: { dataset: LensDataset; field: LensField }[],
  limits: ProbeLimits,
): Promise<Lens> {
  const read = new Map<LensField, LensField>();
  for (const { dataset, field } of missing) {
    const lensPlan = { ...emptyPlan(), dimensions: [{ path: dataset.name, field: field.name }], distinct: true };
    const { rows, more, bytesCut } = await readGoverned(granted.warehouse, granted.lens, granted.caller, lensPlan, {
      ...limits,
      maxRows: PROBED_VALUES,
    });
    const values = rows.flatMap(([cell]) =>
      typeof cell === 'string' && cell.length <= MAX_VALUE_WORDS ? [{ value: cell, synonyms: [] }] : [],
    );
    // svc neither confirms nor denies a value that a policy hides, so it can't prove that a value is absent.
    const hidden = policiesFor(granted.lens, dataset.name, granted.caller).length > 0;
    read.set(field, {
      ...field,
      dictionary: { values, complete: !more && !bytesCut && !hidden && values.length === rows.length },
    });
  }
  const { lens } = granted;
  return {
    ...lens,
    datasets: lens.datasets.map((dataset) => ({
      ...dataset,
      fields: dataset.fields.map((field) => read.get(field) ?? field),
    })),
  };
}
