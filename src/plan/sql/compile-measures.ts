// Compiles measures over groups. Measures of the same dataset with the same filters share one SELECT. Otherwise svc
// groups each part separately and joins the parts.

import type { Datatype } from '../../contract/warehouse.ts';
import { createExactAggregate, createSortKeys } from '../../dialects/compiling.ts';
import {
  allOf,
  callOf,
  columnOf,
  compare,
  derivedOf,
  isNull,
  itemOf,
  numberOf,
  selectOf,
  tableOf,
  windowOf,
} from '../../dialects/make-nodes.ts';
import { areTreesEqual } from '../../dialects/nodes.ts';
import type { Expression, Query, Select, SelectItem, SortKey } from '../../dialects/tree.ts';
import { findDatasetOfPath } from '../../lens/model/join-paths.ts';
import { createSelectItem } from '../../lens/policies/dataset-source.ts';
import { takeFreeName } from '../../platform/take-free-name.ts';
import { toPeriodConditions } from '../filters.ts';
import {
  formatField,
  type Grouping,
  getOuterFunction,
  type LensPlan,
  listHiddenMeasures,
  type Measure,
} from '../lens-plan.ts';
import { chooseListingDataset } from './choose-main-dataset.ts';
import { checkComparedPeriods } from './compared-periods.ts';
import { type Compilation, type CompiledTree, toCompiledColumn } from './compilation.ts';
import { compileDimensions, isSameGrouping, listPaths, requireUnmasked } from './dimension.ts';
import { findRestrictingPaths, ROW_COUNT_CALL } from './filter-sql.ts';
import {
  createCommonTable,
  createKeyAlias,
  createWithClause,
  type JoinedParts,
  joinPartQueries,
  type MeasuredPartQuery,
  type MeasuresInput,
  type RowLimit,
} from './join-parts.ts';
import { compileBaseMeasure } from './measure.ts';
import { compileGroupConditions, compileOrdering } from './measure-order.ts';
import { compileOutput } from './measure-output.ts';
import { compileMeasuredRows, type MeasuredPart, splitIntoParts } from './measured-rows.ts';
import {
  type AggregateReader,
  type BaseAggregate,
  type GroupedRows,
  type MeasureOutput,
  NO_GROUP_VALUES,
} from './output.ts';

/** If `rowLimit` is null, returns a subquery without order or limit, whose keys are group_key_1, … */
export function compileMeasures(compilation: Compilation, plan: LensPlan, rowLimit: RowLimit | null): CompiledTree {
  const planDimensions = compileDimensions(compilation, plan.dimensions, []);
  const groups: GroupedRows = {
    dimensions: plan.dimensions,
    per: plan.per,
    time: planDimensions.some(({ timeGrain }) => timeGrain),
  };
  const outputs = makeNamesUnique(
    plan.measures.flatMap((measure) => compileOutput(compilation, measure, groups) ?? []),
  );
  const dimensions = compileDimensions(
    compilation,
    plan.dimensions,
    outputs.map(({ name }) => name),
  );
  requireUnmasked(compilation, dimensions);
  const having = compileGroupConditions(compilation, plan.having, groups);
  const hiddenOutputs = listHiddenMeasures(plan).flatMap(
    (measure) => compileOutput(compilation, measure, groups) ?? [],
  );
  compilation.throwFaults();
  const baseAggregates = [...outputs, ...having, ...hiddenOutputs].flatMap((item) => item.leaves);
  const rowCounts =
    baseAggregates.length === 0
      ? createGroupedRowCount(compilation, plan)
      : rowLimit === null
        ? createInnerRowCounts(compilation, plan, baseAggregates)
        : [];
  const parts = splitIntoParts(compilation, plan, [...baseAggregates, ...rowCounts]);
  checkComparedPeriods(compilation, plan);
  compilation.throwFaults();
  const columns = [...dimensions, ...outputs].map(toCompiledColumn);
  const shape: MeasuresInput = { compilation, plan, dimensions, outputs, having, hiddenOutputs, rowLimit };
  const hasWindows = [...outputs, ...having, ...hiddenOutputs].some(({ windowed }) => windowed);
  const fitsSingleSelect =
    parts.length === 1 &&
    !hasWindows &&
    !plan.limit_per &&
    typeof plan.every !== 'object' &&
    !parts[0]!.leaves[0]!.over;
  const query = fitsSingleSelect ? compileSingleSelect(shape, parts[0]!) : compileStages(shape, parts);
  return { query, columns, ordered: dimensions.length > 0 };
}

/**
 * If the plan lists groups without a measure, counts the rows from which all dimensions are reachable through
 * many-to-one joins.
 */
