// The lens as one caller may know it: values read from a dataset whose rows a policy hides from them are left out, since a
// dictionary knows no caller. Probes that read as the caller then decide. Values that a file lists are the file's to tell.
import type { Asker, Lens, LensDataset, LensField } from '../model/lens.ts';
import { policiesFor } from './row-policies.ts';

const seen = new WeakMap<Lens, Map<string, Lens>>();

/** The same object for the same hidden datasets, so that what is remembered for a lens stays remembered. */
export const lensSeenBy = (lens: Lens, asker: Asker): Lens =>
  without(
    lens,
    hiddenDatasets(lens, asker)
      .filter(({ fields }) => fields.some((field) => field.dictionaryFromWarehouse && field.dictionary !== null))
      .map(({ name }) => name),
    'lists read',
  );

/** For lists that nothing was asked for: a list of a file names values of hidden rows too, so it is left out as well. */
export const lensOfferedTo = (lens: Lens, asker: Asker): Lens =>
  without(
    lens,
    lens.datasets.filter(({ name }) => policiesFor(lens, name, asker).length > 0).map(({ name }) => name),
    'every list',
  );

function without(lens: Lens, hidden: readonly string[], which: 'lists read' | 'every list'): Lens {
  if (hidden.length === 0) return lens;
  let known = seen.get(lens);
  if (!known) {
    known = new Map();
    seen.set(lens, known);
  }
  const key = JSON.stringify([which, ...hidden]);
  let made = known.get(key);
  if (!made) {
    const whose = (field: LensField): boolean => which === 'every list' || field.dictionaryFromWarehouse;
    made = Object.freeze({
      ...lens,
      datasets: lens.datasets.map((dataset) =>
        hidden.includes(dataset.name) ? withoutValues(dataset, whose) : dataset,
      ),
    });
    known.set(key, made);
  }
  return made;
}

/** Those with values from the warehouse that this caller may see in part only. */
export const hiddenDatasets = (lens: Lens, asker: Asker): LensDataset[] =>
  lens.rowPolicies.length === 0
    ? []
    : lens.datasets.filter(
        (dataset) =>
          policiesFor(lens, dataset.name, asker).length > 0 &&
          dataset.fields.some((field) => field.dictionaryFromWarehouse),
      );

const withoutValues = (dataset: LensDataset, whose: (field: LensField) => boolean): LensDataset => ({
  ...dataset,
  fields: dataset.fields.map((field) => (whose(field) ? { ...field, dictionary: null } : field)),
});
