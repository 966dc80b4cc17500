// Reads the list of days that a statement makes with generate_series, a recursive query, VALUES or a union of
// constants.
import { DateTime } from 'luxon';
import { listConjuncts, toConstant } from '../../../../dialects/nodes.ts';
import type { Call, Expression, FromItem, Query, Select, TableCall } from '../../../../dialects/tree.ts';
import { UnreadablePartError } from '../scope.ts';
import { readDuration } from './today.ts';

export interface DayList {
  days: string[];
  column: string;
}
type DayListLookup = (name: string) => DayList | null;

/** The maximum length of a list of days. No plan has this many periods. */
const MAX_DAYS = 1000;

/**
 * `self` is the name that a recursive query uses for itself. Returns null if the query doesn't generate a list of
 * days.
 */
export function readDayList(
  query: Query,
  lookUpDays: DayListLookup,
  self: { name: string; columns: string[] } | null = null,
): DayList | null {
  if (query.limit || query.offset || query.with) return null;
  switch (query.kind) {
    case 'values':
      return toDistinctDays(
        query.rows.map((row) => (row.length === 1 ? readDay(row[0]!) : null)),
        'column1',
      );
    case 'set': {
      const left = query.operator === 'union' && !query.byName ? readDayList(query.left, lookUpDays) : null;
      if (!left) return null;
      if (self && isRecursive(query.right, self.name))
        return readDaysOfRecursion(
          { ...left, column: self.columns[0] ?? left.column },
          query.right as Select,
          self.name,
        );
      const right = readDayList(query.right, lookUpDays);
      return right && toDistinctDays([...left.days, ...right.days], left.column);
    }
    case 'select':
      return readDaysOfSelect(query, lookUpDays);
  }
}

function readDaysOfSelect(select: Select, lookUpDays: DayListLookup): DayList | null {
  const [item, second] = select.items;
  const [from, other] = select.from;
  if (!item || second || other || select.where || select.groupBy || select.having || select.qualify) return null;
  const column = item.alias ?? '';
  if (!from) {
    const day = readDay(item.value);
    const call = withoutDateCasts(item.value);
    if (day) return { days: [day], column };
    const series = call.kind === 'call' ? readSeries(unwrapUnnest(call)) : null;
    return series && { days: series, column: item.alias ?? (call as Call).name };
  }
  const innerDays = readDays(from, lookUpDays);
  const uncastValue = withoutDateCasts(item.value);
  if (!innerDays || uncastValue.kind !== 'column' || uncastValue.path.at(-1) !== innerDays.column) return null;
  return { days: innerDays.days, column: item.alias ?? innerDays.column };
}

export function readDays(from: FromItem, lookUpDays: DayListLookup): DayList | null {
  if (from.kind === 'table_call') return readDaysOfCall(from);
  if (from.kind === 'derived') {
    const innerDays = readDayList(from.query, lookUpDays);
    return innerDays && { ...innerDays, column: from.columns[0] ?? innerDays.column };
  }
  return from.kind === 'table' && from.schema === null ? lookUpDays(from.name) : null;
}

/** If the function returns single values, the alias of the function is also the name of its column. */
function readDaysOfCall({ calls, ordinality, columns, alias }: TableCall): DayList | null {
  const [call, second] = calls;
  const days = call && !second && !ordinality ? readSeries(unwrapUnnest(call)) : null;
  return days && { days, column: columns[0] ?? alias ?? call!.name };
}

const unwrapUnnest = (call: Call): Call => {
  const [only] = call.args;
  return call.name === 'unnest' && only?.kind === 'call' ? only : call;
};

function readSeries({ name, args: [from, to, step] }: Call): string[] | null {
  const [start, end] = [from, to].map((item) => item && readDay(item));
  const span = step && readDuration(withoutDateCasts(step));
  if ((name !== 'generate_series' && name !== 'range') || !start || !end || !span) return null;
  return listDaysByStep(start, span, (day) => (name === 'range' ? day < end : day <= end));
}

function readDaysOfRecursion({ days, column }: DayList, select: Select, self: string): DayList | null {
  const [[start, second], [item, other]] = [days, select.items];
  const [from, join] = select.from;
  if (!start || second || !item || other || join || from?.kind !== 'table' || from.name !== self) return null;
  const span = readAddedStep(item.value, column);
  const [condition, otherCondition] = listConjuncts(select.where);
  if (!span || !condition || otherCondition || condition.kind !== 'compare') return null;
  const { left, operator } = condition;
  const end = readDay(condition.right);
  const leftStep = isColumn(left, column) ? {} : readAddedStep(left, column);
  if (!end || !leftStep || (operator !== '<' && operator !== '<=')) return null;
  const isWithinEnd = (day: string): boolean => (operator === '<' ? day < end : day <= end);
  const seriesDays = [start];
  // A recursive query adds the next row only if the current row meets the query's condition.
  for (let day = start; isWithinEnd(addStep(day, leftStep)); seriesDays.push(day)) {
    day = addStep(day, span);
    if (seriesDays.length > MAX_DAYS) throw new UnreadablePartError('periods');
  }
  return { days: seriesDays, column };
}

type DateStep = Record<string, number>;
const addStep = (day: string, step: DateStep): string => DateTime.fromISO(day, { zone: 'utc' }).plus(step).toISODate()!;

function listDaysByStep(start: string, step: DateStep, shouldContinue: (day: string) => boolean): string[] {
  const days: string[] = [];
  if (addStep(start, step) <= start) return [];
  for (let day = start; shouldContinue(day); day = addStep(day, step)) {
    if (days.length > MAX_DAYS) throw new UnreadablePartError('periods');
    days.push(day);
  }
  return days;
}

const isColumn = (expression: Expression, column: string): boolean => {
  const uncastValue = withoutDateCasts(expression);
  return uncastValue.kind === 'column' && uncastValue.path.at(-1) === column;
};
function readAddedStep(expression: Expression, column: string): DateStep | null {
  const uncastValue = withoutDateCasts(expression);
  if (
    uncastValue.kind !== 'arithmetic' ||
    uncastValue.operator !== '+' ||
    !uncastValue.left ||
    !isColumn(uncastValue.left, column)
  )
    return null;
  const step = readDuration(withoutDateCasts(uncastValue.right));
  return step && Object.values(step).every((count) => count > 0) ? step : null;
}

export const withoutDateCasts = (expression: Expression): Expression =>
  expression.kind === 'cast' && /^(?:date|timestamp|timestamptz)$/.test(expression.type.name)
    ? withoutDateCasts(expression.value)
    : expression;

function readDay(expression: Expression): string | null {
  const value = toConstant(expression);
  const [, day] = (typeof value === 'string' && /^(\d{4}-\d\d-\d\d)(?:[T ]00:00(?::00)?)?$/.exec(value)) || [];
  return day !== undefined && DateTime.fromISO(day).isValid ? day : null;
}

function toDistinctDays(dayTexts: (string | null)[], column: string): DayList | null {
  if (dayTexts.length > MAX_DAYS) throw new UnreadablePartError('periods');
  const days = dayTexts.filter((day) => day !== null);
  return days.length === dayTexts.length && new Set(days).size === days.length ? { days, column } : null;
}

export const isRecursive = (query: unknown, self: string): boolean =>
  typeof query === 'object' &&
  query !== null &&
  (('kind' in query && query.kind === 'table' && 'name' in query && query.name === self) ||
    Object.values(query).some((item) => isRecursive(item, self)));
