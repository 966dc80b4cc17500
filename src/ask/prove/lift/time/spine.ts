// Reads statements that show every period, including periods without rows: a list of days, left-joined to rows or groups
// on the period of a date. The rows become the plan's measures, and the days become its periods.
import { DateTime } from 'luxon';
import type { Dialect } from '../../../../dialects/dialect.ts';
import { allOf, callOf, castOf, compare, textOf } from '../../../../dialects/make-nodes.ts';
import { areTreesEqual, listConjuncts, listNodes, replaceNodes } from '../../../../dialects/nodes.ts';
import type { DerivedTable, Expression, FromItem, Join, Node, Select, Values } from '../../../../dialects/tree.ts';
import { findAggregateCalls } from '../../statement/parts.ts';
import { type ExpressionRenderer, SWAPPED_OPERATORS } from '../expression-renderer.ts';
import type { PeriodList } from '../meaning.ts';
import { UnreadablePartError } from '../scope.ts';
import {
  type GroupedQuery,
  requireMissingRowIgnored,
  requirePlainAggregates,
  substituteJoinedOutputs,
} from './joined-groups.ts';
import { readPeriod } from './periods.ts';
import { withoutDateCasts } from './series.ts';
import { readDuration } from './today.ts';

export interface PeriodSpine {
  /** The SELECT without the list of days. */
  select: Select;
  /** The query with groups that is joined to the days. Null if plain rows are joined. */
  part: GroupedQuery | null;
  key: Expression;
  starts: string[];
}

/** Returns null for a SELECT of any other form. */
export function readSpine(
  dialect: Dialect,
  select: Select,
  readPart: (query: Select) => GroupedQuery,
): PeriodSpine | null {
  const [single, second] = select.from;
  const chain = single && !second ? readJoinChain(single) : null;
  if (!chain || select.where || select.qualify || select.distinct) return null;
  const { spine, joins } = chain;
  const [first, ...otherJoins] = joins;
  const starts = (spine.query as Values).rows.map(([day]) => (day as { value: string }).value);
  if (!first || starts.length === 0) throw new UnreadablePartError('from');
  const isSpine = (node: Node): boolean => node.kind === 'column' && node.path[0] === spine.alias;
  if (
    [first.right, ...otherJoins.flatMap(({ right, on }) => [right, on!])].some((item) =>
      [...listNodes(item as Node)].some(isSpine),
    )
  )
    throw new UnreadablePartError('from');
  const { key, rest } = requirePeriodKey(listConjuncts(first.on), starts, isSpine);
  const substituteKey = <T>(part: T): T => replaceNodes(part, (node) => (isSpine(node) ? key : null));
  if (first.right.kind === 'derived') {
    if (otherJoins.length + rest.length > 0 || select.groupBy) throw new UnreadablePartError('from');
    const { alias, query } = first.right;
    if (query.kind !== 'select') throw new UnreadablePartError('from');
    const part = readPart(query);
    const parts = [{ alias: alias!, query, items: part.items }];
    requirePlainAggregates(dialect, select, parts[0]!);
    return {
      select: substituteJoinedOutputs(substituteKey(select), parts),
      part,
      key: substituteJoinedOutputs(key, parts),
      starts,
    };
  }
  if (!select.groupBy) throw new UnreadablePartError('from');
  const clauses = substituteKey({
    items: select.items,
    groupBy: select.groupBy,
    having: select.having,
    orderBy: select.orderBy,
  });
  for (const call of findAggregateCalls(dialect, [clauses.items, clauses.having, clauses.orderBy]))
    requireMissingRowIgnored(call);
  const from = otherJoins.reduce<FromItem>((left, join) => ({ ...join, left }), first.right);
  return { select: { ...select, ...clauses, from: [from], where: allOf(rest) }, part: null, key, starts };
}

interface JoinChain {
  spine: DerivedTable;
  joins: Join[];
}
function readJoinChain(item: FromItem): JoinChain | null {
  if (item.kind === 'derived') return item.query.kind === 'values' ? { spine: item, joins: [] } : null;
  if (item.kind !== 'join') return null;
  const precedingChain = readJoinChain(item.left);
  if (!precedingChain) return null;
  if (item.how !== 'left' || !item.on) throw new UnreadablePartError('from');
  return { ...precedingChain, joins: [...precedingChain.joins, item] };
}

