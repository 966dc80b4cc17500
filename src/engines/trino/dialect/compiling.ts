import type { Datatype } from '../../../contract/warehouse.ts';
import {
  COMMON_COMPILER_RULES,
  createLowercaseLike,
  createTextAggregateWithinGroup,
  DATE_PART_UNITS,
  truncateToGrain,
} from '../../../dialects/compiling.ts';
import type { CompilerRules } from '../../../dialects/dialect.ts';
import { callOf, castOf, compute, likeOf, numberOf, textOf } from '../../../dialects/make-nodes.ts';
import type { Expression } from '../../../dialects/tree.ts';

const toLocalTime = (value: Expression, datatype: Datatype, zone: Expression | null): Expression =>
  datatype === 'datetimetz' && zone ? callOf('at_timezone', [value, zone]) : value;

const INTEGER_SUM = 'decimal(38, 0)';
const WIDE_DECIMAL = 'decimal(38, 10)';
const AVERAGE_TYPE = 'decimal(38, 12)';
/**
 * svc multiplies by this value to add ten decimal places. An integer becomes a decimal, and a float remains a float.
 */
const ONE_WITH_TEN_PLACES = numberOf('1.0000000000');

export const trinoCompilerRules: CompilerRules = {
  ...COMMON_COMPILER_RULES,
  truncate: (grain, ...value) => truncateToGrain(grain, toLocalTime(...value)),
  part: (part, value, datatype, zone) => {
    const localTime = toLocalTime(value, datatype, zone);
    return part === 'weekday'
      ? callOf('date_format', [localTime, textOf('%W')])
      : callOf(DATE_PART_UNITS[part], [localTime]);
  },
  previous: (date, grain) => callOf('date_add', [textOf(grain), numberOf(-1), date]),
  later: (moment, { amount, unit }) => callOf('date_add', [textOf(unit), numberOf(amount), moment]),
  daysBetween: (from, to) => callOf('date_diff', [textOf('day'), castOf(from, 'date'), castOf(to, 'date')]),
  secondsBetween: (from, to) =>
    callOf('date_diff', [textOf('second'), castOf(from, 'timestamp'), castOf(to, 'timestamp')]),
  // LIKE has no default escape character.
  like: (value, pattern, caseInsensitive, hasEscape) => {
    const sign = hasEscape ? textOf('\\') : null;
    return caseInsensitive ? createLowercaseLike(value, pattern, sign) : likeOf('like', value, pattern, sign);
  },
  exactText: null,
  median: null,
  listed: (text, separator, distinct) => createTextAggregateWithinGroup('listagg', text, separator, distinct),
  // svc adds decimal places to the dividend, because a quotient has no more decimal places than its operands.
  divisible: (value) => compute(value, '*', ONE_WITH_TEN_PLACES),
  dividesByPlaces: true,
  // svc casts the argument, because sums of integers overflow at 64 bits, and the average of decimals has no more
  // decimal places than its column.
  aggregated: (fn, value, datatype) => {
    if (fn === 'sum' && datatype === 'integer') return castOf(value, INTEGER_SUM);
    return fn === 'avg' && datatype === 'decimal' ? castOf(value, AVERAGE_TYPE) : value;
  },
  types: {
    string: 'varchar',
    integer: 'bigint',
    decimal: WIDE_DECIMAL,
    float: 'double',
    boolean: 'boolean',
    date: 'date',
    time: 'time(6)',
    datetime: 'timestamp(6)',
    datetimetz: 'timestamp(6) with time zone',
  },
  readAs: {
    uuid: { datatype: 'string', as: 'varchar' },
    ipaddress: { datatype: 'string', as: 'varchar' },
    json: null,
    varbinary: null,
  },
  reserved: new Set(
    `alter auto constraint create cross cube current_catalog current_path current_role current_schema current_user
     deallocate delete describe drop escape except execute extract grouping insert intersect into json_array json_exists
     json_object json_query json_table json_value listagg natural normalize prepare recursive rollup skip trim uescape
     unnest values`.split(/\s+/),
  ),
  ordersByAlias: true,
  ordersBySubquery: true,
  readsUtc: true,
};