function createGroupedRowCount(compilation: Compilation, plan: LensPlan): BaseAggregate[] {
  const shownPaths = [...plan.dimensions.flatMap(listPaths), ...(plan.per ?? [])];
  const rows = chooseListingDataset(compilation, plan.rows, shownPaths, findRestrictingPaths(plan), true);
  return (rows && compileBaseMeasure(compilation, { fn: 'count', rows })?.leaves) || [];
}

/**
 * A metric's own filter, and conditions on nested groups, leave out groups without matching rows. An aggregate over the
 * inner groups must include these groups, so a count of all rows adds them.
 */
const createInnerRowCounts = (
  compilation: Compilation,
  { every }: LensPlan,
  leaves: BaseAggregate[],
): BaseAggregate[] =>
  leaves
    .filter(({ filter, over, within, home }) => (filter || over) && home && !within && typeof every !== 'string')
    .flatMap(({ home }) => compileBaseMeasure(compilation, { fn: 'count', rows: home })?.leaves ?? []);

/** Returns no ORDER BY without groups, because the result then has only one row. */
const createOrderClause = (orderBy: SortKey[], rowLimit: RowLimit | null): Partial<Select> =>
  rowLimit === null || orderBy.length === 0 ? {} : { orderBy, ...rowLimit };
const createGroupByClause = (keys: Expression[]): Pick<Select, 'groupBy'> => ({
  groupBy: keys.length > 0 ? { all: false, distinct: false, keys } : null,
});
const createOutputPositions = (count: number): Expression[] =>
  Array.from({ length: count }, (_one, index) => numberOf(index + 1));

function compileSingleSelect(shape: MeasuresInput, part: MeasuredPart): Query {
  const { compilation, plan, dimensions, outputs, having, rowLimit } = shape;
  const { scope, values, where, keys, grouped } = compileMeasuredRows(compilation, plan, part, dimensions);
  const readAggregate: AggregateReader = (baseAggregate) => values.get(baseAggregate.key)!;
  const frame = { ...NO_GROUP_VALUES, others: grouped };
  const items = [
    ...grouped.map((value, index) => createSelectItem(value, dimensions[index]!.name)),
    ...(rowLimit === null ? keys.map((key, index) => itemOf(key, createKeyAlias(index))) : []),
    ...outputs.map((output) => createSelectItem(output.value(readAggregate, frame), output.name)),
  ];
  const grouping = [...createOutputPositions(dimensions.length), ...keys];
  const conditions = having.map((item) => item.value(readAggregate, frame));
  const { ordersByAlias } = compilation.dialect.compiling;
  const order =
    grouping.length > 0
      ? compileOrdering(
          shape,
          (output) =>
            ordersByAlias && outputs.includes(output) ? columnOf(output.name) : output.value(readAggregate, frame),
          (index) => {
            const { name, ref } = dimensions[index]!;
            // The order of weekdays isn't alphabetical, so the alias would be part of a larger sort key. PostgreSQL
            // allows an alias only as a whole sort key.
            if (ref.grain === 'weekday') return callOf('min', [grouped[index]!]);
            // If `ordersByAlias` is false, the name of an output could refer to columns of several tables.
            return ordersByAlias ? columnOf(name) : grouped[index]!;
          },
          keys,
        )
      : [];
  compilation.throwFaults();
  return selectOf(items, [scope.compileFromClause()], {
    where: allOf(where),
    ...createGroupByClause(grouping),
    having: allOf(conditions),
    ...createOrderClause(order, rowLimit),
  });
}

/** Joins the grouped CTEs on the dimensions. Then adds windows, and after that conditions on groups and ranks. */
function compileStages(shape: MeasuresInput, parts: MeasuredPart[]): Query {
  const { compilation, plan, dimensions, outputs, having, rowLimit } = shape;
  const bodies = parts.map((part) =>
    part.leaves[0]!.over ? compileOverGroups(shape, part) : compileMeasuredPart(shape, part),
  );
  const joinedParts = joinPartQueries(shape, parts, bodies);
  const { ctes, keyNames, from, readAggregate: readLeaf, columnAt, groupValues: frame } = joinedParts;
  const conditions = having.map((item) => item.value(readLeaf, frame));
  const items = [
    ...dimensions.map((_one, index) => itemOf(columnAt(index))),
    ...outputs.map((output) => createSelectItem(output.value(readLeaf, frame), output.name)),
  ];
  const keyItems = keyNames.map((name, index) => createSelectItem(columnAt(dimensions.length + index), name));
  const hasWindows = [...outputs, ...having].some(({ windowed }) => windowed);
  if (plan.limit_per || (hasWindows && conditions.length > 0))
    return filterAfterWindows(shape, joinedParts, [...items, ...keyItems], conditions);
  const { ordersByAlias } = compilation.dialect.compiling;
  const order = compileOrdering(
    shape,
    (output) => (ordersByAlias && outputs.includes(output) ? columnOf(output.name) : output.value(readLeaf, frame)),
    columnAt,
    keyNames.map((_one, index) => columnAt(dimensions.length + index)),
  );
  return selectOf([...items, ...(rowLimit === null ? keyItems : [])], [from], {
    ...createWithClause(ctes),
    where: allOf(conditions),
    ...createOrderClause(order, rowLimit),
  });
}

