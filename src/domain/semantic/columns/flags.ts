// Columns that store yes or no as strings. For example, questions use `abandoned_yn` with '1' and '0' as "abandoned".

import { spacedWords, toSnakeCase } from '../../../lens/model/name-words.ts';
import type { ColumnProfile } from '../../ports.ts';

const FLAG = /^(?:is|has|was)_(.+)$|^(.+)_(?:yn|y_n|yes_no|flag|indicator)$/;
const FLAG_VALUES = [
  ['1', '0'],
  ['y', 'n'],
  ['yes', 'no'],
  ['t', 'f'],
  ['true', 'false'],
];

/** The string for yes, and the condition that it means. Null if the column has other values. */
export function flagOf(
  column: string,
  profile: ColumnProfile | undefined,
): { trueValue: string; condition: string } | null {
  const [, suffix, prefix] = FLAG.exec(toSnakeCase(column)) ?? [];
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
