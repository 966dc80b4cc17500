// Checks a query: WITH, then a SELECT, a set operation or VALUES, then ORDER BY and LIMIT.
import type { OutputNameRule } from '../../dialects/dialect.ts';
import { numberOf } from '../../dialects/make-nodes.ts';
import { listChildren, toConstant } from '../../dialects/nodes.ts';
import type {
  Expression,
  FromItem,
  GroupKey,
  Query,
  Select,
  SelectItem,
  SetOperation,
  Values,
} from '../../dialects/tree.ts';
import { walkWithClause } from './common-tables.ts';
import { walkFromItem } from './from-clause.ts';
import { recordKeyLookups } from './key-lookups.ts';
import { NameScope, type OutputColumn, renameColumns } from './name-scope.ts';
import { nameComputedItems, walkItems } from './select-list.ts';
import { type ExpressionContext, isTooDeep, type QueryContext, type StatementWalk } from './statement-walk.ts';

/**
 * The output columns. `hasMergedColumns` is true if they include the `*` of a join that merges columns, so that the
 * positions of columns are unknown.
 */
interface BodyOutputs {
  outputs: OutputColumn[];
  hasMergedColumns: boolean;
}

/** `bare` is true if the key is a single name. */
type KeyResolutionRule = { bare: OutputNameRule; inside: OutputNameRule };

export function walkQuery(walk: StatementWalk, query: Query, queryContext: QueryContext): OutputColumn[] {
  const { analysis } = walk;
  if (isTooDeep(analysis, queryContext.depth)) return [];
  const ctes = query.with ? walkWithClause(walk, query.with, queryContext) : queryContext.ctes;
  const scope = new NameScope(queryContext.parent);
  const context: ExpressionContext = { scope, ctes, position: 'used', outputs: 'no', depth: queryContext.depth + 1 };
  const bodyOutputs = walkBody(walk, query, { ...queryContext, ctes, depth: queryContext.depth + 1 }, context);
  scope.outputs = bodyOutputs.outputs;
  if (query.kind === 'select') checkFiltersAndGroups(walk, query, context, bodyOutputs);
  checkOrderAndLimit(walk, query, context, bodyOutputs);
  return canInlineExpressions(query)
    ? bodyOutputs.outputs
    : bodyOutputs.outputs.map((output) => ({ ...output, size: 1 }));
}

/** Returns true if the engine can copy the query's expressions to every use of its columns. */
const canInlineExpressions = (query: Query): boolean =>
  !query.limit && !(query.kind === 'select' && (query.groupBy || query.distinct || query.having));

function walkBody(
  walk: StatementWalk,
  query: Query,
  queryContext: QueryContext,
  context: ExpressionContext,
): BodyOutputs {
  switch (query.kind) {
    case 'set':
      return { outputs: walkSetOperation(walk, query, queryContext), hasMergedColumns: false };
    case 'values':
      return { outputs: visitValues(walk, query, context), hasMergedColumns: false };
    case 'select': {
      const readsBefore = walk.analysis.size.reads;
      for (const [index, item] of query.from.entries()) {
        walkFromItem(walk, item, context, (replacement) => {
          query.from[index] = replacement;
        });
      }
      walk.analysis.size.addJoin(readsBefore);
      if (queryContext.isOutermost && walk.analysis.isGoverning) nameComputedItems(walk.analysis.dialect, query);
      const outputs = walkItems(walk, query, context, queryContext.isOutermost && query.distinct === null);
      const hasStar = query.items.some(({ value }) => value.kind === 'star');
      return { outputs, hasMergedColumns: hasStar && query.from.some(canMergeColumns) };
    }
  }
}

const canMergeColumns = (item: FromItem): boolean =>
  item.kind === 'join' &&
  (item.natural || item.using.length > 0 || canMergeColumns(item.left) || canMergeColumns(item.right));

function walkSetOperation(
  { analysis, query }: StatementWalk,
  operation: SetOperation,
  queryContext: QueryContext,
): OutputColumn[] {
  const { recursion } = queryContext;
  const left = query(operation.left, { ...queryContext, recursion: null });
  const ctes = new Map(queryContext.ctes);
  if (recursion) ctes.set(recursion.key, { columns: renameColumns(left, recursion.columns), readCount: 1 });
  const right = query(operation.right, { ...queryContext, ctes, recursion: null });
  analysis.refuseMasked([...left, ...right], 'in a set operation');
  if (operation.byName) return [...left, ...right];
  return left.map((column, index) => ({ ...column, size: Math.max(column.size ?? 1, right[index]?.size ?? 1) }));
}

