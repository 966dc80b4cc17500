import type { Datatype, DayPart } from '../../../contract/warehouse.ts';
import { addInterval, COMMON_COMPILER_RULES, truncateToGrain } from '../../../dialects/compiling.ts';
import type { CompilerRules } from '../../../dialects/dialect.ts';
import { callOf, castOf, compute, intervalOf, likeOf, numberOf, textOf } from '../../../dialects/make-nodes.ts';
import type { Expression } from '../../../dialects/tree.ts';

/** Converts a value to a local time. `toTimeZone` changes the time zone of an instant, but not the instant itself. */
const toLocalTime = (value: Expression, datatype: Datatype, zone: Expression | null): Expression =>
  datatype === 'datetimetz' && zone ? callOf('toTimeZone', [value, zone]) : value;

const PART_FUNCTIONS: Record<Exclude<DayPart, 'weekday'>, string> = {
  hour: 'toHour',
  day_of_month: 'toDayOfMonth',
  week_of_year: 'toISOWeek',
  month_of_year: 'toMonth',
  quarter_of_year: 'toQuarter',
  year_number: 'toYear',
};

export const clickhouseCompilerRules: CompilerRules = {
  ...COMMON_COMPILER_RULES,
  // svc uses Date32, because the type Date changes days before 1970 to 1970-01-01.
  truncate: (grain, ...value) => truncateToGrain(grain, toLocalTime(...value), 'Date32'),
  part: (part, value, datatype, zone) => {
    const localTime = toLocalTime(value, datatype, zone);
    return part === 'weekday'
      ? callOf('dateName', [textOf('weekday'), localTime])
      : callOf(PART_FUNCTIONS[part], [localTime]);
  },
  previous: (date, grain) => compute(date, '-', intervalOf(1, grain)),
  later: addInterval,
  daysBetween: (from, to) => callOf('dateDiff', [textOf('day'), from, to]),
  secondsBetween: (from, to) => callOf('dateDiff', [textOf('second'), from, to]),
  // In LIKE patterns, a backslash is always the escape character.
  like: (value, pattern, caseInsensitive) => likeOf(caseInsensitive ? 'ilike' : 'like', value, pattern, null),
  exactText: null,
  divisible: null,
  dividesByPlaces: false,
  // The median of two decimals is a quotient, which has no more decimal places than the decimals.
  aggregated: (fn, value, datatype) =>
    fn === 'median' && datatype === 'decimal' ? callOf('toFloat64', [value]) : value,
  // svc doesn't use ClickHouse's `median`, because it reads only a sample of the rows.
  median: (value) =>
    compute(compute(callOf('medianExactLow', [value]), '+', callOf('medianExactHigh', [value])), '/', numberOf(2)),
  listed: () => null,
  length: (text) => callOf('lengthUTF8', [text]),
  without: (text, part) => callOf('replaceAll', [text, part, textOf('')]),
  exactDecimal: (number) => castOf(textOf(number), `Decimal(38, ${number.split('.')[1]?.length ?? 0})`),
  types: {
    string: 'String',
    integer: 'Int64',
    decimal: 'Decimal(38, 10)',
    float: 'Float64',
    boolean: 'Bool',
    date: 'Date32',
    time: 'String',
    datetime: 'DateTime64(6)',
    datetimetz: 'DateTime64(6)',
  },
  readAs: {
    UUID: { datatype: 'string', as: 'String' },
    IPv4: { datatype: 'string', as: 'String' },
    IPv6: { datatype: 'string', as: 'String' },
  },
  reserved: new Set(
    'final prewhere sample settings format global any asof semi anti array limit offset union except intersect'.split(
      ' ',
    ),
  ),
  ordersByAlias: false,
  ordersBySubquery: false,
  readsUtc: true,
};
