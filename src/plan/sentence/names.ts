// Writes the names of a lens's objects in sentences about plans.

import { findDatasetOfPath } from '../../lens/model/join-paths.ts';
import type { Lens, LensDataset } from '../../lens/model/lens.ts';
import { toPlural, toSingular } from '../../lens/model/singular.ts';
import { type FieldRef, type LensPlan, listBaseMeasures } from '../lens-plan.ts';

/** Thrown if no unambiguous sentence can describe the plan. */
export class NoUnambiguousSentenceError extends Error {}
export const throwNoSentence = (): never => {
  throw new NoUnambiguousSentenceError();
};

export interface SentenceNames {
  lens: Lens;
  field(ref: FieldRef): string;
  /** The name of a dataset or role in the singular. */
  singular(path: string): string;
  plural(path: string): string;
  metric(name: string): string;
  value(value: string): string;
  isName(text: string): boolean;
  /** The date that needs no name, as in "in 2024" and "by month". */
  usualDate(path: string): string | null;
  /** The fields that name a row of a dataset. */
  shownFieldsOf(dataset: LensDataset): string[];
  /**
   * Returns words that aren't valid in a question. If the sentence must be a question, throws
   * NoUnambiguousSentenceError instead.
   */
  describeIfAllowed(describe: () => string): string;
}

export const requireDataset = ({ lens }: SentenceNames, path: string): LensDataset =>
  findDatasetOfPath(lens, path) ?? throwNoSentence();

export const findDefaultTimeField = (lens: Lens, path: string): string | null =>
  findDatasetOfPath(lens, path)?.timeField ?? null;

/**
 * Makes sentences name every date if "in 2024" could refer to another date, such as the date of a metric or the date
 * that the plan groups by.
 */
export function withNamedDates(
  names: SentenceNames,
  { measures, dimensions }: Pick<LensPlan, 'measures' | 'dimensions'>,
): SentenceNames {
  const { lens } = names;
  const metricDates = measures
    .flatMap(listBaseMeasures)
    .flatMap((base) =>
      base.fn === 'metric' ? (lens.metrics.find(({ name }) => name === base.metric)?.timeField ?? []) : [],
    );
  const groupDates = dimensions.filter(({ grain }) => grain).map(({ path, field }) => ({ dataset: path, field }));
  const areUsual = [...metricDates, ...groupDates].every(
    ({ dataset, field }) => findDefaultTimeField(lens, dataset) === field,
  );
  return { ...names, usualDate: (path) => (areUsual ? findDefaultTimeField(lens, path) : null) };
}

const replaceUnderscores = (name: string): string => name.replaceAll('_', ' ');
/** The names as declared, for sentences that don't need to be questions. */
export const createPlainNames = (lens: Lens): SentenceNames => ({
  lens,
  // Returns the field's name alone if the name can't mean a field of another dataset or role.
  field: ({ path, field, grain }) => {
    const owners = lens.datasets.filter((dataset) => dataset.fields.some(({ name }) => name === field)).length;
    const role = lens.relationships.some((relationship) => relationship.role === path && relationship.named);
    const words =
      owners > 1 || role
        ? `${replaceUnderscores(toSingular(path))} ${replaceUnderscores(field)}`
        : replaceUnderscores(field);
    return grain ? `${words} (${replaceUnderscores(grain)})` : words;
  },
  singular: (path) => replaceUnderscores(toSingular(path)),
  plural: (path) => replaceUnderscores(toPlural(path)),
  metric: replaceUnderscores,
  value: (value) => (value === '' ? '""' : value),
  isName: () => true,
  usualDate: (path) => findDefaultTimeField(lens, path),
  shownFieldsOf: () => [],
  describeIfAllowed: (render) => render(),
});
