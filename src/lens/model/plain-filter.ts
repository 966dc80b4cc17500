// Parses filters of definitions that svc can apply in plans. Such filters consist of comparisons of a field with
// values, and null tests, joined by "and". Other expressions work only in metrics.
import { DateTime } from 'luxon';

export interface PlainCondition {
  /** A dataset, or the role of a relationship. */
  path: string;
  field: string;
  op: '=' | '!=' | '>' | '>=' | '<' | '<=' | 'in' | 'is_null' | 'is_not_null';
  /** The values as SQL constants. */
  values: string[];
}

const VALUE_PATTERN_TEXT = String.raw`'(?:[^']|'')*'|-?\d+(?:\.\d+)?|true|false|current_date(?:\s*[+-]\s*(?:\d+|interval\s+'?\d+'?\s*'?(?:day|week|month|year)s?'?))?`;
const CONDITION_PATTERN = new RegExp(
  String.raw`\s*(?<path>[a-z_]\w*)\.(?<field>[a-z_]\w*)\s*(?:(?<op>=|<>|!=|>=|<=|>|<)\s*(?<value>${VALUE_PATTERN_TEXT})|in\s*\(\s*(?<list>(?:${VALUE_PATTERN_TEXT})(?:\s*,\s*(?:${VALUE_PATTERN_TEXT}))*)\s*\)|is\s+(?<not>not\s+)?null)\s*(?:\band\b|$)`,
  'iy',
);
/** Matches a day: today, or a number of days, weeks, months or years before or after today. */
const DAY_PATTERN = /^current_date(?:\s*([+-])\s*(?:interval\s+)?'?(\d+)'?\s*'?(day|week|month|year)?s?'?)?$/i;

/** Returns null if the filter isn't a list of simple conditions joined by "and". */
export function parsePlainFilter(filter: string): PlainCondition[] | null {
  const conditions: PlainCondition[] = [];
  for (let from = 0; from < filter.length; from = CONDITION_PATTERN.lastIndex) {
    CONDITION_PATTERN.lastIndex = from;
    const { path, field, op, value, list, not } = CONDITION_PATTERN.exec(filter)?.groups ?? {};
    if (path === undefined || field === undefined) return null;
    if (list !== undefined)
      conditions.push({ path, field, op: 'in', values: list.match(new RegExp(VALUE_PATTERN_TEXT, 'gi')) ?? [] });
    else if (value === undefined) conditions.push({ path, field, op: not ? 'is_not_null' : 'is_null', values: [] });
    else conditions.push({ path, field, op: op === '<>' ? '!=' : (op as PlainCondition['op']), values: [value] });
  }
  return /\band\s*$/i.test(filter) ? null : conditions;
}

/** Converts a constant of a condition to the stored value. Expressions for days aren't constants. */
export const readStoredValue = (text: string): string | number | boolean =>
  text.startsWith("'")
    ? text.slice(1, -1).replaceAll("''", "'")
    : /^(?:true|false)$/i.test(text)
      ? text.toLowerCase() === 'true'
      : Number(text);

/** Converts `dayText`, such as "current_date - 1", to a date. Returns null if `dayText` isn't a day. */
export const resolveDay = (dayText: string, today: string): string | null => {
  const [matchedText, sign, count, unit = 'day'] = DAY_PATTERN.exec(dayText.trim()) ?? [];
  if (matchedText === undefined) return null;
  const span = { [unit.toLowerCase()]: Number(count ?? 0) * (sign === '-' ? -1 : 1) };
  return DateTime.fromISO(today, { zone: 'utc' }).plus(span).toISODate();
};
