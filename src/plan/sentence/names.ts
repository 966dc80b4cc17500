// The names of a lens's parts in sentences about plans.

import { datasetOfPath } from '../../lens/model/join-paths.ts';
import type { Lens, LensDataset } from '../../lens/model/lens.ts';
import { plural, singular } from '../../lens/model/singular.ts';
import type { FieldRef } from '../lens-plan.ts';

/** No sentence can express this part of a plan without ambiguity. */
export class NoSentence extends Error {}
export const noSentence = (): never => {
  throw new NoSentence();
};

export interface Names {
  lens: Lens;
  field(ref: FieldRef): string;
  /** A dataset or role in the singular. `many`: in the plural. */
  one(path: string): string;
  many(path: string): string;
  metric(name: string): string;
  value(value: string): string;
  isName(said: string): boolean;
  /** The fields that show a row of a dataset. */
  shown(dataset: LensDataset): string[];
  /** Words for a part that no question can express. Throws NoSentence instead if the sentence must be a question. */
  otherwise(said: () => string): string;
}

export const datasetAt = ({ lens }: Names, path: string): LensDataset => datasetOfPath(lens, path) ?? noSentence();

const withSpaces = (name: string): string => name.replaceAll('_', ' ');
/** The names as declared, for sentences that needn't be questions. */
export const plainNames = (lens: Lens): Names => ({
  lens,
  // The field alone, if it can't mean that of another dataset or role.
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
