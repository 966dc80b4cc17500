// Builds the expressions that several dialects need for the lens compiler.
import type { Datatype, DayPart, Duration, Grain } from '../contract/warehouse.ts';
import type { CompilerRules, Dialect } from './dialect.ts';
import {
  allOf,
  anyOf,
  callOf,
  caseOf,
  castOf,
  compare,
  compute,
  intervalOf,
  isNull,
  likeOf,
  nullLiteral,
  numberOf,
  textOf,
} from './make-nodes.ts';
import type { Arithmetic, Call, Expression, Like, SortKey } from './tree.ts';

export const createTypedNull = ({ compiling }: Dialect, datatype: Datatype): Expression =>
  castOf(nullLiteral(), compiling.types[datatype]);

/** Changes a dividend if the engine would otherwise drop the fraction of the quotient, as in integer division. */
export const preserveFraction = ({ compiling }: Dialect, value: Expression): Expression =>
  compiling.divisible ? compiling.divisible(value) : value;

/** Builds an aggregate call whose result keeps all digits. */
export const createExactAggregate = ({ compiling }: Dialect, fn: string, value: Expression, datatype: Datatype): Call =>
  callOf(fn, [compiling.aggregated(fn, value, datatype)]);

/** Divides two values. The result is null if the divisor is zero. */
export const createNullSafeDivision = (dialect: Dialect, left: Expression, right: Expression): Expression =>
  compute(preserveFraction(dialect, left), '/', callOf('nullif', [right, numberOf(0)]));

/** Counts the items in a string with one-character separators. An empty string has no items. */
export function createItemCount({ compiling }: Dialect, text: Expression, separator: Expression): Expression {
  const separators = compute(compiling.length(text), '-', compiling.length(compiling.without(text, separator)));
  return caseOf(compare(compiling.length(text), '=', numberOf(0)), numberOf(0), compute(separators, '+', numberOf(1)));
}
const createAscendingSortKeys = (value: Expression): SortKey[] => [{ value, direction: null, nulls: null }];
export const createTextAggregate = (name: string, text: Expression, separator: string, distinct: boolean): Call =>
  callOf(name, [text, textOf(separator)], { distinct, orderBy: createAscendingSortKeys(text) });
export const createTextAggregateWithinGroup = (
  name: string,
  text: Expression,
  separator: string,
  distinct: boolean,
): Call => ({
  ...createTextAggregate(name, text, separator, distinct),
  within: true,
});
/** Wraps a string aggregate so that it returns null for no rows. Some engines return an empty string. */
export const createNullIfNoRows = (text: Expression, aggregate: Expression): Expression =>
  caseOf(compare(callOf('count', [text]), '>', numberOf(0)), aggregate);

/**
 * Returns sort keys that put nulls first or last. If the engine lacks NULLS FIRST and NULLS LAST, an extra key sorts by
 * whether the value is null.
 */
export function createSortKeys(
  { nullsSort }: Dialect,
  value: Expression,
  direction: 'asc' | 'desc',
  nulls: 'first' | 'last' = 'last',
): SortKey[] {
  const key: SortKey = {
    value,
    direction: direction === 'desc' ? 'desc' : null,
    nulls: nullsSort.said ? nulls : null,
  };
  const sortsLast = nullsSort.unsaid === 'last' || (nullsSort.unsaid === 'as least') === (direction === 'desc');
  if (nullsSort.said || sortsLast === (nulls === 'last')) return [key];
  return [{ value: isNull(value), direction: nulls === 'first' ? 'desc' : null, nulls: null }, key];
}

/** The length of each grain, as written in an interval literal. */
const GRAIN_INTERVALS: Record<Grain, string> = {
  day: '1 day',
  week: '7 days',
  month: '1 month',
  quarter: '3 months',
  year: '1 year',
};
const createDateShift = (moment: Expression, operator: Arithmetic['operator'], amount: string): Expression =>
  compute(moment, operator, castOf(textOf(amount), 'interval'));
export const subtractFromDate = (date: Expression, grain: Grain): Expression =>
  createDateShift(date, '-', GRAIN_INTERVALS[grain]);
export const addDuration = (moment: Expression, { amount, unit }: Duration): Expression => {
  const [count, size] =
    unit === 'quarter' ? [amount * 3, 'month'] : unit === 'week' ? [amount * 7, 'day'] : [amount, unit];
  return createDateShift(moment, count < 0 ? '-' : '+', `${Math.abs(count)} ${size}`);
};
/** Adds an interval whose unit is a word after the amount, as in `interval 1 day`. */
export const addInterval = (moment: Expression, { amount, unit }: { amount: number; unit: string }): Expression =>
  compute(moment, amount < 0 ? '-' : '+', intervalOf(Math.abs(amount), unit));
/** The first day of a period, for engines with date_trunc. */
export const truncateToGrain = (grain: Grain, localTime: Expression, dateType = 'date'): Expression =>
  castOf(grain === 'day' ? localTime : callOf('date_trunc', [textOf(grain), localTime]), dateType);
/** A comparison that ignores letter case, for engines without ILIKE. */
export const createLowercaseLike = (value: Expression, pattern: Expression, sign: Expression | null): Like =>
  likeOf('like', callOf('lower', [value]), callOf('lower', [pattern]), sign);
/** Tests whether both values are equal or both are null, for engines without IS NOT DISTINCT FROM. */
export const createNullSafeEqual = (left: Expression, right: Expression): Expression =>
  anyOf([compare(left, '=', right), allOf([isNull(left), isNull(right)])!])!;

export const COMMON_COMPILER_RULES = {
  textKey: null,
  orderedText: null,
  readsPlainTimesAsLocal: false,
  widened: null,
  sameOrBothNull: (left, right) => compare(left, 'is not distinct from', right),
  longQuotients: false,
  exactDecimal: null,
  round: (value, digits) => callOf('round', [value, numberOf(digits)]),
  faultsByZero: false,
  length: (text) => callOf('length', [text]),
  without: (text, part) => callOf('replace', [text, part, textOf('')]),
} as const satisfies Partial<CompilerRules>;

export const DATE_PART_UNITS: Record<Exclude<DayPart, 'weekday'>, string> = {
  hour: 'hour',
  day_of_month: 'day',
  week_of_year: 'week',
  month_of_year: 'month',
  quarter_of_year: 'quarter',
  year_number: 'year',
};
/** For each part of a date, the function that extracts it. */
export const DATE_PART_FUNCTIONS: Record<DayPart, string> = {
  weekday: 'dayname',
  hour: 'hour',
  day_of_month: 'dayofmonth',
  week_of_year: 'weekofyear',
  month_of_year: 'month',
  quarter_of_year: 'quarter',
  year_number: 'year',
};