const PERIOD_UNITS = ['day', 'week', 'month', 'quarter', 'year'] as const;

/**
 * Finds how the statement assigns a row to a period. Either the row's truncated date equals the period's first day, or
 * the row's date is between that day and the first day of the next period.
 */
function requirePeriodKey(
  conditions: Expression[],
  starts: string[],
  isSpine: (node: Node) => boolean,
): { key: Expression; rest: Expression[] } {
  const rest = conditions.filter((condition) => ![...listNodes(condition)].some(isSpine));
  const spineConditions = conditions.filter((condition) => !rest.includes(condition));
  const comparisons = spineConditions.map((condition) => {
    if (condition.kind !== 'compare') throw new UnreadablePartError('from');
    return isSpine(withoutDateCasts(condition.left)) || readStepUnit(condition.left, isSpine)
      ? {
          operator: SWAPPED_OPERATORS[condition.operator] ?? condition.operator,
          of: condition.right,
          day: condition.left,
        }
      : { operator: condition.operator, of: condition.left, day: condition.right };
  });
  if (comparisons.some(({ of }) => [...listNodes(of)].some(isSpine))) throw new UnreadablePartError('from');
  const [equal, second] = comparisons;
  if (equal && !second && (equal.operator === '=' || equal.operator === 'is not distinct from')) {
    if (!isSpine(withoutDateCasts(equal.day))) throw new UnreadablePartError('from');
    return { key: equal.of, rest };
  }
  const from = comparisons.find(({ operator, day }) => operator === '>=' && isSpine(withoutDateCasts(day)));
  const to = comparisons.find(({ operator, day }) => operator === '<' && readStepUnit(day, isSpine));
  const unit = to && readStepUnit(to.day, isSpine);
  const date = from && withoutDateCasts(from.of);
  if (!unit || comparisons.length !== 2 || date?.kind !== 'column' || !areTreesEqual(withoutDateCasts(to.of), date))
    throw new UnreadablePartError('from');
  const dates = starts.map((day) => DateTime.fromISO(day, { zone: 'utc' }));
  if (dates.some((day) => +day !== +day.startOf(unit))) throw new UnreadablePartError('from');
  return { key: castOf(callOf('date_trunc', [textOf(unit), date]), 'date'), rest };
}

/** The unit of the period, if the expression adds one period to a day of the list. */
function readStepUnit(
  expression: Expression,
  isSpine: (expression: Node) => boolean,
): (typeof PERIOD_UNITS)[number] | null {
  const uncastValue = withoutDateCasts(expression);
  if (
    uncastValue.kind !== 'arithmetic' ||
    uncastValue.operator !== '+' ||
    !uncastValue.left ||
    !isSpine(withoutDateCasts(uncastValue.left))
  )
    return null;
  const span = Object.entries(readDuration(uncastValue.right) ?? {});
  return (span.length === 1 && PERIOD_UNITS.find((unit) => `${unit}s` === span[0]![0] && span[0]![1] === 1)) || null;
}

/** The periods of the date that the key truncates, from the first day to the last. */
export function toPeriods({ key, starts }: PeriodSpine, text: ExpressionRenderer): PeriodList {
  const { typeOf } = text;
  const period = readPeriod(key, typeOf) ?? (typeOf(key) === 'date' ? { unit: 'day' as const, of: key } : null);
  if (period?.of.kind !== 'column') throw new UnreadablePartError('periods');
  const days = [...starts].sort();
  const from = days[0]!;
  const to = DateTime.fromISO(days.at(-1)!, { zone: 'utc' })
    .plus({ [period.unit]: 1 })
    .toISODate()!;
  const ends = [compare(period.of, '>=', textOf(from)), compare(period.of, '<', textOf(to))];
  return { key: text.render(key), days, from, to, boundConditions: ends.flatMap((end) => text.renderConjuncts(end)) };
}
