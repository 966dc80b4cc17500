// What sentences about plans call the parts of a lens.

import { datasetOfPath } from '../../lens/model/join-paths.ts';
import type { Lens, LensDataset } from '../../lens/model/lens.ts';
import { plural, singular } from '../../lens/model/singular.ts';
import type { FieldRef } from '../lens-plan.ts';

/** No sentence that reads back expresses this part of a plan. */
export class NoSentence extends Error {}
export const noSentence = (): never => {
  throw new NoSentence();
};

export interface Names {
  lens: Lens;
  field(ref: FieldRef): string;
  /** A dataset or role: one row of it, or several. */
  one(path: string): string;
  many(path: string): string;
  metric(name: string): string;
  value(value: string): string;
  /** A phrase that names something. */
  isName(said: string): boolean;
  /** The fields that show a row of a dataset. */
  shown(dataset: LensDataset): string[];
  /** For what no question expresses: these words, or no sentence. */
  otherwise(said: () => string): string;
}

export const datasetAt = ({ lens }: Names, path: string): LensDataset => datasetOfPath(lens, path) ?? noSentence();

const withSpaces = (name: string): string => name.replaceAll('_', ' ');
/** The names as declared, for sentences that need not be questions. */
export const plainNames = (lens: Lens): Names => ({
  lens,
  // The field alone, if no other dataset or role can be meant.
  field: ({ path, field, grain }) => {
    const owners = lens.datasets.filter((dataset) => dataset.fields.some(({ name }) => name === field)).length;
    const role = lens.relationships.some((relationship) => relationship.role === path && relationship.named);
    const words = owners > 1 || role ? `${withSpaces(singular(path))} ${withSpaces(field)}` : withSpaces(field);
    return grain ? `${words} (${withSpaces(grain)})` : words;
  },
  one: (path) => withSpaces(singular(path)),
  many: (path) => withSpaces(plural(path)),
  metric: withSpaces,
  value: (value) => (value === '' ? '""' : value),
  isName: () => true,
  shown: () => [],
  otherwise: (render) => render(),
});