/** Windows must see all groups, so conditions on groups come after the windows. */
function filterAfterWindows(
  shape: MeasuresInput,
  joinedParts: JoinedParts,
  items: SelectItem[],
  conditions: Expression[],
): Query {
  const { compilation, plan, dimensions, outputs, hiddenOutputs, rowLimit } = shape;
  const { ctes, keyNames, from, readAggregate: readLeaf, groupValues: frame } = joinedParts;
  const hiddenItems = [
    ...hiddenOutputs.map((output, index) => itemOf(output.value(readLeaf, frame), `order_${index + 1}`)),
    ...conditions.map((condition, index) => itemOf(condition, `keeps_${index + 1}`)),
  ];
  ctes.push(createCommonTable('measured', selectOf([...items, ...hiddenItems], [from])));
  const keepConditions = conditions.map((_one, index) => columnOf(`keeps_${index + 1}`));
  const outputItems = [...dimensions, ...outputs].map(({ name }) => itemOf(columnOf(name)));
  const columnAt = (index: number): Expression => columnOf(dimensions[index]!.name);
  const order = compileOrdering(
    shape,
    (output) => columnOf(outputs.includes(output) ? output.name : `order_${hiddenOutputs.indexOf(output) + 1}`),
    columnAt,
    keyNames.map((name) => columnOf(name)),
    plan.limit_per !== undefined,
  );
  const measuredTable = [tableOf('measured')];
  if (!plan.limit_per) {
    const keys = rowLimit === null ? keyNames.map((name) => itemOf(columnOf(name))) : [];
    return selectOf([...outputItems, ...keys], measuredTable, {
      ...createWithClause(ctes),
      where: allOf(keepConditions),
      ...createOrderClause(order, rowLimit),
    });
  }
  const partition = plan.limit_per.by.flatMap((ref) => {
    const index = dimensions.findIndex((dimension) => isSameGrouping(dimension.ref, ref));
    if (plan.limit_per?.ties && plan.order_by.length === 0) compilation.addFault(UNORDERED_TIES_MESSAGE, 'order_by');
    if (index < 0) {
      const name = `${formatField(ref)}${ref.grain ? `.${ref.grain}` : ''}`;
      compilation.addFault(
        `limit_per.by has ${name}, which is not among the dimensions. Add ${name} to \`dimensions\`.`,
        name,
      );
    }
    return index < 0 ? [] : [columnAt(index)];
  });
  compilation.throwFaults();
  const placeItem = createRankItem(plan, partition, order);
  ctes.push(
    createCommonTable('placed', selectOf([...outputItems, placeItem], measuredTable, { where: allOf(keepConditions) })),
  );
  return limitRowsPerGroup(compilation, outputItems, partition, plan, { ...createWithClause(ctes), ...rowLimit });
}

const RANK_IN_GROUP_COLUMN = 'place_in_group';
/** The rank of a row in its group. If the plan includes ties, tied rows have the same rank. */
export const createRankItem = ({ limit_per }: LensPlan, partition: Expression[], order: SortKey[]): SelectItem =>
  itemOf(
    callOf(limit_per!.ties ? 'rank' : 'row_number', [], { over: windowOf(partition, order) }),
    RANK_IN_GROUP_COLUMN,
  );
export const UNORDERED_TIES_MESSAGE = '`ties` needs an order. Add `order_by`, or remove `ties`.';

export const limitRowsPerGroup = (
  compilation: Compilation,
  outputItems: SelectItem[],
  groups: Expression[],
  { limit_per: limitPer, order_by: order }: LensPlan,
  selectEnd: Partial<Select>,
): Query =>
  selectOf(outputItems, [tableOf('placed')], {
    where: compare(columnOf(RANK_IN_GROUP_COLUMN), '<=', compilation.literal(limitPer!.rows, 'integer')),
    orderBy: [
      ...groups.flatMap((group, index) => {
        const requested = order.find(({ field }) => field && isSameGrouping(field, limitPer!.by[index]!));
        return createSortKeys(compilation.dialect, group, requested?.direction ?? 'asc', requested?.nulls);
      }),
      { value: columnOf(RANK_IN_GROUP_COLUMN), direction: null, nulls: null },
      // Rows that tie have the same rank. The order of rows with equal columns doesn't matter.
      ...(limitPer!.ties ? outputItems : [])
        .filter(({ value }) => !groups.some((group) => areTreesEqual(group, value)))
        .flatMap(({ value }) => createSortKeys(compilation.dialect, value, 'asc')),
    ],
    ...selectEnd,
  });

