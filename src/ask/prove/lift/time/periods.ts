// Reads periods of dates. A condition on a day, month or year becomes two bounds: the first day of the period, and the
// first day of the next period.
import { DateTime } from 'luxon';
import { compare, textOf } from '../../../../dialects/make-nodes.ts';
import { toConstant } from '../../../../dialects/nodes.ts';
import type { Call, Comparison, Expression } from '../../../../dialects/tree.ts';
import { throwUnreadable } from '../scope.ts';

export const DAY_PATTERN = /^\d{4}-\d\d-\d\d$/;
const PERIOD_UNITS = new Set(['day', 'week', 'month', 'quarter', 'year']);
const DATE_PARTS = new Set(['day', 'week', 'month', 'quarter', 'year', 'hour']);
const TRUNCATING_FUNCTIONS = new Set(['date_trunc', 'trunc']);
type TypeLookup = (value: Expression) => string | null;

export interface TruncatedDate {
  unit: 'day' | 'week' | 'month' | 'quarter' | 'year';
  of: Expression;
}

/** Recognizes the first day of a date's period, written as a date_trunc call or as a timestamp cast to a date. */
export function readPeriod(expression: Expression, typeOf: TypeLookup): TruncatedDate | null {
  if (expression.kind === 'cast' && expression.type.name === 'date') {
    const inner = readPeriod(expression.value, typeOf);
    if (inner) return inner;
    return typeOf(expression.value) === 'datetime' ? { unit: 'day', of: expression.value } : null;
  }
  if (expression.kind !== 'call' || !TRUNCATING_FUNCTIONS.has(expression.name) || expression.args.length !== 2)
    return null;
  const unit = String(toConstant(expression.args[0]!)).toLowerCase();
  if (!PERIOD_UNITS.has(unit)) return null;
  const date = findDateWithoutZone(expression.args[1]!, typeOf);
  return date && { unit: unit as TruncatedDate['unit'], of: date };
}

/** The numeric part of a date, as in extract and date_part. */
export function readDatePart(expression: Expression, typeOf: TypeLookup): { part: string; of: Expression } | null {
  if (expression.kind === 'cast' && /^(?:int[248]?|integer|bigint|smallint)$/.test(expression.type.name))
    return readDatePart(expression.value, typeOf);
  if (expression.kind !== 'call') return null;
  const part = findPartName(expression);
  const date = part === null ? null : findDateWithoutZone(expression.args.at(-1)!, typeOf);
  return date && { part: part!, of: date };
}

/** The part of a date that each function returns. Functions of weeks are excluded, because some engines don't count ISO weeks. */
const PARTS_BY_FUNCTION: Readonly<Record<string, string>> = {
  year: 'year',
  quarter: 'quarter',
  month: 'month',
  day: 'day',
  dayofmonth: 'day',
  hour: 'hour',
};
/** The name of the part in EXTRACT(part FROM date), date_part('part', date) or part(date). */
function findPartName({ name, args, unit }: Call): string | null {
  const isExtract = name === 'extract' || name === 'date_part';
  if (args.length === 1) {
    const part = isExtract ? unit?.toLowerCase() : PARTS_BY_FUNCTION[name];
    return part !== undefined && part !== 'week' && DATE_PARTS.has(part) ? part : null;
  }
  if (!isExtract || args.length !== 2) return null;
  const part = String(toConstant(args[0]!)).toLowerCase();
  return DATE_PARTS.has(part) ? part : null;
}

/** Returns a date or a timestamp without a time zone, after removing a cast from date to timestamp. */
function findDateWithoutZone(expression: Expression, typeOf: TypeLookup): Expression | null {
  const date =
    expression.kind === 'cast' && expression.type.name === 'timestamp' && typeOf(expression.value) === 'date'
      ? expression.value
      : expression;
  const type = typeOf(date);
  return type === 'date' || type === 'datetime' ? date : null;
}

/** Rewrites a comparison of a period with a constant as bounds on the date. Returns null for every other comparison. */
export function findBounds(comparison: Comparison, typeOf: TypeLookup): Comparison[] | null {
  const constant = toConstant(comparison.right);
  if (typeof constant !== 'string' && typeof constant !== 'number') return null;
  const part = readDatePart(comparison.left, typeOf);
  const period =
    part?.part === 'year' ? { unit: 'year' as const, of: part.of } : part ? null : readPeriod(comparison.left, typeOf);
  if (!period) return null;
  const from = part ? findStartOfYear(constant) : toPeriodStart(constant, period.unit);
  if (!from) return null;
  const to = from.plus({ [period.unit]: 1 });
  const compareDay = (operator: Comparison['operator'], day: DateTime): Comparison =>
    compare(period.of, operator, textOf(day.toISODate()!));
  switch (comparison.operator) {
    case '=':
      return [compareDay('>=', from), compareDay('<', to)];
    case '>=':
      return [compareDay('>=', from)];
    case '>':
      return [compareDay('>=', to)];
    case '<':
      return [compareDay('<', from)];
    case '<=':
      return [compareDay('<', to)];
    default:
      return null;
  }
}

const findStartOfYear = (year: string | number): DateTime | null =>
  /^\d{4}(?:\.0+)?$/.test(String(year)) ? DateTime.utc(Number(year)) : null;

/** Returns the day as a date if it is the first day of a period, because a truncated date never equals another day. */
function toPeriodStart(day: string | number, unit: TruncatedDate['unit']): DateTime | null {
  const text = String(day).replace(/[T ]00:00(?::00(?:\.0+)?)?$/, '');
  if (!DAY_PATTERN.test(text)) return null;
  const from = DateTime.fromISO(text, { zone: 'utc' });
  return from.isValid && +from === +from.startOf(unit) ? from : null;
}

export const addOneDay = (day: string): string =>
  DateTime.fromISO(day.slice(0, 10), { zone: 'utc' }).plus({ day: 1 }).toISODate() ?? throwUnreadable('no date');
