// Removes queries in FROM that only name expressions. The expression of an output replaces each reference to that
// output. SQL's order of evaluation doesn't change: conditions on rows apply first, then conditions on groups, then
// conditions on windows.
import type { Dialect } from '../../../dialects/dialect.ts';
import { allOf, isNull } from '../../../dialects/make-nodes.ts';
import { listConjuncts, replaceNodes } from '../../../dialects/nodes.ts';
import type { DerivedTable, Expression, FromItem, Join, Select, SelectItem } from '../../../dialects/tree.ts';
import { findAggregateCalls, findCalls, findColumns } from '../statement/parts.ts';

/** Every table must have a unique alias, and every column must be qualified with an alias. */
export function flattenSubqueries(dialect: Dialect, select: Select): Select {
  for (const derivedTable of findDerivedTables(select.from)) {
    const mergedSelect =
      mergePlainQuery(dialect, select, derivedTable) ??
      mergeGroupedQuery(dialect, select, derivedTable) ??
      mergeWindowQuery(dialect, select, derivedTable);
    if (mergedSelect) return flattenSubqueries(dialect, mergedSelect);
  }
  return select;
}

const findDerivedTables = (from: readonly FromItem[]): DerivedTable[] =>
  from.flatMap((item) =>
    item.kind === 'derived'
      ? item.query.kind === 'select'
        ? [item]
        : []
      : item.kind === 'join'
        ? findDerivedTables([item.left, item.right])
        : [],
  );

const isGrouped = (dialect: Dialect, { groupBy, distinct, having, items }: Select): boolean =>
  groupBy !== null || distinct !== null || having !== null || findAggregateCalls(dialect, items).length > 0;
const hasWindows = ({ qualify, items }: Select): boolean =>
  qualify !== null || findCalls(items).some(({ over }) => over !== null);
const isLimited = ({ limit, offset }: Select): boolean => limit !== null || offset !== null;

/** Merges a query that only filters or joins rows. */
function mergePlainQuery(dialect: Dialect, select: Select, derivedTable: DerivedTable): Select | null {
  const innerSelect = derivedTable.query as Select;
  if (isGrouped(dialect, innerSelect) || hasWindows(innerSelect) || isLimited(innerSelect)) return null;
  const splicedQuery = inlineSubquery(select.from, derivedTable, innerSelect, false);
  return (
    splicedQuery &&
    substituteOutputs(
      { ...select, from: splicedQuery.from, where: combineConditions(splicedQuery.where, select.where) },
      derivedTable,
    )
  );
}

interface InlinedQuery {
  from: FromItem[];
  where: Expression | null;
}

/** `nullable`: an outer join can leave out the query's rows, so the query's conditions must stay in that join. */
function inlineSubquery(
  from: readonly FromItem[],
  derivedTable: DerivedTable,
  innerSelect: Select,
  nullable: boolean,
): InlinedQuery | null {
  let where: Expression | null = null;
  const splicedItems: FromItem[] = [];
  for (const item of from) {
    if (item === derivedTable) {
      splicedItems.push(...innerSelect.from);
      where = innerSelect.where;
    } else if (item.kind === 'join' && findDerivedTables([item]).includes(derivedTable)) {
      const splicedJoin = inlineIntoJoin(item, derivedTable, innerSelect, nullable);
      if (!splicedJoin) return null;
      splicedItems.push(...splicedJoin.from);
      where = splicedJoin.where;
    } else splicedItems.push(item);
  }
  return { from: splicedItems, where };
}

function inlineIntoJoin(
  join: Join,
  derivedTable: DerivedTable,
  innerSelect: Select,
  nullable: boolean,
): InlinedQuery | null {
  const onLeft = findDerivedTables([join.left]).includes(derivedTable);
  const canMissRows =
    nullable || (onLeft ? join.how === 'right' || join.how === 'full' : join.how !== 'inner' && join.how !== 'cross');
  const side = onLeft ? join.left : join.right;
  if (canMissRows) {
    const onlyTable = innerSelect.from.length === 1 && innerSelect.from[0]!.kind === 'table';
    const onlyColumns = innerSelect.items.every(({ value }) => value.kind === 'column');
    if (nullable || side !== derivedTable || onLeft || join.how !== 'left' || !onlyTable || !onlyColumns) return null;
    return {
      from: [{ ...join, right: innerSelect.from[0]!, on: combineConditions(join.on, innerSelect.where) }],
      where: null,
    };
  }
  const splicedQuery = inlineSubquery([side], derivedTable, innerSelect, false);
  const [first, second] = splicedQuery?.from ?? [];
  if (!splicedQuery || !first || second) return null;
  return { from: [onLeft ? { ...join, left: first } : { ...join, right: first }], where: splicedQuery.where };
}

