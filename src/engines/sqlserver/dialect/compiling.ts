import { type Datatype, type Grain, WEEKDAYS } from '../../../contract/warehouse.ts';
import {
  COMMON_COMPILER_RULES,
  createLowercaseLike,
  createNullSafeEqual,
  createTextAggregateWithinGroup,
  DATE_PART_UNITS,
} from '../../../dialects/compiling.ts';
import type { CompilerRules } from '../../../dialects/dialect.ts';
import { callOf, castOf, compute, likeOf, literalOf, nodeOf, numberOf, textOf } from '../../../dialects/make-nodes.ts';
import type { Expression, Literal } from '../../../dialects/tree.ts';
import { Problem } from '../../../platform/problem.ts';
import { findWindowsZone } from './time-zones.ts';

/** A collation that distinguishes all characters and exists in every version. */
const EXACT_COLLATION = 'Latin1_General_100_BIN2';
const AVERAGE_TYPE = 'decimal(38, 12)';
const INTEGER_SUM = 'decimal(38, 0)';
/** svc counts days of the week from this Monday. */
const REFERENCE_MONDAY = literalOf('date', '1900-01-01');

/**
 * Converts a value to a local time. Removes the offset of an instant, because some functions would apply it. Values
 * without an offset are in UTC.
 */
function toLocalTime(value: Expression, datatype: Datatype, zone: Expression | null): Expression {
  if (datatype !== 'datetimetz' || zone?.kind !== 'literal') return value;
  const name = findWindowsZone(zone.value);
  if (!name)
    throw new Problem(
      'invalid',
      `SQL Server has no time zone for ${zone.value.slice(0, 40)}. Set another time zone in the lens.`,
    );
  const left = castOf(value, 'datetimeoffset');
  return castOf(nodeOf('operation', { operator: 'at time zone', left, right: textOf(name) }), 'datetime2');
}
const addToDate = (date: Expression, unit: string, amount: Expression): Expression =>
  callOf('dateadd', [amount, date], { unit: unit.toUpperCase() });
const createDatePart = (unit: string, localTime: Expression): Expression =>
  callOf('datepart', [localTime], { unit: unit.toUpperCase() });
const createDateDifference = (unit: string, from: Expression, to: Expression): Expression =>
  callOf('datediff', [from, to], { unit: unit.toUpperCase() });

/**
 * Returns the day of the week, where Monday is 0. The result doesn't depend on DATEFIRST and is correct before 1900.
 */
function createDayOfWeek(localTime: Expression): Expression {
  const remainder = compute(createDateDifference('day', REFERENCE_MONDAY, localTime), '%', numberOf(7));
  return compute(compute(remainder, '+', numberOf(7)), '%', numberOf(7));
}

function truncateToGrain(grain: Grain, localTime: Expression): Expression {
  const monthStart = (month: Expression): Expression =>
    callOf('datefromparts', [callOf('year', [localTime]), month, numberOf(1)]);
  switch (grain) {
    case 'day':
      return castOf(localTime, 'date');
    case 'week':
      return addToDate(castOf(localTime, 'date'), 'day', compute(numberOf(0), '-', createDayOfWeek(localTime)));
    case 'month':
      return monthStart(callOf('month', [localTime]));
    case 'quarter': {
      const monthsBefore = compute(compute(createDatePart('quarter', localTime), '-', numberOf(1)), '*', numberOf(3));
      return monthStart(compute(monthsBefore, '+', numberOf(1)));
    }
    case 'year':
      return monthStart(numberOf(1));
  }
}

const PART_UNITS = { ...DATE_PART_UNITS, week_of_year: 'iso_week' };
/** Creates the English name of a weekday, because the server's own names depend on the language of the session. */
const createWeekdayName = (day: Expression): Expression => {
  const whens = WEEKDAYS.map((name, index) => ({ when: numberOf(index), result: textOf(name) }));
  return nodeOf('case', { operand: day, whens, otherwise: null });
};

/** Returns true if a pattern ends in neither the wildcard % nor a space. */
const endsInPlainCharacter = ({ value }: Literal, escaped: boolean): boolean =>
  !/[% ]$/.test(escaped ? value.replace(/\\[\s\S]/g, 'x') : value);

