// Parses filters of definitions that svc can apply as plan filters: comparisons of a field with a value, joined by
// "and". Other expressions work only in metrics.
import { DateTime } from 'luxon';

export const COMPARISON_PATTERN =
  /^\s*([a-z_]\w*)\.([a-z_]\w*)\s*(=|<>|!=|>=|<=|>|<)\s*('(?:[^']|'')*'|-?\d+(?:\.\d+)?|true|false|current_date(?:\s*[+-]\s*(?:\d+|interval\s+'?\d+'?\s*'?(?:day|week|month|year)s?'?))?)\s*$/i;
/** A value that is a day: today, or a number of days, weeks, months or years before or after today. */
const DAY_PATTERN = /^current_date(?:\s*([+-])\s*(?:interval\s+)?'?(\d+)'?\s*'?(day|week|month|year)?s?'?)?$/i;

/** Resolves `dayText`, such as "yesterday", from the day of the question. Null if `dayText` isn't a day. */
export const resolveDay = (dayText: string, today: string): string | null => {
  const [matchedText, sign, count, unit = 'day'] = DAY_PATTERN.exec(dayText.trim()) ?? [];
  if (matchedText === undefined) return null;
  const span = { [unit.toLowerCase()]: Number(count ?? 0) * (sign === '-' ? -1 : 1) };
  return DateTime.fromISO(today, { zone: 'utc' }).plus(span).toISODate();
};
export const NULL_TEST_PATTERN = /^\s*([a-z_]\w*)\.([a-z_]\w*)\s+is\s+(not\s+)?null\s*$/i;

export const splitFilter = (filter: string): string[] => filter.split(/\s+and\s+/i);
export const isPlainFilter = (filter: string): boolean =>
  splitFilter(filter).every((part) => COMPARISON_PATTERN.test(part) || NULL_TEST_PATTERN.test(part));
