import type { Grain } from '../../../contract/warehouse.ts';
import {
  addInterval,
  COMMON_COMPILER_RULES,
  createLowercaseLike,
  DATE_PART_FUNCTIONS,
} from '../../../dialects/compiling.ts';
import type { CompilerRules } from '../../../dialects/dialect.ts';
import { callOf, castOf, compute, intervalOf, likeOf, nodeOf, numberOf, textOf } from '../../../dialects/make-nodes.ts';
import type { Expression } from '../../../dialects/tree.ts';

/**
 * Converts a value to a local time. MySQL has no type for instants with a time zone, and svc's sessions read timestamps
 * in UTC.
 */
const toLocalTime = (value: Expression, zone: Expression | null): Expression =>
  zone ? callOf('convert_tz', [value, textOf('+00:00'), zone]) : value;

function truncateToGrain(grain: Grain, localTime: Expression): Expression {
  switch (grain) {
    case 'day':
      return castOf(localTime, 'date');
    case 'week':
      return castOf(callOf('date_sub', [localTime, intervalOf(callOf('weekday', [localTime]), 'day')]), 'date');
    case 'quarter': {
      const months = compute(compute(callOf('quarter', [localTime]), '-', numberOf(1)), '*', numberOf(3));
      return compute(callOf('makedate', [callOf('year', [localTime]), numberOf(1)]), '+', intervalOf(months, 'month'));
    }
    default:
      return castOf(callOf('date_format', [localTime, textOf(grain === 'month' ? '%Y-%m-01' : '%Y-01-01')]), 'date');
  }
}

export const mysqlCompilerRules: CompilerRules = {
  ...COMMON_COMPILER_RULES,
  truncate: (grain, value, _, zone) => truncateToGrain(grain, toLocalTime(value, zone)),
  part: (part, value, _, zone) => callOf(DATE_PART_FUNCTIONS[part], [toLocalTime(value, zone)]),
  previous: (date, grain) => compute(date, '-', grain === 'quarter' ? intervalOf(3, 'month') : intervalOf(1, grain)),
  later: addInterval,
  daysBetween: (from, to) => callOf('datediff', [to, from]),
  secondsBetween: (from, to, types) =>
    types.every((type) => type === 'date')
      ? callOf('timestampdiff', [from, to], { unit: 'second' })
      : compute(callOf('timestampdiff', [from, to], { unit: 'microsecond' }), '/', numberOf(1_000_000)),
  // LIKE has no default escape character, because svc turns off backslash escapes.
  like: (value, pattern, caseInsensitive, escaped) => {
    const sign = escaped ? textOf('\\') : null;
    return caseInsensitive
      ? createLowercaseLike(value, pattern, sign)
      : likeOf('like', value, nodeOf('collate', { value: pattern, collation: 'utf8mb4_bin' }), sign);
  },
  exactText: null,
  textKey: (value) => callOf('hex', [value]),
  divisible: null,
  dividesByPlaces: false,
  aggregated: (_, value) => value,
  median: null,
  listed: (text, separator, distinct) =>
    callOf('group_concat', [text], { distinct, orderBy: [{ value: text, direction: null, nulls: null }], separator }),
  length: (text) => callOf('char_length', [text]),
  types: {
    string: 'char',
    integer: 'signed',
    decimal: 'decimal(38, 10)',
    float: 'double',
    boolean: 'signed',
    date: 'date',
    time: 'time',
    datetime: 'datetime',
    datetimetz: 'datetime',
  },
  readAs: {},
  reserved: new Set(
    `call change character condition databases dense_rank function groups index keys kill lag lead lock maxvalue option
    procedure ranges read recursive release require return rows schemas signal sql trigger usage use virtual write`.split(
      /\s+/,
    ),
  ),
  ordersByAlias: false,
  ordersBySubquery: true,
  readsUtc: true,
};
