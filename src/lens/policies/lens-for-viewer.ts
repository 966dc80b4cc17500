// The lens as one caller can see it. Omits stored values of datasets with hidden rows, because dictionaries are the
// same for all callers. Instead, svc queries such values with the caller's permissions. Values that a lens file lists
// remain.
import { memoize } from '../../platform/memoize.ts';
import type { Caller, Lens, LensDataset, LensField } from '../model/lens.ts';
import { policiesFor } from './row-policies.ts';

type SelectsField = (field: LensField) => boolean;
const isFromWarehouse: SelectsField = (field) => field.dictionaryFromWarehouse;
const isAnyField: SelectsField = () => true;

export const lensForCaller = (lens: Lens, caller: Caller): Lens => withoutValues(lens, caller, isFromWarehouse);

/** The lens for suggested words and questions. Also omits values in a file, which can belong to hidden rows. */
export const lensForSuggestions = (lens: Lens, caller: Caller): Lens => withoutValues(lens, caller, isAnyField);

const visibleLenses = memoize<Lens, Lens>(100);

/** Returns the same object for the same hidden datasets, so that caches by lens work. */
function withoutValues(lens: Lens, caller: Caller, selectsField: SelectsField): Lens {
  const omitsValues: SelectsField = (field) => selectsField(field) && field.dictionary !== null;
  const datasets = restrictedDatasets(lens, caller).filter(({ fields }) => fields.some(omitsValues));
  if (datasets.length === 0) return lens;
  const key = `${selectsField === isAnyField} ${datasets.map((dataset) => lens.datasets.indexOf(dataset)).join()}`;
  return visibleLenses(lens, key, () => {
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

const restrictedDatasets = (lens: Lens, caller: Caller): LensDataset[] =>
  lens.rowPolicies.length === 0 ? [] : lens.datasets.filter(({ name }) => policiesFor(lens, name, caller).length > 0);

/** Datasets with warehouse values that this caller can see only in part. */
export const partlyVisibleDatasets = (lens: Lens, caller: Caller): LensDataset[] =>
  restrictedDatasets(lens, caller).filter(({ fields }) => fields.some(isFromWarehouse));
