import type { Datatype } from '../../contract/warehouse.ts';
import { type Compiling, PART, typed } from '../compiling.ts';

/** MySQL has no instants with a zone of their own; its sessions read in UTC. */
const converted = (expression: string, datatype: Datatype, zone: string): string =>
  datatype === 'datetimetz' && zone !== '' ? `convert_tz(${expression}, '+00:00', ${zone})` : expression;
export const mysqlCompiling: Compiling = {
  truncate: (grain, expression, datatype, zone) => {
    const at = converted(expression, datatype, zone);
    if (grain === 'day') return `cast(${at} as date)`;
    if (grain === 'week') return `cast(date_sub(${at}, interval weekday(${at}) day) as date)`;
    if (grain === 'quarter') return `(makedate(year(${at}), 1) + interval (quarter(${at}) - 1) * 3 month)`;
    return `cast(date_format(${at}, '${grain === 'month' ? '%Y-%m-01' : '%Y-01-01'}') as date)`;
  },
  part: (part, expression, datatype, zone) => {
    const at = converted(expression, datatype, zone);
    return `${PART[part]}(${at})`;
  },
  previous: (date, grain) => `${date} - interval ${grain === 'quarter' ? '3 month' : `1 ${grain}`}`,
  later: (moment, { amount, unit }) => `${moment} ${amount < 0 ? '-' : '+'} interval ${Math.abs(amount)} ${unit}`,
  daysBetween: (from, to) => `datediff(${to}, ${from})`,
  // Sessions keep 12 digits more than the dividend has.
  ratio: (left, right) => `${left} / nullif(${right}, 0)`,
  exact: (expression) => expression,
  // Without backslash escapes LIKE has no escape sign of its own; x'5C' is the backslash.
  like: (expression, pattern, caseInsensitive, escaped) => {
    const escaping = escaped ? " escape _utf8mb4 x'5C'" : '';
    return caseInsensitive
      ? `lower(${expression}) like lower(${pattern})${escaping}`
      : `${expression} like ${pattern} collate utf8mb4_bin${escaping}`;
  },
  typedNull: typed({
    string: 'char',
    integer: 'signed',
    decimal: 'decimal(38, 10)',
    float: 'double',
    boolean: 'signed',
    date: 'date',
    time: 'time',
    datetime: 'datetime',
    datetimetz: 'datetime',
  }),
  // Null is the smallest value.
  nullsLast: (expression, direction) =>
    direction === 'desc' ? `${expression} desc` : `${expression} is null, ${expression}`,
  sameOrBothNull: (left, right) => `${left} <=> ${right}`,
  median: null,
  readAs: {},
  reserved: new Set(
    `call change character condition databases dense_rank function groups index keys kill lag lead lock maxvalue option
    procedure ranges read recursive release require return rows schemas signal sql trigger usage use virtual write`.split(
      /\s+/,
    ),
  ),
  ordersByAlias: false,
  readsUtc: true,
};
