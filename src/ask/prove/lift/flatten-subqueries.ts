// Removes queries in FROM that only name expressions. The expression of an output replaces each reference to that
// output. SQL's order of evaluation doesn't change: conditions on rows apply first, then those on groups, then those on
// windows.
import type { Dialect } from '../../../dialects/dialect.ts';
import { allOf, isNull } from '../../../dialects/make-nodes.ts';
import { conjunctsOf, replaceNodes } from '../../../dialects/nodes.ts';
import type { DerivedTable, Expression, FromItem, Item, Join, Select } from '../../../dialects/tree.ts';
import { callsIn, nodesOutsideQueries } from '../statement/parts.ts';

/** Requires that every table has a unique alias and that every column is qualified with an alias. */
export function flattenSubqueries(dialect: Dialect, select: Select): Select {
  for (const derived of derivedIn(select.from)) {
    const shape = new QueryShape(dialect);
    const mergedSelect =
      mergePlainQuery(shape, select, derived) ??
      mergeGroupedQuery(shape, select, derived) ??
      mergeWindowQuery(shape, select, derived);
    if (mergedSelect) return flattenSubqueries(dialect, mergedSelect);
  }
  return select;
}

const derivedIn = (from: readonly FromItem[]): DerivedTable[] =>
  from.flatMap((item) =>
    item.kind === 'derived'
      ? item.query.kind === 'select'
        ? [item]
        : []
      : item.kind === 'join'
        ? derivedIn([item.left, item.right])
        : [],
  );

/** Whether a SELECT groups rows, uses window functions, or has a LIMIT or OFFSET. */
class QueryShape {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  isGrouped({ groupBy, distinct, having, items }: Select): boolean {
    const { list } = this.#dialect.functions;
    const aggregates = callsIn(items).some(({ name, over }) => over === null && list.kind(name) === 'aggregate');
    return groupBy !== null || distinct !== null || having !== null || aggregates;
  }

  hasWindows({ qualify, items }: Select): boolean {
    return qualify !== null || callsIn(items).some(({ over }) => over !== null);
  }

  isLimited({ limit, offset }: Select): boolean {
    return limit !== null || offset !== null;
  }
}

/** Merges a query that only filters or joins rows. */
function mergePlainQuery(shape: QueryShape, select: Select, derived: DerivedTable): Select | null {
  const inner = derived.query as Select;
  if (shape.isGrouped(inner) || shape.hasWindows(inner) || shape.isLimited(inner)) return null;
  const splicedQuery = spliceSubquery(select.from, derived, inner, false);
  return (
    splicedQuery &&
    substituteOutputs(
      { ...select, from: splicedQuery.from, where: bothConditions(splicedQuery.where, select.where) },
      derived,
    )
  );
}

interface SplicedQuery {
  from: FromItem[];
  where: Expression | null;
}

/** `nullable`: an outer join can leave out the query's rows, so the query's conditions must stay in that join. */
function spliceSubquery(
  from: readonly FromItem[],
  derived: DerivedTable,
  inner: Select,
  nullable: boolean,
): SplicedQuery | null {
  let where: Expression | null = null;
  const splicedItems: FromItem[] = [];
  for (const item of from) {
    if (item === derived) {
      splicedItems.push(...inner.from);
      where = inner.where;
    } else if (item.kind === 'join' && derivedIn([item]).includes(derived)) {
      const condition = spliceIntoJoin(item, derived, inner, nullable);
      if (!condition) return null;
      splicedItems.push(...condition.from);
      where = condition.where;
    } else splicedItems.push(item);
  }
  return { from: splicedItems, where };
}

