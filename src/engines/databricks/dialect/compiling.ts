import type { Datatype } from '../../../contract/warehouse.ts';
import { addInterval, COMMON_COMPILER_RULES, DATE_PART_UNITS, truncateToGrain } from '../../../dialects/compiling.ts';
import type { CompilerRules } from '../../../dialects/dialect.ts';
import { callOf, castOf, compute, intervalOf, likeOf, textOf } from '../../../dialects/make-nodes.ts';
import type { Expression } from '../../../dialects/tree.ts';

/** Converts a value to a local time. svc's sessions run in UTC. */
const toLocalTime = (value: Expression, datatype: Datatype, zone: Expression | null): Expression =>
  datatype === 'datetimetz' && zone ? callOf('from_utc_timestamp', [value, zone]) : value;

const PART_FUNCTIONS = { ...DATE_PART_UNITS, week_of_year: 'weekofyear' };
const INTEGER_SUM = 'decimal(38, 0)';
const AVERAGE_TYPE = 'decimal(38, 12)';

export const databricksCompilerRules: CompilerRules = {
  ...COMMON_COMPILER_RULES,
  truncate: (grain, ...value) => truncateToGrain(grain, toLocalTime(...value)),
  part: (part, value, datatype, zone) => {
    const localTime = toLocalTime(value, datatype, zone);
    return part === 'weekday'
      ? callOf('date_format', [localTime, textOf('EEEE')])
      : callOf(PART_FUNCTIONS[part], [localTime]);
  },
  previous: (date, grain) => compute(date, '-', grain === 'quarter' ? intervalOf(3, 'month') : intervalOf(1, grain)),
  later: (moment, { amount, unit }) => {
    const [count, size] = unit === 'quarter' ? [amount * 3, 'month'] : [amount, unit];
    return addInterval(moment, { amount: count, unit: size });
  },
  daysBetween: (from, to) => callOf('datediff', [castOf(to, 'date'), castOf(from, 'date')]),
  secondsBetween: (from, to) => compute(callOf('unix_timestamp', [to]), '-', callOf('unix_timestamp', [from])),
  // In LIKE patterns, a backslash is always the escape character.
  like: (value, pattern, caseInsensitive) => likeOf(caseInsensitive ? 'ilike' : 'like', value, pattern, null),
  exactText: null,
  median: (value) => callOf('median', [value]),
  listed: () => null,
  // svc casts the dividend, because the quotient of two decimals with 38 digits keeps only six decimal places.
  divisible: (value) => castOf(value, 'double'),
  dividesByPlaces: true,
  // svc casts the argument, because sums of integers overflow at 64 bits and the average of integers is a float. The
  // average of decimals has only four more decimal places than its column.
  aggregated: (fn, value, datatype) => {
    if (fn === 'sum' && datatype === 'integer') return castOf(value, INTEGER_SUM);
    return fn === 'avg' && (datatype === 'decimal' || datatype === 'integer') ? castOf(value, AVERAGE_TYPE) : value;
  },
  types: {
    string: 'string',
    integer: 'bigint',
    decimal: 'decimal(38, 10)',
    float: 'double',
    boolean: 'boolean',
    date: 'date',
    time: 'string',
    datetime: 'timestamp_ntz',
    datetimetz: 'timestamp',
  },
  readAs: { binary: null, variant: null, void: null, geometry: null, geography: null },
  reserved: new Set(
    `anti array cluster cube distribute except filter grouping ilike intersect lateral limit map minus natural offset pivot
     qualify regexp rlike rollup semi sort stream struct tablesample transform unpivot using values view within`.split(
      /\s+/,
    ),
  ),
  ordersByAlias: true,
  ordersBySubquery: false,
  readsUtc: true,
};
