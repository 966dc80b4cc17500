// Columns that store yes or no as strings. For example, "abandoned" in a question refers to a column `abandoned_yn`
// with the values '1' and '0'.

import { spacedWords, toSnakeCase } from '../../../lens/model/name-words.ts';
import type { ColumnProfile } from '../../ports.ts';

const FLAG_NAME = /^(?:is|has|was)_(.+)$|^(.+)_(?:yn|y_n|yes_no|flag|indicator)$/;
const FLAG_VALUES = [
  ['1', '0'],
  ['y', 'n'],
  ['yes', 'no'],
  ['t', 'f'],
  ['true', 'false'],
];

/**
 * Returns the string that means yes, and the condition that yes confirms, such as "abandoned". Null if the column has
 * other values.
 */
export function flagOf(
  column: string,
  profile: ColumnProfile | undefined,
): { trueValue: string; condition: string } | null {
  const [, suffix, prefix] = FLAG_NAME.exec(toSnakeCase(column)) ?? [];
  const conditionWord = suffix ?? prefix;
  const storedValues = profile?.sampled === false ? profile.values : null;
  if (!conditionWord || !storedValues || storedValues.length === 0) return null;
  const pair = FLAG_VALUES.find((item) => storedValues.every((value) => item.includes(value.toLowerCase())));
  const positives = pair && storedValues.filter((value) => value.toLowerCase() === pair[0]);
  if (!pair || positives!.length > 1 || storedValues.length > 2) return null;
  const isUpperCase = storedValues.every((value) => value === value.toUpperCase());
  return {
    trueValue: positives![0] ?? (isUpperCase ? pair[0]!.toUpperCase() : pair[0]!),
    condition: spacedWords(conditionWord),
  };
}