function spliceIntoJoin(join: Join, derived: DerivedTable, inner: Select, nullable: boolean): SplicedQuery | null {
  const onLeft = derivedIn([join.left]).includes(derived);
  const missing =
    nullable || (onLeft ? join.how === 'right' || join.how === 'full' : join.how !== 'inner' && join.how !== 'cross');
  const side = onLeft ? join.left : join.right;
  if (missing) {
    const onlyTable = inner.from.length === 1 && inner.from[0]!.kind === 'table';
    const onlyColumns = inner.items.every(({ value }) => value.kind === 'column');
    if (nullable || side !== derived || onLeft || join.how !== 'left' || !onlyTable || !onlyColumns) return null;
    return { from: [{ ...join, right: inner.from[0]!, on: bothConditions(join.on, inner.where) }], where: null };
  }
  const splicedQuery = spliceSubquery([side], derived, inner, false);
  const [first, second] = splicedQuery?.from ?? [];
  if (!splicedQuery || !first || second) return null;
  return { from: [onLeft ? { ...join, left: first } : { ...join, right: first }], where: splicedQuery.where };
}

/** Merges a query that groups rows, if the outer query only filters the groups or applies windows to them. */
function mergeGroupedQuery(shape: QueryShape, select: Select, derived: DerivedTable): Select | null {
  const inner = derived.query as Select;
  if (select.from.length !== 1 || select.from[0] !== derived || shape.isLimited(inner) || !shape.isGrouped(inner))
    return null;
  if (shape.isGrouped(select) || (shape.hasWindows(inner) && shape.hasWindows(select))) return null;
  if (inner.distinct && (inner.groupBy || inner.distinct.on.length > 0 || shape.hasWindows(inner))) return null;
  const keys = inner.distinct ? inner.items.map(({ value }) => value) : null;
  const outer = substituteOutputs(select, derived);
  const windows = shape.hasWindows(inner);
  return {
    ...outer,
    from: inner.from,
    where: inner.where,
    groupBy: keys ? { all: false, distinct: false, keys } : inner.groupBy,
    having: windows ? inner.having : bothConditions(inner.having, outer.where),
    qualify: windows ? bothConditions(inner.qualify, outer.where) : outer.qualify,
  };
}

/**
 * Merges a query with window functions. The windows must see rows without a match, so an outer query's inner join
 * becomes a left join plus a condition that applies after the windows.
 */
function mergeWindowQuery(shape: QueryShape, select: Select, derived: DerivedTable): Select | null {
  const inner = derived.query as Select;
  if (
    shape.isLimited(inner) ||
    shape.isGrouped(inner) ||
    !shape.hasWindows(inner) ||
    shape.isGrouped(select) ||
    shape.hasWindows(select)
  )
    return null;
  const [first, second] = select.from;
  if (!first || second) return null;
  const neededColumns: Expression[] = [];
  const joinedItem = joinAfterWindows(first, derived, inner, neededColumns);
  if (!joinedItem) return null;
  const outer = substituteOutputs({ ...select, from: [joinedItem], qualify: allOf(neededColumns) }, derived);
  return {
    ...outer,
    where: inner.where,
    qualify: bothConditions(bothConditions(inner.qualify, outer.where), outer.qualify),
  };
}

function joinAfterWindows(
  item: FromItem,
  derived: DerivedTable,
  inner: Select,
  neededColumns: Expression[],
): FromItem | null {
  if (item === derived) return inner.from.length === 1 ? inner.from[0]! : null;
  if (item.kind !== 'join' || item.right.kind !== 'table' || (item.how !== 'inner' && item.how !== 'left')) return null;
  const left = joinAfterWindows(item.left, derived, inner, neededColumns);
  if (!left || !item.on) return null;
  const alias = item.right.alias;
  const joinedColumns = [...nodesOutsideQueries([item.on])].filter(
    (node) => node.kind === 'column' && node.path[0] === alias,
  );
  if (item.how === 'inner') neededColumns.push(...joinedColumns.map((node) => isNull(node as Expression, true)));
  return { ...item, how: 'left', left };
}

const bothConditions = (a: Expression | null, b: Expression | null): Expression | null =>
  allOf([a, b].flatMap((item) => (item ? [...conjunctsOf(item)] : [])));

/** Replaces each reference to an output of the query by its expression. */
function substituteOutputs(select: Select, { alias, query }: DerivedTable): Select {
  const items: Item[] = (query as Select).items;
  return replaceNodes(select, (node) => {
    if (node.kind !== 'column' || node.path[0] !== alias) return null;
    return items.find((item) => item.alias === node.path[1])?.value ?? null;
  });
}