function compileMeasuredPart({ compilation, plan, dimensions }: MeasuresInput, part: MeasuredPart): MeasuredPartQuery {
  const { scope, values, where, keys, grouped } = compileMeasuredRows(compilation, plan, part, dimensions);
  const items = [
    ...grouped.map((value, index) => createSelectItem(value, dimensions[index]!.name)),
    ...keys.map((key, index) => itemOf(key, createKeyAlias(index))),
    ...part.leaves.map((baseAggregate) => itemOf(values.get(baseAggregate.key)!, part.columns.get(baseAggregate.key)!)),
  ];
  const groups = createGroupByClause(createOutputPositions(dimensions.length + keys.length));
  return {
    body: selectOf(items, [scope.compileFromClause()], { where: allOf(where), ...groups }),
    keyCount: keys.length,
  };
}

const findDatatype = (compilation: Compilation, measure: Measure): Datatype =>
  compileOutput(compilation, measure, { dimensions: [], time: false })?.datatype ?? 'decimal';

/** Forms and measures inner groups in a subquery, and aggregates the groups in the outer query. */
function compileOverGroups({ compilation, plan, dimensions }: MeasuresInput, part: MeasuredPart): MeasuredPartQuery {
  const baseAggregate = part.leaves[0]!;
  const groups = baseAggregate.over!;
  const { of, by = [], per: thingPaths = [], having = [], every } = groups;
  const fn = getOuterFunction(groups);
  const outerGroupings = dimensions.map(({ ref }, index): Grouping => ({ ...ref, as: `dimension_${index + 1}` }));
  const isOuter = (item: Grouping): boolean => outerGroupings.some((outer) => isSameGrouping(outer, item));
  const units = by.filter((item) => !isOuter(item)).map((item, index) => ({ ...item, as: `unit_${index + 1}` }));
  const sharedUnits = outerGroupings.filter((outer) => by.some((item) => isSameGrouping(outer, item)));
  const { per: groupKeys = [], limit_per: _places, offset: _offset, ...rest } = plan;
  const keys = groupKeys.flatMap((path) => listKeyColumns(compilation, path));
  const thingKeys = thingPaths.flatMap((path) => listKeyColumns(compilation, path));
  const innerPlan: LensPlan = {
    ...rest,
    dimensions: [...outerGroupings, ...units],
    per: [...groupKeys, ...thingPaths],
    every,
    ...(typeof plan.every === 'string' && { requires: plan.every }),
    measures: [{ ...of, as: 'unit_total' }],
    filters: [...plan.filters, ...part.where, ...(part.within ? toPeriodConditions(part.within) : [])],
    having,
    order_by: [],
    limit: null,
  };
  const { query } = compileMeasures(compilation, innerPlan, null);
  const keyNames = keys.map((_key, index) => createKeyAlias(index));
  const unitNames = [
    ...[...sharedUnits, ...units].map(({ as }) => as!),
    ...thingKeys.map((_key, index) => createKeyAlias(keys.length + index)),
  ];
  const total = columnOf('unit_total');
  const { median, aggregated } = compilation.dialect.compiling;
  const totalType = findDatatype(compilation, of);
  const value =
    fn === 'count'
      ? ROW_COUNT_CALL
      : fn === 'median'
        ? median!(aggregated(fn, total, totalType))
        : createExactAggregate(compilation.dialect, fn, total, totalType);
  const items = [
    ...outerGroupings.map(({ as }, index) => createSelectItem(columnOf(as!), dimensions[index]!.name)),
    ...keyNames.map((name) => itemOf(columnOf(name))),
    itemOf(value, part.columns.get(baseAggregate.key)!),
  ];
  // Excludes rows without a value for the group, so that they don't form a group.
  const body = selectOf(items, [derivedOf(query, 'totals')], {
    where: allOf(unitNames.map((name) => isNull(columnOf(name), true))),
    ...createGroupByClause(createOutputPositions(outerGroupings.length + keyNames.length)),
  });
  return { body, keyCount: keys.length };
}
const listKeyColumns = (compilation: Compilation, path: string): string[] =>
  findDatasetOfPath(compilation.lens, path)?.primaryKey ?? [];

function makeNamesUnique(outputs: MeasureOutput[]): MeasureOutput[] {
  const seenNames = new Set<string>();
  return outputs.map((output) => ({ ...output, name: takeFreeName(seenNames, output.name) }));
}
