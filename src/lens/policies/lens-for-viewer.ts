// The lens as one caller can see it. Omits stored values of datasets with hidden rows, because dictionaries are the
// same for all callers. Instead, svc queries such values with the caller's permissions. Values that a lens file lists
// remain.
import type { Caller, Lens, LensDataset, LensField } from '../model/lens.ts';
import { policiesFor } from './row-policies.ts';

const visibleLenses = new WeakMap<Lens, Map<string, Lens>>();

/** Returns the same object for the same hidden datasets, so that caches by lens work. */
export const lensForCaller = (lens: Lens, caller: Caller): Lens =>
  withoutHiddenValues(
    lens,
    partlyVisibleDatasets(lens, caller)
      .filter(({ fields }) => fields.some((field) => field.dictionaryFromWarehouse && field.dictionary !== null))
      .map(({ name }) => name),
    'warehouse lists',
  );

/** The lens for suggested words and questions. Also omits values in a file, which can belong to hidden rows. */
export const lensForSuggestions = (lens: Lens, caller: Caller): Lens =>
  withoutHiddenValues(
    lens,
    lens.datasets.filter(({ name }) => policiesFor(lens, name, caller).length > 0).map(({ name }) => name),
    'all lists',
  );

function withoutHiddenValues(
  lens: Lens,
  hiddenNames: readonly string[],
  listScope: 'warehouse lists' | 'all lists',
): Lens {
  if (hiddenNames.length === 0) return lens;
  let cachedLenses = visibleLenses.get(lens);
  if (!cachedLenses) {
    cachedLenses = new Map();
    visibleLenses.set(lens, cachedLenses);
  }
  const key = JSON.stringify([listScope, ...hiddenNames]);
  let filteredLens = cachedLenses.get(key);
  if (!filteredLens) {
    const selectsField = (field: LensField): boolean => listScope === 'all lists' || field.dictionaryFromWarehouse;
    filteredLens = Object.freeze({
      ...lens,
      datasets: lens.datasets.map((dataset) =>
        hiddenNames.includes(dataset.name) ? withoutValues(dataset, selectsField) : dataset,
      ),
    });
    cachedLenses.set(key, filteredLens);
  }
  return filteredLens;
}

/** Datasets with warehouse values that this caller can see only in part. */
export const partlyVisibleDatasets = (lens: Lens, caller: Caller): LensDataset[] =>
  lens.rowPolicies.length === 0
    ? []
    : lens.datasets.filter(
        (dataset) =>
          policiesFor(lens, dataset.name, caller).length > 0 &&
          dataset.fields.some((field) => field.dictionaryFromWarehouse),
      );

const withoutValues = (dataset: LensDataset, selectsField: (field: LensField) => boolean): LensDataset => ({
  ...dataset,
  fields: dataset.fields.map((field) => (selectsField(field) ? { ...field, dictionary: null } : field)),
});