/** Merges a query that groups rows, if the outer query only filters the groups or applies windows to them. */
function mergeGroupedQuery(dialect: Dialect, select: Select, derivedTable: DerivedTable): Select | null {
  const innerSelect = derivedTable.query as Select;
  if (
    select.from.length !== 1 ||
    select.from[0] !== derivedTable ||
    isLimited(innerSelect) ||
    !isGrouped(dialect, innerSelect)
  )
    return null;
  if (isGrouped(dialect, select) || (hasWindows(innerSelect) && hasWindows(select))) return null;
  if (innerSelect.distinct && (innerSelect.groupBy || innerSelect.distinct.on.length > 0 || hasWindows(innerSelect)))
    return null;
  const keys = innerSelect.distinct ? innerSelect.items.map(({ value }) => value) : null;
  const outerSelect = substituteOutputs(select, derivedTable);
  const windows = hasWindows(innerSelect);
  const mergedSelect = {
    ...outerSelect,
    from: innerSelect.from,
    where: innerSelect.where,
    groupBy: keys ? { all: false, distinct: false, keys } : innerSelect.groupBy,
    having: windows ? innerSelect.having : combineConditions(innerSelect.having, outerSelect.where),
    qualify: windows ? combineConditions(innerSelect.qualify, outerSelect.where) : outerSelect.qualify,
  };
  // Without an aggregate, the merged query wouldn't be grouped. It could then return several rows instead of one.
  return isGrouped(dialect, mergedSelect) ? mergedSelect : null;
}

/**
 * Merges a query with window functions. The windows must see rows without a match, so an outer query's inner join
 * becomes a left join plus a condition that applies after the windows.
 */
function mergeWindowQuery(dialect: Dialect, select: Select, derivedTable: DerivedTable): Select | null {
  const innerSelect = derivedTable.query as Select;
  if (
    isLimited(innerSelect) ||
    isGrouped(dialect, innerSelect) ||
    !hasWindows(innerSelect) ||
    isGrouped(dialect, select) ||
    hasWindows(select)
  )
    return null;
  const [first, second] = select.from;
  if (!first || second) return null;
  const neededColumns: Expression[] = [];
  const joinedItem = createJoinAfterWindows(first, derivedTable, innerSelect, neededColumns);
  if (!joinedItem) return null;
  const outerSelect = substituteOutputs({ ...select, from: [joinedItem], qualify: allOf(neededColumns) }, derivedTable);
  return {
    ...outerSelect,
    where: innerSelect.where,
    qualify: combineConditions(combineConditions(innerSelect.qualify, outerSelect.where), outerSelect.qualify),
  };
}

function createJoinAfterWindows(
  item: FromItem,
  derivedTable: DerivedTable,
  innerSelect: Select,
  neededColumns: Expression[],
): FromItem | null {
  if (item === derivedTable) return innerSelect.from.length === 1 ? innerSelect.from[0]! : null;
  if (item.kind !== 'join' || item.right.kind !== 'table' || (item.how !== 'inner' && item.how !== 'left')) return null;
  const left = createJoinAfterWindows(item.left, derivedTable, innerSelect, neededColumns);
  if (!left || !item.on) return null;
  const alias = item.right.alias;
  const joinedColumns = findColumns([item.on]).filter(({ path }) => path[0] === alias);
  if (item.how === 'inner') neededColumns.push(...joinedColumns.map((column) => isNull(column, true)));
  return { ...item, how: 'left', left };
}

const combineConditions = (a: Expression | null, b: Expression | null): Expression | null =>
  allOf([a, b].flatMap((item) => listConjuncts(item)));

/** Replaces each reference to an output of the query with its expression. */
function substituteOutputs(select: Select, { alias, query }: DerivedTable): Select {
  const items: SelectItem[] = (query as Select).items;
  return replaceNodes(select, (node) => {
    if (node.kind !== 'column' || node.path[0] !== alias) return null;
    return items.find((item) => item.alias === node.path[1])?.value ?? null;
  });
}
