import { type Datatype, WEEKDAYS } from '../../../contract/warehouse.ts';
import {
  COMMON_COMPILER_RULES,
  createNullIfNoRows,
  createTextAggregateWithinGroup,
  DATE_PART_UNITS,
  truncateToGrain,
} from '../../../dialects/compiling.ts';
import type { CompilerRules } from '../../../dialects/dialect.ts';
import { callOf, caseOf, castOf, compare, compute, likeOf, numberOf, textOf } from '../../../dialects/make-nodes.ts';
import type { Expression } from '../../../dialects/tree.ts';

/** A type that accepts timestamps without an offset. Snowflake reads them as UTC, because svc's sessions run in UTC. */
const INSTANT_TYPE = 'timestamp_tz';
const toLocalTime = (value: Expression, datatype: Datatype, zone: Expression | null): Expression =>
  datatype === 'datetimetz' && zone ? callOf('convert_timezone', [zone, castOf(value, INSTANT_TYPE)]) : value;

const PART_UNITS = { ...DATE_PART_UNITS, week_of_year: 'weekiso' };
/** Creates the full English name of a weekday, because Snowflake's own function returns only three letters. */
const createWeekdayName = (day: Expression): Expression =>
  WEEKDAYS.reduceRight<Expression | null>(
    (otherwise, name, index) => caseOf(compare(day, '=', numberOf(index + 1)), textOf(name), otherwise),
    null,
  )!;

/**
 * svc multiplies by this value to add six decimal places. The scale of a quotient is six more than that of the
 * dividend, but at most twelve.
 */
const ONE_WITH_SIX_PLACES = numberOf('1.000000');
const AVERAGE_TYPE = 'number(38, 12)';

export const snowflakeCompilerRules: CompilerRules = {
  ...COMMON_COMPILER_RULES,
  truncate: (grain, ...value) => truncateToGrain(grain, toLocalTime(...value)),
  part: (part, value, datatype, zone) => {
    const localTime = toLocalTime(value, datatype, zone);
    return part === 'weekday'
      ? createWeekdayName(callOf('dayofweekiso', [localTime]))
      : callOf(PART_UNITS[part], [localTime]);
  },
  previous: (date, grain) => callOf('dateadd', [textOf(grain), numberOf(-1), date]),
  later: (moment, { amount, unit }) => callOf('dateadd', [textOf(unit), numberOf(amount), moment]),
  daysBetween: (from, to) => callOf('datediff', [textOf('day'), castOf(from, 'date'), castOf(to, 'date')]),
  secondsBetween: (from, to) => callOf('datediff', [textOf('second'), from, to]),
  // LIKE has no default escape character.
  like: (value, pattern, caseInsensitive, escaped) =>
    likeOf(caseInsensitive ? 'ilike' : 'like', value, pattern, escaped ? textOf('\\') : null),
  exactText: null,
  median: (value) => callOf('median', [value]),
  listed: (text, separator, distinct) =>
    createNullIfNoRows(text, createTextAggregateWithinGroup('listagg', text, separator, distinct)),
  divisible: (value) => compute(value, '*', ONE_WITH_SIX_PLACES),
  dividesByPlaces: true,
  // svc casts integers, because their average has only six decimal places.
  aggregated: (fn, value, datatype) => (fn === 'avg' && datatype === 'integer' ? castOf(value, AVERAGE_TYPE) : value),
  types: {
    string: 'varchar',
    integer: 'number(38, 0)',
    decimal: 'number(38, 10)',
    float: 'double',
    boolean: 'boolean',
    date: 'date',
    time: 'time',
    datetime: 'timestamp_ntz',
    datetimetz: INSTANT_TYPE,
  },
  readAs: {
    ARRAY: null,
    OBJECT: null,
    VARIANT: null,
    MAP: null,
    VECTOR: null,
    BINARY: null,
    GEOGRAPHY: null,
    GEOMETRY: null,
  },
  reserved: new Set(
    `account alter connect connection constraint create current database delete describe drop execute extract grant
     gscluster identifier ilike increment insert intersect into issue localtime localtimestamp minus natural organization
     qualify regexp revoke rlike sample schema set some start table tablesample trigger try_cast update view whenever`.split(
      /\s+/,
    ),
  ),
  ordersByAlias: false,
  ordersBySubquery: false,
  readsUtc: true,
};
