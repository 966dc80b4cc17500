// Rewrites conditions on rows of other tables to EXISTS. An anti-join, IN and NOT IN with a query are equivalent to
// EXISTS or NOT EXISTS only if no NULL can make them unknown.
import type { Dialect } from '../../../dialects/dialect.ts';
import { allOf, anyOf, compare, exists, itemOf, numberOf, selectOf } from '../../../dialects/make-nodes.ts';
import { areTreesEqual, listConjuncts, listNodes } from '../../../dialects/nodes.ts';
import type { Expression, FromItem, Join, Query, Select, Table } from '../../../dialects/tree.ts';
import type { Lens } from '../../../lens/model/lens.ts';
import { findColumnOfDataset, requireDataset } from './scope.ts';

type NeverNullTest = (value: Expression) => boolean;

/** Adds to `keyedDatasets` each dataset whose primary key must never be null for this rewrite to be correct. */
export function rewriteToExists(lens: Lens, dialect: Dialect, select: Select, keyedDatasets: Set<string>): Select {
  const neverNullIn = createNeverNullTestFactory(lens, dialect, keyedDatasets);
  const joinedSelect = withoutAntiJoins(select, neverNullIn);
  const rewrite = (expression: Expression): Expression =>
    rewriteCondition(expression, neverNullIn(joinedSelect.from), neverNullIn);
  return { ...joinedSelect, where: joinedSelect.where && allOf(listConjuncts(joinedSelect.where).map(rewrite)) };
}

type NeverNullTestFactory = (from: readonly FromItem[]) => NeverNullTest;

/** Recognizes columns that are never NULL, in tables that no outer join fills with NULL. */
const createNeverNullTestFactory =
  (lens: Lens, dialect: Dialect, keyedDatasets: Set<string>): NeverNullTestFactory =>
  (from) => {
    const tables = findPresentTables(from);
    return (value) => {
      const table = value.kind === 'column' ? tables.find(({ alias }) => alias === value.path[0]) : undefined;
      if (!table || value.kind !== 'column') return false;
      const dataset = requireDataset(lens, dialect, table.schema, table.name);
      const column = findColumnOfDataset(lens, dialect, dataset, value.path[1]!);
      if (column?.field?.nullable === false) return true;
      const isKey = column !== null && dataset.primaryKey.includes(column.column);
      if (isKey) keyedDatasets.add(dataset.name);
      return isKey;
    };
  };

const findPresentTables = (from: readonly FromItem[]): Table[] =>
  from.flatMap((item) => {
    if (item.kind === 'table') return [item];
    if (item.kind !== 'join') return [];
    const [left, right] = [findPresentTables([item.left]), findPresentTables([item.right])];
    return item.how === 'inner' || item.how === 'cross' ? [...left, ...right] : item.how === 'left' ? left : [];
  });

/** Rewrites `a left join b on … where b.c is null` if c is never NULL in a match and nothing else uses b. */
function withoutAntiJoins(select: Select, neverNullIn: NeverNullTestFactory): Select {
  for (const condition of listConjuncts(select.where)) {
    if (condition.kind !== 'is_null' || condition.negated || condition.value.kind !== 'column') continue;
    const [alias] = condition.value.path;
    const join = findLeftJoins(select.from).find(({ right }) => (right as Table).alias === alias);
    if (!join?.on || !isNonNullInMatches(join, condition.value, neverNullIn)) continue;
    const otherConjuncts = listConjuncts(select.where).filter((conjunct) => conjunct !== condition);
    const from = select.from.map((item) => withoutJoin(item, join));
    const rest = { ...select, from, where: null };
    if (mentionsAlias([rest, otherConjuncts], alias!)) continue;
    const notExists = exists(createExistsSelect(join.right, listConjuncts(join.on)), true);
    return withoutAntiJoins({ ...rest, where: allOf([...otherConjuncts, notExists]) }, neverNullIn);
  }
  return select;
}

const findLeftJoins = (from: readonly FromItem[]): Join[] =>
  from.flatMap((item) =>
    item.kind !== 'join'
      ? []
      : [...(item.how === 'left' && item.right.kind === 'table' ? [item] : []), ...findLeftJoins([item.left])],
  );
