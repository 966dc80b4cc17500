// The lens as one asker may know it: values read from a dataset whose rows a policy hides from them are left out, since a
// dictionary knows no asker. Probes that read as the asker then decide. Values that a file lists are the file's to tell.
import type { Asker, Lens, LensDataset } from './lens.ts';
import { policiesFor } from './row-policies.ts';

const seen = new WeakMap<Lens, Map<string, Lens>>();

/** The same object for the same hidden datasets, so that what is remembered for a lens stays remembered. */
export function lensSeenBy(lens: Lens, asker: Asker): Lens {
  const hidden = hiddenDatasets(lens, asker)
    .filter(({ fields }) => fields.some((field) => field.dictionaryFromWarehouse && field.dictionary !== null))
    .map(({ name }) => name);
  if (hidden.length === 0) return lens;
  let known = seen.get(lens);
  if (!known) {
    known = new Map();
    seen.set(lens, known);
  }
  const key = JSON.stringify(hidden);
  let without = known.get(key);
  if (!without) {
    without = Object.freeze({
      ...lens,
      datasets: lens.datasets.map((dataset) => (hidden.includes(dataset.name) ? withoutValues(dataset) : dataset)),
    });
    known.set(key, without);
  }
  return without;
}

/** Those with values from the warehouse that this asker may see in part only. */
export const hiddenDatasets = (lens: Lens, asker: Asker): LensDataset[] =>
  lens.rowPolicies.length === 0
    ? []
    : lens.datasets.filter(
        (dataset) =>
          policiesFor(lens, dataset.name, asker).length > 0 &&
          dataset.fields.some((field) => field.dictionaryFromWarehouse),
      );

const withoutValues = (dataset: LensDataset): LensDataset => ({
  ...dataset,
  fields: dataset.fields.map((field) => (field.dictionaryFromWarehouse ? { ...field, dictionary: null } : field)),
});
