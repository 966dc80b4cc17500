import type { Datatype, DayPart } from '../../../contract/warehouse.ts';
import { addInterval, COMMON_COMPILER_RULES, createLowercaseLike } from '../../../dialects/compiling.ts';
import type { CompilerRules } from '../../../dialects/dialect.ts';
import { callOf, castOf, compute, intervalOf, likeOf, numberOf, textOf } from '../../../dialects/make-nodes.ts';
import type { Expression } from '../../../dialects/tree.ts';

const toLocalDate = (value: Expression, datatype: Datatype, zone: Expression | null): Expression => {
  if (datatype === 'date') return value;
  return callOf('date', datatype === 'datetimetz' && zone ? [value, zone] : [value]);
};
const toLocalTime = (value: Expression, datatype: Datatype, zone: Expression | null): Expression =>
  datatype === 'datetimetz' && zone ? callOf('datetime', [value, zone]) : value;
const extractPart = (unit: string, value: Expression): Expression => callOf('extract', [value], { unit });

const BIGQUERY_DATE_PART_UNITS: Record<Exclude<DayPart, 'weekday' | 'hour'>, string> = {
  day_of_month: 'DAY',
  week_of_year: 'ISOWEEK',
  month_of_year: 'MONTH',
  quarter_of_year: 'QUARTER',
  year_number: 'YEAR',
};
/** BigQuery's WEEK starts on Sunday, and its ISOWEEK starts on Monday. */
const toDateUnit = (grain: string): string => (grain === 'week' ? 'ISOWEEK' : grain.toUpperCase());
/** A quotient keeps 38 decimal places if svc multiplies the dividend by this value. A float remains a float. */
const ONE_WITH_38_PLACES = castOf(numberOf(1), 'bignumeric');

export const bigqueryCompilerRules: CompilerRules = {
  ...COMMON_COMPILER_RULES,
  truncate: (grain, value, datatype, zone) => {
    const day = toLocalDate(value, datatype, zone);
    return grain === 'day' ? day : callOf('date_trunc', [day], { unit: toDateUnit(grain) });
  },
  part: (part, value, datatype, zone) => {
    if (part === 'hour') return extractPart('HOUR', toLocalTime(value, datatype, zone));
    const day = toLocalDate(value, datatype, zone);
    return part === 'weekday'
      ? callOf('format_date', [textOf('%A'), day])
      : extractPart(BIGQUERY_DATE_PART_UNITS[part], day);
  },
  previous: (date, grain) => callOf('date_sub', [date, intervalOf(1, grain)]),
  later: addInterval,
  daysBetween: (from, to) => callOf('date_diff', [castOf(to, 'date'), castOf(from, 'date')], { unit: 'DAY' }),
  secondsBetween: (from, to) =>
    callOf('datetime_diff', [castOf(to, 'datetime'), castOf(from, 'datetime')], { unit: 'SECOND' }),
  // In LIKE patterns, a backslash is always the escape character.
  like: (value, pattern, caseInsensitive) =>
    caseInsensitive ? createLowercaseLike(value, pattern, null) : likeOf('like', value, pattern, null),
  exactText: null,
  median: null,
  listed: () => null,
  // BigQuery returns a float for a quotient of integers, and keeps nine decimal places for a quotient of NUMERIC
  // values.
  divisible: (value) => compute(value, '*', ONE_WITH_38_PLACES),
  dividesByPlaces: true,
  aggregated: (fn, value, datatype) => {
    if (fn === 'sum' && datatype === 'integer') return castOf(value, 'bignumeric');
    return fn === 'avg' && datatype === 'decimal' ? castOf(value, 'bignumeric') : value;
  },
  exactDecimal: (number) => castOf(textOf(number), 'bignumeric'),
  types: {
    string: 'string',
    integer: 'int64',
    decimal: 'bignumeric',
    float: 'float64',
    boolean: 'bool',
    date: 'date',
    time: 'time',
    datetime: 'datetime',
    datetimetz: 'timestamp',
  },
  readAs: { bytes: null, json: null, geography: null, interval: null },
  reserved: new Set(
    `array assert_rows_modified at collate contains cube current define enum escape except exclude extract following
     grouping groups hash ignore intersect interval into lookup merge new no nulls proto range recursive respect rollup
     struct treat unnest within`.split(/\s+/),
  ),
  ordersByAlias: true,
  ordersBySubquery: true,
  readsUtc: true,
};
