// Reads values that this caller can see and that no committed dictionary has. svc reads them only if the lens can't
// explain a word of the question, or if a row policy applies. svc caches the values for half a minute for each view of
// the data.
import { LRUCache } from 'lru-cache';
import type { Dictionary, Lens, LensDataset, LensField } from '../../lens/model/lens.ts';
import { policiesFor } from '../../lens/policies/row-policies.ts';
import type { GrantedLens } from '../outcome.ts';
import { withDictionaries } from './values/current-values.ts';
import { type ProbeLimits, readColumn, viewKey } from './values/probe-values.ts';

const MAX_PROBED_FIELDS = 12;
const MAX_VALUE_LENGTH = 200; // characters

const vocabularyCache = new LRUCache<string, Promise<Lens | null>>({ max: 200, ttl: 30_000 });

/** The lens with its missing dictionaries filled in for this caller, or null if no dictionary is missing. */
export function lensForCaller(grantedLens: GrantedLens, limits: ProbeLimits): Promise<Lens | null> {
  const unlistedFields = grantedLens.lens.datasets
    .flatMap((dataset) => dataset.fields.filter(isProbedField).map((field) => ({ dataset, field })))
    .sort((a, b) => Number(b.field.dictionaryFromWarehouse) - Number(a.field.dictionaryFromWarehouse))
    .slice(0, MAX_PROBED_FIELDS);
  if (unlistedFields.length === 0) return Promise.resolve(null);
  const key = viewKey(grantedLens);
  const cachedLens = vocabularyCache.get(key);
  if (cachedLens) return cachedLens;
  const filledLens = fillDictionaries(grantedLens, unlistedFields, limits);
  vocabularyCache.set(key, filledLens);
  filledLens.catch(() => vocabularyCache.delete(key));
  return filledLens;
}

const isProbedField = (field: LensField): boolean =>
  field.datatype === 'string' && !field.masked && field.dictionary === null;

async function fillDictionaries(
  grantedLens: GrantedLens,
  unlistedFields: { dataset: LensDataset; field: LensField }[],
  limits: ProbeLimits,
): Promise<Lens> {
  const dictionaries = new Map<LensField, Dictionary>();
  for (const { dataset, field } of unlistedFields) {
    const { values, more } = await readColumn(grantedLens, { path: dataset.name, field: field.name }, [], limits);
    const shortValues = values.filter((value) => value.length <= MAX_VALUE_LENGTH);
    // svc neither confirms nor denies a value that a policy hides, so it can't prove that a value is absent.
    const hasHiddenRows = policiesFor(grantedLens.lens, dataset.name, grantedLens.caller).length > 0;
    dictionaries.set(field, {
      values: shortValues.map((value) => ({ value, synonyms: [] })),
      complete: !more && !hasHiddenRows && shortValues.length === values.length,
    });
  }
  return withDictionaries(grantedLens.lens, dictionaries);
}