const withoutJoin = (item: FromItem, join: Join): FromItem =>
  item === join ? join.left : item.kind === 'join' ? { ...item, left: withoutJoin(item.left, join) } : item;

/**
 * Whether the column is never NULL in a matching row, because the lens declares this or because the join compares the
 * column with `=`.
 */
const isNonNullInMatches = ({ right, on }: Join, column: Expression, neverNullIn: NeverNullTestFactory): boolean =>
  neverNullIn([right])(column) ||
  listConjuncts(on!).some(
    (conjunct) =>
      conjunct.kind === 'compare' &&
      conjunct.operator === '=' &&
      [conjunct.left, conjunct.right].some((operand) => areTreesEqual(operand, column)),
  );

const mentionsAlias = (parts: unknown[], alias: string): boolean =>
  [...listNodes({ kind: 'row', items: parts as Expression[], keyword: false, at: null })].some(
    (node) => node.kind === 'column' && node.path[0] === alias,
  );

const createExistsSelect = (from: FromItem, where: Expression[]): Select =>
  selectOf([itemOf(numberOf(1))], [from], { where: allOf(where) });

/**
 * Rewrites a condition in WHERE. The rewritten condition can be false where the original is unknown, because WHERE
 * drops the row in both cases.
 */
function rewriteCondition(
  expression: Expression,
  isNeverNull: NeverNullTest,
  neverNullIn: NeverNullTestFactory,
): Expression {
  if (expression.kind === 'logic' && (expression.operator === 'and' || expression.operator === 'or'))
    return { ...expression, args: expression.args.map((arg) => rewriteCondition(arg, isNeverNull, neverNullIn)) };
  if (expression.kind === 'logic' && expression.operator === 'not') {
    const [operand] = expression.args;
    if (operand?.kind === 'in' && !operand.negated)
      return rewriteCondition({ ...operand, negated: true }, isNeverNull, neverNullIn);
    if (operand?.kind === 'exists')
      return rewriteCondition({ ...operand, negated: !operand.negated }, isNeverNull, neverNullIn);
    return expression;
  }
  if (expression.kind === 'in' && !Array.isArray(expression.among))
    return (
      rewriteInToExists(expression.value, expression.among, expression.negated, isNeverNull, neverNullIn) ?? expression
    );
  return expression.kind === 'exists' ? splitExists(expression.query, expression.negated) : expression;
}

function rewriteInToExists(
  value: Expression,
  query: Query,
  negated: boolean,
  isNeverNull: NeverNullTest,
  neverNullIn: NeverNullTestFactory,
): Expression | null {
  if (query.kind !== 'select' || query.groupBy || query.having || query.limit || query.offset || query.qualify)
    return null;
  const [item, second] = query.items;
  if (!item || second || item.value.kind !== 'column' || query.distinct?.on.length) return null;
  const excludesNull = listConjuncts(query.where).some(
    (conjunct) => conjunct.kind === 'is_null' && conjunct.negated && areTreesEqual(conjunct.value, item.value),
  );
  if (negated && !(isNeverNull(value) && (excludesNull || neverNullIn(query.from)(item.value)))) return null;
  const equal = compare(item.value, '=', value);
  const where = allOf([...listConjuncts(query.where), equal]);
  return splitExists({ ...query, distinct: null, items: [itemOf(numberOf(1))], where }, negated);
}

const MAX_ALTERNATIVES = 10;

/** Splits an EXISTS whose condition has an OR into one EXISTS for each alternative. */
function splitExists(query: Query, negated: boolean): Expression {
  if (query.kind !== 'select' || !query.where) return exists(query, negated);
  const conjuncts = listConjuncts(query.where);
  const [disjunction, second] = conjuncts.filter((item) => item.kind === 'logic' && item.operator === 'or');
  if (disjunction?.kind !== 'logic' || second || disjunction.args.length > MAX_ALTERNATIVES)
    return exists(query, negated);
  const rest = conjuncts.filter((item) => item !== disjunction);
  const branches = disjunction.args.map((arg) =>
    splitExists({ ...query, where: allOf([...rest, ...listConjuncts(arg)]) }, negated),
  );
  return (negated ? allOf(branches) : anyOf(branches))!;
}
