// Writes groups in words: "customer and order date month".
import type { Grouping, LensPlan } from '../lens-plan.ts';
import { valueWords } from '../sql/row-value.ts';
import { filterWords } from './filter-words.ts';
import { datasetAt, type Names, noSentence } from './names.ts';

export const groupingWords = (names: Names, one: Grouping): string => {
  if (one.when || one.through || one.bin !== undefined || one.as || one.value)
    return names.otherwise(() => generalWords(names, one));
  const { grain: period, ...ref } = one;
  if (!period) return names.field(one);
  const grain = period.replaceAll('_', ' ');
  const isUsual = datasetAt(names, one.path).timeField === one.field && !names.isName(grain);
  return isUsual ? grain : `${names.field(ref)} ${grain}`;
};
const generalWords = (names: Names, one: Grouping): string => {
  const conditions = (one.when ?? one.where ?? []).map((filter) => filterWords(names, filter)).join(' and ');
  const called = (one.as ?? (one.when ? one.field : '')).replaceAll('_', ' ');
  if (one.when) return `${called} (${conditions}: yes or no)`;
  const field = one.value
    ? `${called} (${valueWords(one.value, names.field)})`
    : `${names.field(one)}${one.bin === undefined ? '' : ` in steps of ${one.bin}`}`;
  return one.through
    ? `each ${field} (through ${names.many(one.through)}${conditions && ` where ${conditions}`})`
    : field;
};

/** A row is shown by its name and identified by its key. */
export const groupTexts = (names: Names, { dimensions, per = [] }: Pick<LensPlan, 'dimensions' | 'per'>): string[] => {
  const left = [...per];
  const texts: string[] = [];
  const rest = [...dimensions];
  for (let one = rest.shift(); one; one = rest.shift()) {
    const { path } = one;
    const pathIndex = left.indexOf(path);
    if (pathIndex < 0) {
      texts.push(groupingWords(names, one));
      continue;
    }
    left.splice(pathIndex, 1);
    const shownFieldNames = shownFields(names, path);
    const whole = [one, ...rest.slice(0, shownFieldNames.length - 1)];
    if (
      whole.some(
        (grouping, index) => grouping.path !== path || grouping.field !== shownFieldNames[index] || grouping.grain,
      )
    )
      noSentence();
    rest.splice(0, shownFieldNames.length - 1);
    texts.push(names.one(path));
  }
  return left.length > 0 ? noSentence() : texts;
};

/** The columns for a row without a name: all its fields. */
export const rowOf = (names: Names, homeDataset: string): string[] => {
  const dataset = datasetAt(names, homeDataset);
  const shownFieldNames = names.shown(dataset);
  return shownFieldNames.length > 0
    ? shownFieldNames
    : dataset.fields.filter(({ masked }) => !masked).map(({ name }) => name);
};
export const shownFields = (names: Names, path: string): string[] => {
  const dataset = datasetAt(names, path);
  const shownFieldNames = names.shown(dataset);
  return shownFieldNames.length > 0 ? shownFieldNames : dataset.primaryKey.slice();
};
