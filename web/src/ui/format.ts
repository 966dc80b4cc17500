// Formats the values of answers. If the server sends a number as text, the full form shows every digit.
import { showHiddenCharacters } from './hidden-characters.ts';

export interface CellColumn {
  datatype: string;
  unit: string | null;
  name: string;
  /** True if the value is a fraction of a whole, from 0 to 1. */
  share?: boolean;
}

const NUMERIC_TYPES = new Set(['integer', 'number', 'decimal', 'float']);
const PLAIN_NUMBER_PATTERN = /^-?\d+(\.\d+)?$/;
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

export const isNumeric = ({ datatype }: Pick<CellColumn, 'datatype'>): boolean => NUMERIC_TYPES.has(datatype);
export const isPercent = (unit: string | null): boolean => unit === 'percent' || unit === '%';

export const isCurrency = (unit: string | null): boolean => CURRENCIES.has(unit ?? '');

/** Formats all amounts of a column with the same number of decimal places. */
function formatMoney(amount: string, currency: string, datatype: string): string {
  const digits = datatype === 'integer' ? { maximumFractionDigits: 0 } : {};
  return new Intl.NumberFormat('en', { style: 'currency', currency, ...digits }).format(
    amount as Intl.StringNumericLiteral,
  );
}

export function formatCell(value: unknown, column: CellColumn): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = String(value);
  if (column.datatype.startsWith('date') || column.datatype.startsWith('timestamp'))
    return formatDateCell(text, column.name);
  if (!isNumeric(column) || /(^|_)(year|id)$/.test(column.name) || !PLAIN_NUMBER_PATTERN.test(text))
    return showHiddenCharacters(text);
  if (column.share) return `${roundDecimal(Number(text) * 100, 2)}%`;
  if (isPercent(column.unit)) return `${roundDecimal(text, 2)}%`;
  if (isCurrency(column.unit)) return formatMoney(text, column.unit!, column.datatype);
  return Math.abs(Number(text)) >= 100 || !text.includes('.')
    ? roundDecimal(text, 2)
    : new Intl.NumberFormat('en', { maximumSignificantDigits: 4 }).format(Number(text));
}

/** Returns null if the short form already has every digit. */
export function formatExactNumber(value: unknown, column: CellColumn): string | null {
  const text = String(value ?? '');
  if (!isNumeric(column) || !PLAIN_NUMBER_PATTERN.test(text) || /(^|_)(year|id)$/.test(column.name)) return null;
  const [integerDigits = '', fraction] = text.split('.');
  const exactNumber = integerDigits.replace(/\B(?=(\d{3})+(?!\d))/g, ',') + (fraction ? `.${fraction}` : '');
  const shownNumber = formatCell(value, column).replace(/[^\d.,-]/g, '');
  return trimTrailingZeros(shownNumber) === trimTrailingZeros(exactNumber) ? null : exactNumber;
}

const trimTrailingZeros = (decimal: string): string =>
  decimal.includes('.') ? decimal.replace(/0+$/, '').replace(/\.$/, '') : decimal;

/** Intl.NumberFormat rounds a string without losing digits, however long it is. */
const roundDecimal = (value: number | string, maxDigits: number): string =>
  new Intl.NumberFormat('en', { maximumFractionDigits: maxDigits }).format(value as Intl.StringNumericLiteral);

const MONTH_FORMAT = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Formats the first day of a period as the period, such as "Q1 2016" in a column whose name ends in `_quarter`. */
function formatDateCell(text: string, name: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)(?:$|[T ]00:00(?::00)?(?:\.0+)?Z?$)/.exec(text) ?? [];
  if (!year) return showHiddenCharacters(text);
  if (day === '01' && name.endsWith('_month')) return MONTH_FORMAT.format(new Date(`${year}-${month}-01T00:00:00Z`));
  if (day === '01' && name.endsWith('_quarter')) return `Q${Math.ceil(Number(month) / 3)} ${year}`;
  return day === '01' && month === '01' && name.endsWith('_year') ? year : formatDay(text);
}

export const formatCount = (value: number): string => new Intl.NumberFormat('en').format(value);
export const formatCountWithNoun = (number: number, noun: string): string =>
  `${formatCount(number)} ${noun}${number === 1 ? '' : 's'}`;
export const formatPercent = (share: number | null): string =>
  share === null ? '–' : new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 }).format(share);
export const formatMilliseconds = (ms: number | null): string =>
  ms === null ? '–' : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
export const formatDollars = (usd: number): string =>
  usd === 0 ? '$0.00' : usd < 0.01 ? '< $0.01' : `$${usd.toFixed(2)}`;

const DAY_AND_TIME_OPTIONS = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
const DATE_TIME_FORMAT = new Intl.DateTimeFormat('en-GB', { ...DAY_AND_TIME_OPTIONS, year: 'numeric' });
const CURRENT_YEAR_DATE_TIME_FORMAT = new Intl.DateTimeFormat('en-GB', DAY_AND_TIME_OPTIONS);
/**
 * Formats a date and time, with the year if it isn't the current year. A line break is possible only before the time.
 */
export function formatDateTime(iso: string | null | undefined): string {
  if (!iso) return '–';
  const date = new Date(iso);
  const format = date.getFullYear() === new Date().getFullYear() ? CURRENT_YEAR_DATE_TIME_FORMAT : DATE_TIME_FORMAT;
  return format.format(date).replaceAll(/ (?!\d\d:)/g, '\u00a0');
}
const DAY_FORMAT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
export function formatDay(iso: string): string {
  const date = new Date(`${iso.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? showHiddenCharacters(iso) : DAY_FORMAT.format(date).replaceAll(' ', '\u00a0');
}

/** Returns the last day of a period whose exclusive end is `end`. */
export const findLastDayBefore = (end: string): string =>
  new Date(Date.parse(`${end.slice(0, 10)}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);

/** A period in a plan excludes its end, so the text names the last day. */
export function formatPeriod({ from, to }: { from: string; to: string }): string {
  const [first, end] = [from.slice(0, 10), to.slice(0, 10)];
  if (to.length > 10 && !/T00:00/.test(to)) return `${formatDateTime(from)} up to ${formatDateTime(to)}`;
  const last = findLastDayBefore(end);
  if (/-01-01$/.test(first) && /-12-31$/.test(last) && first.slice(0, 4) === last.slice(0, 4)) return first.slice(0, 4);
  return first === last ? formatDay(first) : `${formatDay(first)} to ${formatDay(last)}`;
}
