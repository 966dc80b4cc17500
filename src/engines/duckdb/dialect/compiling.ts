import {
  addDuration,
  COMMON_COMPILER_RULES,
  createTextAggregate,
  DATE_PART_FUNCTIONS,
  subtractFromDate,
} from '../../../dialects/compiling.ts';
import type { CompilerRules } from '../../../dialects/dialect.ts';
import { callOf, castOf, compute, likeOf, numberOf, textOf } from '../../../dialects/make-nodes.ts';
import type { Expression } from '../../../dialects/tree.ts';

const toLocalTime = (value: Expression, zone: Expression | null): Expression =>
  zone ? callOf('timezone', [zone, value]) : value;

export const duckdbCompilerRules: CompilerRules = {
  ...COMMON_COMPILER_RULES,
  truncate: (grain, value, _, zone) => castOf(callOf('date_trunc', [textOf(grain), toLocalTime(value, zone)]), 'date'),
  part: (part, value, _, zone) => callOf(DATE_PART_FUNCTIONS[part], [toLocalTime(value, zone)]),
  previous: subtractFromDate,
  later: addDuration,
  daysBetween: (from, to) => callOf('date_diff', [textOf('day'), from, to]),
  // svc counts microseconds, because date_diff returns only whole units.
  secondsBetween: (from, to, types) => {
    const areDays = types.every((type) => type === 'date');
    const unit = textOf(areDays ? 'second' : 'microsecond');
    const difference = callOf('date_diff', [unit, castOf(from, 'timestamp'), castOf(to, 'timestamp')]);
    return areDays ? difference : compute(difference, '/', numberOf(1_000_000));
  },
  like: (value, pattern, caseInsensitive, escaped) =>
    likeOf(caseInsensitive ? 'ilike' : 'like', value, pattern, escaped ? textOf('\\') : null),
  exactText: null,
  readsPlainTimesAsLocal: true,
  widened: (value) => castOf(value, 'hugeint'),
  divisible: null,
  dividesByPlaces: false,
  longQuotients: true,
  // svc casts the values, because the median of decimals has no more decimal places than the values.
  aggregated: (fn, value, datatype) => (fn === 'median' && datatype === 'decimal' ? castOf(value, 'double') : value),
  median: (value) => callOf('median', [value]),
  listed: (text, separator, distinct) => createTextAggregate('string_agg', text, separator, distinct),
  types: {
    string: 'varchar',
    integer: 'bigint',
    decimal: 'decimal(18, 4)',
    float: 'double',
    boolean: 'boolean',
    date: 'date',
    time: 'time',
    datetime: 'timestamp',
    datetimetz: 'timestamp with time zone',
  },
  readAs: {},
  reserved: new Set(),
  ordersByAlias: true,
  ordersBySubquery: true,
  readsUtc: false,
};