function visitValues(walk: StatementWalk, { rows }: Values, context: ExpressionContext): OutputColumn[] {
  for (const row of rows) for (const value of row) walk.visit(value, context);
  const { prefix, from } = walk.analysis.dialect.names.values;
  return (rows[0] ?? []).map((_, index) => ({ name: `${prefix}${from + index}`, masked: null }));
}

function checkFiltersAndGroups(
  walk: StatementWalk,
  select: Select,
  context: ExpressionContext,
  bodyOutputs: BodyOutputs,
): void {
  const rules = walk.analysis.dialect.names.outputs;
  if (select.where) {
    walk.visit(select.where, { ...context, outputs: rules.where });
    recordKeyLookups(walk.analysis, select.where, context.scope);
  }
  if (select.groupBy && walk.analysis.isGoverning) walk.analysis.groupedSelects.push({ select, scope: context.scope });
  walk.analysis.size.addGroupingSets(select.groupBy?.keys ?? []);
  checkGroupKeys(walk, select.groupBy?.keys ?? [], select.items, { place: context, bodyOutputs, rule: rules.groupBy });
  if (select.groupBy?.all) walk.analysis.refuseMasked(bodyOutputs.outputs, 'in GROUP BY ALL');
  if (select.having) walk.visit(select.having, { ...context, outputs: rules.having });
  if (select.qualify) walk.visit(select.qualify, { ...context, outputs: rules.qualify });
  for (const { window } of select.windows) {
    walk.analysis.hasWindows = true;
    walk.analysis.size.addWindow(context.scope, window);
    for (const part of listChildren(window)) walk.visit(part as Expression, { ...context, outputs: rules.windows });
  }
  checkGroupKeys(walk, select.distinct?.on ?? [], select.items, {
    place: context,
    bodyOutputs,
    rule: rules.distinctOn,
  });
  if (select.distinct) walk.analysis.refuseMasked(bodyOutputs.outputs, 'in SELECT DISTINCT');
}

function checkOrderAndLimit(
  walk: StatementWalk,
  query: Query,
  context: ExpressionContext,
  bodyOutputs: BodyOutputs,
): void {
  const rules = walk.analysis.dialect.names.outputs;
  for (const { value } of query.orderBy) {
    if (value.kind === 'star' && !value.columns) walk.analysis.refuseMasked(bodyOutputs.outputs, 'in ORDER BY ALL');
    else checkKey(walk, value, context, bodyOutputs, rules.orderBy);
  }
  for (const bound of [query.limit, query.offset]) if (bound) walk.visit(bound, { ...context, outputs: rules.limit });
}

/**
 * Checks the keys of GROUP BY or DISTINCT ON. The guard can replace the name of an output with the output's position.
 */
function checkGroupKeys(
  walk: StatementWalk,
  keys: GroupKey[],
  items: SelectItem[],
  {
    place: context,
    bodyOutputs,
    rule,
  }: { place: ExpressionContext; bodyOutputs: BodyOutputs; rule: KeyResolutionRule },
): void {
  for (const [index, key] of keys.entries()) {
    const item =
      key.kind === 'column' &&
      items.find(({ alias }) => alias !== null && walk.analysis.isSameName(alias, key.path[0]!));
    const replaceByPosition = () => {
      keys[index] = numberOf(items.indexOf(item as SelectItem) + 1);
    };
    checkKey(walk, key, { ...context, byPosition: item ? replaceByPosition : null }, bodyOutputs, rule);
  }
}

/** A key of ORDER BY, GROUP BY or DISTINCT ON is an expression, or the position or name of an output. */
function checkKey(
  walk: StatementWalk,
  key: GroupKey,
  context: ExpressionContext,
  bodyOutputs: BodyOutputs,
  rule: KeyResolutionRule,
): void {
  if (key.kind === 'grouping_set') {
    for (const part of key.keys) checkKey(walk, part, context, bodyOutputs, rule);
    return;
  }
  // If a key is a list in parentheses, each part of the list is a key.
  if (key.kind === 'row' && !key.keyword) {
    for (const part of key.items) checkKey(walk, part, context, bodyOutputs, rule);
    return;
  }
  const constant = toConstant(key);
  if (typeof constant === 'number') {
    const { outputs, hasMergedColumns } = bodyOutputs;
    const columns = hasMergedColumns ? outputs : outputs.slice(constant - 1, constant);
    walk.analysis.refuseMasked(columns, 'by its position');
  }
  // Without FROM, a name can't mean a column of this query.
  const bareRule = rule.bare === 'also' && context.scope.sources.length === 0 ? 'first' : rule.bare;
  walk.visit(key, { ...context, outputs: key.kind === 'column' ? bareRule : rule.inside });
}
