// Writes a cell for people: amounts with grouped thousands and a unit, years and identifiers unchanged, and times
// without zero seconds and fractions.

import type { Column, JsonScalar } from '../../../contract/ask.ts';
import { isNumeric } from '../../../contract/warehouse.ts';
import { formatWithUnit, roundQuotient } from '../../present/number-format.ts';
import { sanitizeText } from '../../present/sanitize-text.ts';

const TIMESTAMP_PATTERN = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:\.(\d+))?(Z)?$/;
const IDENTIFIER_NAME_WORDS = new Set('id code key no nr number zip postcode plz phone'.split(' '));

export function formatCell(value: JsonScalar, column: Pick<Column, 'name' | 'datatype' | 'unit'>): string {
  if (value === null) return 'no value';
  if (typeof value === 'boolean' || !isNumeric(column.datatype))
    return sanitizeText(formatMoment(String(value), column));
  return isLabelValue(value, column) ? String(value) : formatWithUnit(roundQuotient(value), column.unit);
}

/** Whether the column identifies rows instead of measuring them. */
export const isLabelColumn = (column: Pick<Column, 'name' | 'datatype' | 'unit'>): boolean =>
  !isNumeric(column.datatype) ||
  column.unit === 'year' ||
  (column.datatype === 'integer' && column.unit === null && mentionsIdentifier(column.name));

function isLabelValue(
  value: string | number,
  { name, datatype, unit }: Pick<Column, 'name' | 'datatype' | 'unit'>,
): boolean {
  if (unit !== null || !mentionsIdentifier(name)) return false;
  // PostgreSQL returns the year of a date as a decimal.
  if (datatype !== 'integer' && !(mentionsYear(name) && Number.isInteger(Number(value)))) return false;
  return !mentionsYear(name) || (Number(value) >= 1000 && Number(value) < 3000);
}

const splitWords = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/);
/** `fiscal_year` names a year, but `sales_per_year` and `count_of_years` measure something. */
const mentionsYear = (name: string): boolean => {
  const words = splitWords(name);
  return ['year', 'yr'].some((word) => words.includes(word)) && !words.includes('per');
};
const mentionsIdentifier = (name: string): boolean =>
  mentionsYear(name) || IDENTIFIER_NAME_WORDS.has(splitWords(name).at(-1)!);

function formatMoment(text: string, { name, datatype }: Pick<Column, 'name' | 'datatype'>): string {
  if (datatype === 'string') return text;
  const year = /_year$/.test(name) && /^(\d{4})-01-01(?:[T ]00:00:00(?:\.0+)?Z?)?$/.exec(text)?.[1];
  if (year) return year;
  const [, day, minutes, seconds = '', fraction = '', zone] = TIMESTAMP_PATTERN.exec(text) ?? [];
  if (!day) return text;
  if (datatype === 'date') return day;
  const isWholeSecond = /^0*$/.test(fraction);
  if (/_(?:day|week|month|quarter)$/.test(name) && minutes === '00:00' && /^(?::00)?$/.test(seconds) && isWholeSecond)
    return day;
  const secondsText = isWholeSecond ? seconds.replace(/^:00$/, '') : `${seconds}.${fraction}`;
  return `${day} ${minutes}${secondsText}${zone ? ' UTC' : ''}`;
}
