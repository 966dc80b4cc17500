// The lens as one caller may know it. Values from a dataset with hidden rows are left out, because
// dictionaries don't distinguish callers; queries as the caller decide instead. Values listed in a file stay.
import type { Caller, Lens, LensDataset, LensField } from '../model/lens.ts';
import { policiesFor } from './row-policies.ts';

const visibleLenses = new WeakMap<Lens, Map<string, Lens>>();

/** Returns the same object for the same hidden datasets, so that memoized results stay valid. */
export const lensForViewer = (lens: Lens, caller: Caller): Lens =>
  without(
    lens,
    hiddenDatasets(lens, caller)
      .filter(({ fields }) => fields.some((field) => field.dictionaryFromWarehouse && field.dictionary !== null))
      .map(({ name }) => name),
    'lists read',
  );

/** For unprompted lists. Listed values of a file can belong to hidden rows too, so they are left out as well. */
export const lensForLists = (lens: Lens, caller: Caller): Lens =>
  without(
    lens,
    lens.datasets.filter(({ name }) => policiesFor(lens, name, caller).length > 0).map(({ name }) => name),
    'every list',
  );

function without(lens: Lens, hidden: readonly string[], which: 'lists read' | 'every list'): Lens {
  if (hidden.length === 0) return lens;
  let cachedLenses = visibleLenses.get(lens);
  if (!cachedLenses) {
    cachedLenses = new Map();
    visibleLenses.set(lens, cachedLenses);
  }
  const key = JSON.stringify([which, ...hidden]);
  let filtered = cachedLenses.get(key);
  if (!filtered) {
    const whose = (field: LensField): boolean => which === 'every list' || field.dictionaryFromWarehouse;
    filtered = Object.freeze({
      ...lens,
      datasets: lens.datasets.map((dataset) =>
        hidden.includes(dataset.name) ? withoutValues(dataset, whose) : dataset,
      ),
    });
    cachedLenses.set(key, filtered);
  }
  return filtered;
}

/** Datasets with values from the warehouse that this caller may see only in part. */
export const hiddenDatasets = (lens: Lens, caller: Caller): LensDataset[] =>
  lens.rowPolicies.length === 0
    ? []
    : lens.datasets.filter(
        (dataset) =>
          policiesFor(lens, dataset.name, caller).length > 0 &&
          dataset.fields.some((field) => field.dictionaryFromWarehouse),
      );

const withoutValues = (dataset: LensDataset, whose: (field: LensField) => boolean): LensDataset => ({
  ...dataset,
  fields: dataset.fields.map((field) => (whose(field) ? { ...field, dictionary: null } : field)),
});
