// Writes groups in words: "customer and order date month".
import type { Grouping, LensPlan } from '../lens-plan.ts';
import { describeValue } from '../sql/row-value.ts';
import { writeAll } from './filter-words.ts';
import { requireDataset, type SentenceNames, throwNoSentence } from './names.ts';

export const describeGrouping = (names: SentenceNames, grouping: Grouping): string => {
  if (grouping.when || grouping.through || grouping.bin !== undefined || grouping.as || grouping.value)
    return names.describeIfAllowed(() => describeComputedGrouping(names, grouping));
  const { grain: period, ...ref } = grouping;
  if (!period) return names.field(grouping);
  const grain = period.replaceAll('_', ' ');
  const isUsual = names.usualDate(grouping.path) === grouping.field && !names.isName(grain);
  return isUsual ? grain : `${names.field(ref)} ${grain}`;
};
const describeComputedGrouping = (names: SentenceNames, grouping: Grouping): string => {
  const filters = grouping.when ?? grouping.where ?? [];
  const conditions = filters.length > 0 ? writeAll(names, filters) : '';
  const columnName = (grouping.as ?? (grouping.when ? grouping.field : '')).replaceAll('_', ' ');
  if (grouping.when) return `${columnName} (${conditions}: yes or no)`;
  const steps = grouping.bin === undefined ? '' : ` in steps of ${grouping.bin}`;
  const field = grouping.value
    ? `${columnName} (${describeValue(grouping.value, names.field)}${steps})`
    : `${names.field(grouping)}${steps}`;
  return grouping.through
    ? `each ${field} (through ${names.plural(grouping.through)}${conditions && ` where ${conditions}`})`
    : field;
};

/** If a dataset's key forms the groups, writes one noun instead of the fields that name the dataset's rows. */
export const describeGroups = (
  names: SentenceNames,
  { dimensions, per = [] }: Pick<LensPlan, 'dimensions' | 'per'>,
): string[] => {
  const remainingKeys = [...per];
  const texts: string[] = [];
  const rest = [...dimensions];
  for (let dimension = rest.shift(); dimension; dimension = rest.shift()) {
    const { path } = dimension;
    const pathIndex = remainingKeys.indexOf(path);
    if (pathIndex < 0) {
      texts.push(describeGrouping(names, dimension));
      continue;
    }
    remainingKeys.splice(pathIndex, 1);
    const shownFieldNames = findShownFields(names, path);
    const nameGroupings = [dimension, ...rest.slice(0, shownFieldNames.length - 1)];
    if (
      nameGroupings.some(
        (grouping, index) => grouping.path !== path || grouping.field !== shownFieldNames[index] || grouping.grain,
      )
    )
      throwNoSentence();
    rest.splice(0, shownFieldNames.length - 1);
    texts.push(names.singular(path));
  }
  return remainingKeys.length > 0 ? throwNoSentence() : texts;
};

/**
 * The fields that represent a row: the fields that name the row or, if there are no such fields, all unmasked fields.
 */
export const listRowFields = (names: SentenceNames, mainDataset: string): string[] => {
  const dataset = requireDataset(names, mainDataset);
  const shownFieldNames = names.shownFieldsOf(dataset);
  return shownFieldNames.length > 0
    ? shownFieldNames
    : dataset.fields.filter(({ masked }) => !masked).map(({ name }) => name);
};
export const findShownFields = (names: SentenceNames, path: string): string[] => {
  const dataset = requireDataset(names, path);
  const shownFieldNames = names.shownFieldsOf(dataset);
  return shownFieldNames.length > 0 ? shownFieldNames : dataset.primaryKey.slice();
};
