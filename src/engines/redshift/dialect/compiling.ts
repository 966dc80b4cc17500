import type { Datatype } from '../../../contract/warehouse.ts';
import {
  COMMON_COMPILER_RULES,
  createNullSafeEqual,
  createTextAggregateWithinGroup,
  DATE_PART_UNITS,
} from '../../../dialects/compiling.ts';
import type { CompilerRules } from '../../../dialects/dialect.ts';
import { callOf, castOf, likeOf, numberOf, textOf } from '../../../dialects/make-nodes.ts';
import type { Expression } from '../../../dialects/tree.ts';

const AVERAGE_TYPE = 'numeric(38, 12)';

/**
 * Converts a value to a local time. svc first casts a date to a timestamp, because Redshift would otherwise convert it
 * through the session's time zone.
 */
const toLocalTime = (value: Expression, datatype: Datatype, zone: Expression | null): Expression =>
  datatype === 'date' ? castOf(value, 'timestamp') : zone ? callOf('timezone', [zone, value]) : value;

const addToDate = (moment: Expression, unit: string, amount: number): Expression =>
  callOf('dateadd', [numberOf(amount), moment], { unit });

/** Escapes patterns with `!`, because some servers read a backslash as an escape and others don't. */
function escapePattern(pattern: Expression): Expression {
  if (pattern.kind !== 'literal') return pattern;
  return textOf(pattern.value.replace(/\\([\s\S])|!/g, (_, sign?: string) => `!${sign ?? '!'}`));
}

export const redshiftCompilerRules: CompilerRules = {
  ...COMMON_COMPILER_RULES,
  truncate: (grain, value, datatype, zone) =>
    castOf(callOf('date_trunc', [textOf(grain), toLocalTime(value, datatype, zone)]), 'date'),
  part: (part, value, datatype, zone) => {
    const localTime = toLocalTime(value, datatype, zone);
    if (part === 'weekday') return callOf('btrim', [callOf('to_char', [localTime, textOf('Day')])]);
    return castOf(callOf('date_part', [localTime], { unit: DATE_PART_UNITS[part] }), 'int4');
  },
  previous: (date, grain) => castOf(addToDate(date, grain, -1), 'date'),
  later: (moment, { amount, unit }) => addToDate(moment, unit, amount),
  daysBetween: (from, to) => callOf('datediff', [castOf(from, 'date'), castOf(to, 'date')], { unit: 'day' }),
  secondsBetween: (from, to) => callOf('datediff', [from, to], { unit: 'second' }),
  like: (value, pattern, caseInsensitive, hasEscapes) =>
    likeOf(
      caseInsensitive ? 'ilike' : 'like',
      value,
      hasEscapes ? escapePattern(pattern) : pattern,
      hasEscapes ? textOf('!') : null,
    ),
  sameOrBothNull: createNullSafeEqual,
  exactText: null,
  // svc casts the dividend, because the quotient of two sums of numerics keeps only four decimal places.
  divisible: (value) => castOf(value, 'float8'),
  dividesByPlaces: true,
  round: (value, digits) => callOf('round', [castOf(value, 'numeric'), numberOf(digits)]),
  // svc casts the argument, because the average of integers is an integer, and the average of decimals has no more
  // decimal places than its column.
  aggregated: (fn, value, datatype) =>
    fn === 'avg' && (datatype === 'integer' || datatype === 'decimal') ? castOf(value, AVERAGE_TYPE) : value,
  median: (value) => callOf('median', [castOf(value, 'float8')]),
  // svc can't parse listagg with DISTINCT for Redshift.
  listed: (text, separator, distinct) =>
    distinct ? null : createTextAggregateWithinGroup('listagg', text, separator, false),
  // The types have sizes, because a plain `text` means varchar(256) and a plain `numeric` means numeric(18, 0).
  types: {
    string: 'varchar(65535)',
    integer: 'int8',
    decimal: 'numeric(38, 10)',
    float: 'float8',
    boolean: 'bool',
    date: 'date',
    time: 'time',
    datetime: 'timestamp',
    datetimetz: 'timestamptz',
  },
  readAs: { super: null, geometry: null, geography: null, hllsketch: null, 'binary varying': null, varbyte: null },
  reserved: new Set(),
  ordersByAlias: true,
  ordersBySubquery: false,
  readsUtc: false,
};
