// Compiles a listing: the dimensions of each row of a dataset, or each combination of dimensions once.

import { createSortKeys } from '../../dialects/compiling.ts';
import { allOf, columnOf, itemOf, nullLiteral, scalarOf, selectOf } from '../../dialects/make-nodes.ts';
import { areTreesEqual, listNodes } from '../../dialects/nodes.ts';
import type { Expression, SortKey } from '../../dialects/tree.ts';
import { findPath } from '../../lens/model/join-paths.ts';
import { createSelectItem } from '../../lens/policies/dataset-source.ts';
import { formatField, type Grouping, type LensPlan, type SortOrder } from '../lens-plan.ts';
import { chooseListingDataset } from './choose-main-dataset.ts';
import { type Compilation, type CompiledTree, toCompiledColumn } from './compilation.ts';
import { createRankItem, limitRowsPerGroup, UNORDERED_TIES_MESSAGE } from './compile-measures.ts';
import { compileDimensions, type Dimension, isSameGrouping, listPaths, requireUnmasked } from './dimension.ts';
import { compileFieldValue } from './field-sql.ts';
import { compileRestriction, compileTimeWindow, findRestrictingPaths } from './filter-sql.ts';
import { createCommonTable, createWithClause, type RowLimit } from './join-parts.ts';
import { compileOutput } from './measure-output.ts';
import { NO_GROUP_VALUES } from './output.ts';
import { type Correlation, correlateRelatedRows } from './related-rows.ts';
import { RowScope } from './row-scope.ts';

export function compileListing(compilation: Compilation, plan: LensPlan, rowLimit: RowLimit): CompiledTree {
  const dimensions = compileDimensions(compilation, plan.dimensions, []);
  compilation.throwFaults();
  const orderPaths = plan.order_by.flatMap(({ field }) => (field ? [field.path] : []));
  const mainDataset = chooseListingDataset(
    compilation,
    plan.rows,
    [...plan.dimensions.flatMap(listPaths), ...orderPaths],
    findRestrictingPaths(plan),
    plan.distinct,
  );
  if (!mainDataset) return { query: selectOf([], []), columns: [], ordered: false };
  const scope = new RowScope(compilation, mainDataset);
  const shownDimensions = dimensions.map((dimension): ShownDimension => ({ dimension, value: dimension.value(scope) }));
  if (plan.distinct && dimensions.every(({ masked }) => masked))
    compilation.addFault('A distinct listing needs a field that is not masked.', 'dimensions', 'masked');
  const orderBy = createListingSortKeys(scope, plan, shownDimensions);
  const conditions = [
    ...(plan.time ? compileTimeWindow(scope, plan.time) : []),
    ...plan.filters.flatMap((filter) => compileRestriction(scope, filter) ?? []),
  ];
  const where = allOf([...conditions, ...scope.requiredConditions]);
  const columns = dimensions.map(toCompiledColumn);
  const items = shownDimensions.map(({ dimension, value }) => createSelectItem(value, dimension.name));
  const limitPer = plan.limit_per;
  if (limitPer && !plan.distinct) {
    const groups = limitPer.by.map((ref, index) => compileGroup(scope, ref, shownDimensions, `group_${index + 1}`));
    compilation.throwFaults();
    if (limitPer.ties && plan.order_by.length === 0) compilation.addFault(UNORDERED_TIES_MESSAGE, 'order_by');
    compilation.throwFaults();
    const partition = groups.map(({ value }) => value);
    const order = limitPer.ties ? toSortKeys(compilation, createRequestedOrder(scope, plan, shownDimensions)) : orderBy;
    const hiddenItems = groups.flatMap(({ value, name, seen }) => (seen ? [] : [itemOf(value, name)]));
    const placeItem = createRankItem(plan, partition, order);
    const query = selectOf([...items, ...hiddenItems, placeItem], [scope.compileFromClause()], { where });
    const listedItems = dimensions.map(({ name }) => itemOf(columnOf(name)));
    const names = groups.map(({ name }) => columnOf(name));
    const selectEnd = { ...createWithClause([createCommonTable('placed', query)]), ...rowLimit };
    return { query: limitRowsPerGroup(compilation, listedItems, names, plan, selectEnd), columns, ordered: true };
  }
  compilation.throwFaults();
  const distinct = plan.distinct ? { on: [] } : null;
  const query = selectOf(items, [scope.compileFromClause()], { distinct, where, orderBy, ...rowLimit });
  return { query, columns, ordered: orderBy.length > 0 };
}

interface ShownDimension {
  dimension: Dimension;
  value: Expression;
}

/** Compiles a field that groups the listing's first rows. The result doesn't have to show this field. */
function compileGroup(scope: RowScope, ref: Grouping, shownDimensions: ShownDimension[], hiddenName: string) {
  const { compilation } = scope;
  const shownDimension = shownDimensions.find(({ dimension }) => isSameGrouping(dimension.ref, ref));
  const [ownDimension] = shownDimension ? [shownDimension.dimension] : compileDimensions(compilation, [ref], []);
  if (ownDimension) requireUnmasked(compilation, [ownDimension]);
  const value = shownDimension?.value ?? ownDimension?.value(scope) ?? nullLiteral();
  return { value, name: shownDimension?.dimension.name ?? hiddenName, seen: shownDimension !== undefined };
}

