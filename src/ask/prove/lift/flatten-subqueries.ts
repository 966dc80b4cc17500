// Removes queries in FROM that only name expressions. Each use of an output becomes the expression itself. The SQL
// order of evaluation stays: conditions on rows, then on groups, then on windows.
import type { Dialect } from '../../../dialects/dialect.ts';
import { allOf, isNull } from '../../../dialects/make-nodes.ts';
import { conjunctsOf, replaceNodes } from '../../../dialects/nodes.ts';
import type { Derived, Expression, FromItem, Item, Join, Select } from '../../../dialects/tree.ts';
import { callsIn, nodesOutsideQueries } from '../statement/parts.ts';

/** Requires that every table has a unique alias and that every column is qualified with one. */
export function flattenSubqueries(dialect: Dialect, select: Select): Select {
  for (const derived of derivedIn(select.from)) {
    const shape = new QueryShape(dialect);
    const put =
      mergePlainQuery(shape, select, derived) ??
      mergeGroupedQuery(shape, select, derived) ??
      mergeWindowQuery(shape, select, derived);
    if (put) return flattenSubqueries(dialect, put);
  }
  return select;
}

const derivedIn = (from: readonly FromItem[]): Derived[] =>
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

  groups({ groupBy, distinct, having, items }: Select): boolean {
    const { list } = this.#dialect.functions;
    const aggregates = callsIn(items).some(({ name, over }) => over === null && list.kind(name) === 'aggregate');
    return groupBy !== null || distinct !== null || having !== null || aggregates;
  }

  windows({ qualify, items }: Select): boolean {
    return qualify !== null || callsIn(items).some(({ over }) => over !== null);
  }

  cuts({ limit, offset }: Select): boolean {
    return limit !== null || offset !== null;
  }
}

/** Merges a query that only filters or joins rows. */
function mergePlainQuery(shape: QueryShape, select: Select, derived: Derived): Select | null {
  const inner = derived.query as Select;
  if (shape.groups(inner) || shape.windows(inner) || shape.cuts(inner)) return null;
  const put = spliceSubquery(select.from, derived, inner, false);
  return (
    put && substituteOutputs({ ...select, from: put.from, where: bothConditions(put.where, select.where) }, derived)
  );
}

interface SplicedQuery {
  from: FromItem[];
  where: Expression | null;
}

/** `nullable`: an outer join can leave out the query's rows, so its conditions must stay in that join. */
function spliceSubquery(
  from: readonly FromItem[],
  derived: Derived,
  inner: Select,
  nullable: boolean,
): SplicedQuery | null {
  let where: Expression | null = null;
  const put: FromItem[] = [];
  for (const item of from) {
    if (item === derived) {
      put.push(...inner.from);
      where = inner.where;
    } else if (item.kind === 'join' && derivedIn([item]).includes(derived)) {
      const condition = inJoin(item, derived, inner, nullable);
      if (!condition) return null;
      put.push(...condition.from);
      where = condition.where;
    } else put.push(item);
  }
  return { from: put, where };
}

function inJoin(join: Join, derived: Derived, inner: Select, nullable: boolean): SplicedQuery | null {
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
  const put = spliceSubquery([side], derived, inner, false);
  const [first, second] = put?.from ?? [];
  if (!put || !first || second) return null;
  return { from: [onLeft ? { ...join, left: first } : { ...join, right: first }], where: put.where };
}

/** Merges a query that groups rows, if the outer query only filters the groups or applies windows to them. */
function mergeGroupedQuery(shape: QueryShape, select: Select, derived: Derived): Select | null {
  const inner = derived.query as Select;
  if (select.from.length !== 1 || select.from[0] !== derived || shape.cuts(inner) || !shape.groups(inner)) return null;
  if (shape.groups(select) || (shape.windows(inner) && shape.windows(select))) return null;
  if (inner.distinct && (inner.groupBy || inner.distinct.on.length > 0 || shape.windows(inner))) return null;
  const keys = inner.distinct ? inner.items.map(({ value }) => value) : null;
  const outer = substituteOutputs(select, derived);
  const windows = shape.windows(inner);
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
function mergeWindowQuery(shape: QueryShape, select: Select, derived: Derived): Select | null {
  const inner = derived.query as Select;
  if (
    shape.cuts(inner) ||
    shape.groups(inner) ||
    !shape.windows(inner) ||
    shape.groups(select) ||
    shape.windows(select)
  )
    return null;
  const [first, second] = select.from;
  if (!first || second) return null;
  const needed: Expression[] = [];
  const joined = joinAfterWindows(first, derived, inner, needed);
  if (!joined) return null;
  const outer = substituteOutputs({ ...select, from: [joined], qualify: allOf(needed) }, derived);
  return {
    ...outer,
    where: inner.where,
    qualify: bothConditions(bothConditions(inner.qualify, outer.where), outer.qualify),
  };
}

function joinAfterWindows(item: FromItem, derived: Derived, inner: Select, needed: Expression[]): FromItem | null {
  if (item === derived) return inner.from.length === 1 ? inner.from[0]! : null;
  if (item.kind !== 'join' || item.right.kind !== 'table' || (item.how !== 'inner' && item.how !== 'left')) return null;
  const left = joinAfterWindows(item.left, derived, inner, needed);
  if (!left || !item.on) return null;
  const alias = item.right.alias;
  const joinedColumns = [...nodesOutsideQueries([item.on])].filter(
    (node) => node.kind === 'column' && node.path[0] === alias,
  );
  if (item.how === 'inner') needed.push(...joinedColumns.map((node) => isNull(node as Expression, true)));
  return { ...item, how: 'left', left };
}

const bothConditions = (a: Expression | null, b: Expression | null): Expression | null =>
  allOf([a, b].flatMap((item) => (item ? [...conjunctsOf(item)] : [])));

/** Replaces each reference to an output of the query by its expression. */
function substituteOutputs(select: Select, { alias, query }: Derived): Select {
  const items: Item[] = (query as Select).items;
  return replaceNodes(select, (node) => {
    if (node.kind !== 'column' || node.path[0] !== alias) return null;
    return items.find((item) => item.alias === node.path[1])?.value ?? null;
  });
}
