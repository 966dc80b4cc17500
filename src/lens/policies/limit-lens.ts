// Limits a lens to the content that one caller can see. Omits stored values of datasets with hidden rows, because
// dictionaries are the same for all callers. svc queries such values with the caller's permissions instead. Values that
// a lens file lists remain.
import { memoize } from '../../platform/memoize.ts';
import type { Caller, Lens, LensDataset, LensField } from '../model/lens.ts';
import { findPolicies } from './row-policies.ts';

type FieldPredicate = (field: LensField) => boolean;
const isFromWarehouse: FieldPredicate = (field) => field.dictionaryFromWarehouse;
const acceptAnyField: FieldPredicate = () => true;

export const limitLensToCaller = (lens: Lens, caller: Caller): Lens =>
  removeHiddenValues(lens, caller, isFromWarehouse);

/**
 * Returns the lens for suggested words and questions. Also omits values from the lens file, which can belong to hidden
 * rows.
 */
export const createSuggestionLens = (lens: Lens, caller: Caller): Lens =>
  removeHiddenValues(lens, caller, acceptAnyField);

const cacheVisibleLens = memoize<Lens, Lens>(100);

/** Returns the same object for the same hidden datasets, so that caches keyed by lens work. */
function removeHiddenValues(lens: Lens, caller: Caller, selectsField: FieldPredicate): Lens {
  const omitsValues: FieldPredicate = (field) => selectsField(field) && field.dictionary !== null;
  const datasets = findRestrictedDatasets(lens, caller).filter(({ fields }) => fields.some(omitsValues));
  if (datasets.length === 0) return lens;
  const key = `${selectsField === acceptAnyField} ${datasets.map((dataset) => lens.datasets.indexOf(dataset)).join()}`;
  return cacheVisibleLens(lens, key, () => {
    const withoutDictionaries = (dataset: LensDataset): LensDataset => ({
      ...dataset,
      fields: dataset.fields.map((field) => (selectsField(field) ? { ...field, dictionary: null } : field)),
    });
    return Object.freeze({
      ...lens,
      datasets: lens.datasets.map((dataset) => (datasets.includes(dataset) ? withoutDictionaries(dataset) : dataset)),
    });
  });
}

const findRestrictedDatasets = (lens: Lens, caller: Caller): LensDataset[] =>
  lens.rowPolicies.length === 0 ? [] : lens.datasets.filter(({ name }) => findPolicies(lens, name, caller).length > 0);

/** Returns the datasets with values from the warehouse that this caller can see only in part. */
export const findPartlyVisibleDatasets = (lens: Lens, caller: Caller): LensDataset[] =>
  findRestrictedDatasets(lens, caller).filter(({ fields }) => fields.some(isFromWarehouse));