export const sqlserverCompilerRules: CompilerRules = {
  ...COMMON_COMPILER_RULES,
  truncate: (grain, value, datatype, zone) => truncateToGrain(grain, toLocalTime(value, datatype, zone)),
  part: (part, value, datatype, zone) => {
    const localTime = toLocalTime(value, datatype, zone);
    return part === 'weekday'
      ? createWeekdayName(createDayOfWeek(localTime))
      : createDatePart(PART_UNITS[part], localTime);
  },
  previous: (date, grain) => addToDate(date, grain, numberOf(-1)),
  later: (moment, { amount, unit }) => addToDate(moment, unit, numberOf(amount)),
  daysBetween: (from, to) => createDateDifference('day', castOf(from, 'date'), castOf(to, 'date')),
  secondsBetween: (from, to) => createDateDifference('second', from, to),
  // In LIKE, a bracket starts a character class, there is no default escape character, and fixed-length text is padded.
  like: (value, pattern, caseInsensitive, escaped) => {
    const text = pattern.kind === 'literal' ? pattern : textOf('');
    const hasBracket = text.value.includes('[');
    const escapedPattern = hasBracket ? textOf(text.value.replaceAll('[', '\\[')) : pattern;
    const sign = escaped || hasBracket ? textOf('\\') : null;
    const trimmedValue = text === pattern && endsInPlainCharacter(text, escaped) ? callOf('rtrim', [value]) : value;
    return caseInsensitive
      ? createLowercaseLike(trimmedValue, escapedPattern, sign)
      : likeOf('like', trimmedValue, escapedPattern, sign);
  },
  sameOrBothNull: createNullSafeEqual,
  exactText: (value) => nodeOf('collate', { value: castOf(value, 'nvarchar(MAX)'), collation: EXACT_COLLATION }),
  // There is no median, because PERCENTILE_CONT exists only as a window function.
  median: null,
  // STRING_AGG doesn't accept DISTINCT.
  listed: (text, separator, distinct) =>
    distinct ? null : createTextAggregateWithinGroup('string_agg', text, separator, false),
  // svc appends a character, because LEN ignores trailing blanks.
  length: (text) => compute(callOf('len', [compute(text, '+', textOf('.'))]), '-', numberOf(1)),
  // svc casts the dividend, because a quotient of integers is an integer, and the quotient of two sums of decimals has
  // only six decimal places.
  divisible: (value) => castOf(value, 'float'),
  dividesByPlaces: true,
  // svc casts the argument, because a sum of int values has the type int and can overflow, and the average of integers
  // is an integer.
  aggregated: (fn, value, datatype) => {
    if (fn === 'sum' && datatype === 'integer') return castOf(value, INTEGER_SUM);
    return fn === 'avg' && (datatype === 'integer' || datatype === 'decimal') ? castOf(value, AVERAGE_TYPE) : value;
  },
  types: {
    string: 'nvarchar(MAX)',
    integer: 'bigint',
    decimal: 'decimal(38, 10)',
    float: 'float',
    boolean: 'bit',
    date: 'date',
    time: 'time',
    datetime: 'datetime2',
    datetimetz: 'datetimeoffset',
  },
  readAs: {
    xml: null,
    sql_variant: null,
    geometry: null,
    geography: null,
    hierarchyid: null,
    image: null,
    text: null,
    ntext: null,
    binary: null,
    varbinary: null,
    timestamp: null,
    json: null,
    vector: null,
  },
  reserved: new Set(
    `add alter apply authorization backup begin break browse bulk checkpoint close clustered commit compute contains
     containstable continue convert current cursor database dbcc deallocate declare deny disk distributed double drop dump errlvl
     escape exec execute exit external fillfactor freetext freetexttable function go goto having holdlock identity
     identity_insert identitycol if index key kill lineno load merge national nocheck nonclustered nullif off offsets open
     opendatasource openquery openrowset openxml option output percent plan precision print proc procedure public raiserror
     read readtext receive reconfigure replication restore restrict return revert revoke rollback rowcount rowguidcol rule save
     schema securityaudit send set setuser shutdown statistics system_user textsize throw ties top tran transaction trigger
     truncate try_convert tsequal updatetext use user varying view waitfor while within writetext`.split(/\s+/),
  ),
  ordersByAlias: false,
  ordersBySubquery: false,
  // svc converts instants even if the lens uses UTC, because an instant's day depends on the stored offset.
  readsUtc: false,
};
