import type { Grain } from '../../../contract/warehouse.ts';
import { DATE_PART_FUNCTIONS } from '../../../dialects/compiling.ts';
import type { Compiling } from '../../../dialects/dialect.ts';
import { callOf, castOf, compare, compute, likeOf, numberOf, textOf } from '../../../dialects/make-nodes.ts';
import type { Expression } from '../../../dialects/tree.ts';

/** MySQL has no type for instants with a time zone. svc's sessions read timestamps in UTC. */
const toLocalTime = (value: Expression, zone: Expression | null): Expression =>
  zone ? callOf('convert_tz', [value, textOf('+00:00'), zone]) : value;
const intervalOf = (amount: Expression, unit: string): Expression => ({
  kind: 'interval',
  amount,
  unit: unit.toUpperCase(),
  at: null,
});

function firstDay(grain: Grain, localTime: Expression): Expression {
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

export const mysqlCompiling: Compiling = {
  truncate: (grain, value, _, zone) => firstDay(grain, toLocalTime(value, zone)),
  part: (part, value, _, zone) => callOf(DATE_PART_FUNCTIONS[part], [toLocalTime(value, zone)]),
  previous: (date, grain) =>
    compute(date, '-', grain === 'quarter' ? intervalOf(numberOf(3), 'month') : intervalOf(numberOf(1), grain)),
  later: (moment, { amount, unit }) =>
    compute(moment, amount < 0 ? '-' : '+', intervalOf(numberOf(Math.abs(amount)), unit)),
  daysBetween: (from, to) => callOf('datediff', [to, from]),
  secondsBetween: (from, to) => callOf('timestampdiff', [from, to], { unit: 'second' }),
  // svc turns off backslash escapes, so LIKE has no default escape character.
  like: (value, pattern, caseInsensitive, escaped) => {
    const sign = escaped ? textOf('\\') : null;
    return caseInsensitive
      ? likeOf('like', callOf('lower', [value]), callOf('lower', [pattern]), sign)
      : likeOf('like', value, { kind: 'collate', value: pattern, collation: 'utf8mb4_bin', at: null }, sign);
  },
  sameOrBothNull: (left, right) => compare(left, 'is not distinct from', right),
  exactText: null,
  divisible: null,
  dividesByPlaces: false,
  longQuotients: false,
  round: (value, digits) => callOf('round', [value, numberOf(digits)]),
  faultsByZero: false,
  aggregated: (_, value) => value,
  median: null,
  listed: (text, separator, distinct) =>
    callOf('group_concat', [text], { distinct, orderBy: [{ value: text, direction: null, nulls: null }], separator }),
  length: (text) => callOf('char_length', [text]),
  without: (text, part) => callOf('replace', [text, part, textOf('')]),
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