/**
 * Returns the sort keys. If the plan has an order, the primary key breaks ties. Otherwise, the default order is by a
 * time column, then by all columns, then by the primary key.
 */
function createListingSortKeys(scope: RowScope, plan: LensPlan, shownDimensions: ShownDimension[]): SortKey[] {
  const { compilation } = scope;
  const requestedKeys = createRequestedOrder(scope, plan, shownDimensions);
  const key = plan.distinct ? [] : scope.listPhysicalColumns(scope.home, scope.home.dataset.primaryKey);
  const { ordersBySubquery } = compilation.dialect.compiling;
  const rest =
    requestedKeys.length > 0 && key.length > 0 ? [] : shownDimensions.filter(({ dimension }) => !dimension.masked);
  const byTime = [
    ...rest.filter(({ dimension }) => dimension.timeGrain),
    ...rest.filter(({ dimension }) => !dimension.timeGrain),
  ].filter(({ value }) => ordersBySubquery || !usesSubquery(value));
  if (!ordersBySubquery && requestedKeys.some(({ value }) => usesSubquery(value)))
    compilation.addFault('This warehouse can’t order rows by related rows.', 'order_by');
  const terms = [...requestedKeys, ...byTime.map(({ value }): SortExpression => ({ value, direction: 'asc' }))];
  const distinctTerms = terms.filter(
    ({ value }, index) => terms.findIndex((other) => areTreesEqual(other.value, value)) === index,
  );
  return [
    ...toSortKeys(compilation, distinctTerms),
    ...key
      .filter((item) => !distinctTerms.some(({ value }) => areTreesEqual(value, item)))
      .map((value): SortKey => ({ value, direction: null, nulls: null })),
  ];
}

interface SortExpression extends Pick<SortOrder, 'direction' | 'nulls'> {
  value: Expression;
}
const createRequestedOrder = (scope: RowScope, plan: LensPlan, shownDimensions: ShownDimension[]): SortExpression[] =>
  plan.order_by.flatMap((order) => {
    const value = compileSortValue(scope, plan, order, shownDimensions);
    return value ? [{ value, direction: order.direction, nulls: order.nulls }] : [];
  });
const toSortKeys = ({ dialect }: Compilation, keys: SortExpression[]): SortKey[] =>
  keys.flatMap(({ value, direction, nulls }) => createSortKeys(dialect, value, direction, nulls));

const UNSHOWN_ORDER_MESSAGE =
  'Distinct rows can be ordered only by columns that the result has. Add the column, or remove the order.';

const usesSubquery = (value: Expression): boolean => [...listNodes(value)].some(({ kind }) => kind === 'select');

function compileSortValue(
  scope: RowScope,
  plan: LensPlan,
  { field, measure }: SortOrder,
  shownDimensions: ShownDimension[],
): Expression | null {
  const { compilation } = scope;
  if (field) {
    const shownDimension = shownDimensions.find(({ dimension }) => isSameGrouping(dimension.ref, field));
    if (!shownDimension && plan.distinct) compilation.addFault(UNSHOWN_ORDER_MESSAGE, 'order_by');
    if (shownDimension ? shownDimension.dimension.masked : compilation.requireField(field).field.masked)
      return compilation.addFault(`${formatField(field)} is masked, so you can't order by it.`, 'order_by', 'masked');
    return shownDimension?.value ?? compileFieldValue(scope, field);
  }
  const output = compileOutput(compilation, measure, { dimensions: [], time: false });
  if (!output) return null;
  const mainDatasets = new Set(output.leaves.map(({ home, filter }) => `${home} ${filter ?? ''}`));
  if (
    mainDatasets.size > 1 ||
    output.windowed ||
    output.leaves.some(({ where, within, over }) => where || within || over)
  )
    return compilation.addFault(
      `${output.name} has its own conditions, or combines several datasets or groups, so you can't order a listing by it.`,
      'order_by',
    );
  const { home, filter } = output.leaves[0]!;
  const correlation = correlateMeasuredRows(scope, home, output.name);
  if (!correlation) return null;
  const value = output.value((leaf) => leaf.value(correlation.inner) ?? nullLiteral(), NO_GROUP_VALUES);
  const where = allOf([...correlation.on, ...(filter ? [compilation.readAuthored(filter)] : [])]);
  return scalarOf(selectOf([itemOf(value)], [correlation.inner.compileFromClause()], { where }));
}

/** Returns the measured rows that refer to the listed row, or the measured row that the listed row refers to. */
function correlateMeasuredRows(scope: RowScope, measuredDataset: string, measureName: string): Correlation | null {
  const { compilation } = scope;
  const { lens } = compilation;
  const listedDataset = scope.home.dataset.name;
  if (measuredDataset === listedDataset)
    return compilation.addFault(
      `${measureName} is a measure of ${listedDataset}, the listed rows. Order by a field of ${listedDataset}.`,
      'order_by',
    );
  const arePathsMissing = [
    findPath(lens, measuredDataset, listedDataset),
    findPath(lens, listedDataset, measuredDataset),
  ].every(({ kind }) => kind === 'unreachable');
  if (arePathsMissing)
    return compilation.addFault(
      `${listedDataset} is not reachable from ${measuredDataset} through many-to-one joins, so you can't order ${listedDataset} by ${measureName}.`,
      'order_by',
      'fan_out',
    );
  return correlateRelatedRows(scope, measuredDataset);
}
