// Compiles measures over groups. Measures with the same home and filters share one SELECT. Otherwise svc groups each
// part separately and joins the parts.

import type { Datatype } from '../../contract/warehouse.ts';
import { exactAggregate, nullsLast } from '../../dialects/compiling.ts';
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
import type { Expression, Item, Query, Select, SortKey } from '../../dialects/tree.ts';
import { datasetOfPath } from '../../lens/model/join-paths.ts';
import { named } from '../../lens/policies/dataset-source.ts';
import { takeName } from '../../platform/take-name.ts';
import { periodConditions } from '../filters.ts';
import { type Grouping, hiddenMeasures, type LensPlan, type Measure, outerFunction } from '../lens-plan.ts';
import type { Compilation, CompiledColumn, CompiledTree } from './compilation.ts';
import { dimensionsOf, noneMasked, sameRef } from './dimension.ts';
import { COUNTED } from './filter-sql.ts';
import {
  type Body,
  type JoinedParts,
  joinParts,
  keyAlias,
  type RowLimit,
  type Shape,
  tableEntry,
  withTables,
} from './join-parts.ts';
import { conditionsOf, orderingOf } from './measure-order.ts';
import { outputOf } from './measure-output.ts';
import { type Part, partsOf, rowsOf } from './measured-rows.ts';
import type { Frame, Groups, Output, ReadLeaf } from './output.ts';

/** If `cut` is null, returns a subquery without order or limit, whose keys are group_key_1, … */
export function compileMeasures(compilation: Compilation, plan: LensPlan, cut: RowLimit | null): CompiledTree {
  const planDimensions = dimensionsOf(compilation, plan.dimensions, []);
  const groups: Groups = { dimensions: plan.dimensions, time: planDimensions.some(({ timeGrain }) => timeGrain) };
  const outputs = uniqueNames(plan.measures.flatMap((measure) => outputOf(compilation, measure, groups) ?? []));
  const dimensions = dimensionsOf(
    compilation,
    plan.dimensions,
    outputs.map(({ name }) => name),
  );
  noneMasked(compilation, dimensions);
  const having = conditionsOf(compilation, plan.having, groups);
  const hidden = hiddenMeasures(plan).flatMap((measure) => outputOf(compilation, measure, groups) ?? []);
  compilation.settle();
  const leaves = [...outputs, ...having, ...hidden].flatMap((item) => item.leaves);
  const parts = partsOf(compilation, plan, leaves);
  compilation.settle();
  const columns: CompiledColumn[] = [...dimensions, ...outputs].map(({ name, datatype, unit, source }) => ({
    name,
    datatype,
    unit,
    source,
  }));
  const shape: Shape = { compilation, plan, dimensions, outputs, having, hidden, cut };
  const windows = [...outputs, ...having, ...hidden].some(({ windowed }) => windowed);
  const simple =
    parts.length === 1 && !windows && !plan.limit_per && typeof plan.every !== 'object' && !parts[0]!.leaves[0]!.over;
  const query = simple ? oneSelect(shape, parts[0]!) : compileStages(shape, parts);
  return { query, columns, ordered: dimensions.length > 0 };
}

const NO_FRAME: Frame = { time: null, others: [], at: () => [] };
/** Without groups there is one row, which needs no order. */
const orderedBy = (orderBy: SortKey[], cut: RowLimit | null): Partial<Select> =>
  cut === null || orderBy.length === 0 ? {} : { orderBy, ...cut };
const groupedBy = (keys: Expression[]): Pick<Select, 'groupBy'> => ({
  groupBy: keys.length > 0 ? { all: false, distinct: false, keys } : null,
});
const positions = (count: number): Expression[] => Array.from({ length: count }, (_one, index) => numberOf(index + 1));

function oneSelect(shape: Shape, part: Part): Query {
  const { compilation, plan, dimensions, outputs, having, cut } = shape;
  const { scope, values, where, keys, grouped } = rowsOf(compilation, plan, part, dimensions);
  const readLeaf: ReadLeaf = (leaf) => values.get(leaf.key)!;
  const frame = { ...NO_FRAME, others: grouped };
  const items = [
    ...grouped.map((value, index) => named(value, dimensions[index]!.name)),
    ...(cut === null ? keys.map((key, index) => itemOf(key, keyAlias(index))) : []),
    ...outputs.map((output) => named(output.value(readLeaf, frame), output.name)),
  ];
  const grouping = [...positions(dimensions.length), ...keys];
  const conditions = having.map((item) => item.value(readLeaf, frame));
  const { ordersByAlias } = compilation.dialect.compiling;
  const order =
    grouping.length > 0
      ? orderingOf(
          shape,
          (output) =>
            ordersByAlias && outputs.includes(output) ? columnOf(output.name) : output.value(readLeaf, frame),
          // The name of an output can also be a column of several tables.
          (index) => (ordersByAlias ? columnOf(dimensions[index]!.name) : grouped[index]!),
          keys,
        )
      : [];
  compilation.settle();
  return selectOf(items, [scope.from()], {
    where: allOf(where),
    ...groupedBy(grouping),
    having: allOf(conditions),
    ...orderedBy(order, cut),
  });
}

/** Joins the grouped CTEs on the dimensions, then adds windows, then conditions on groups and ranks. */
function compileStages(shape: Shape, parts: Part[]): Query {
  const { compilation, plan, dimensions, outputs, having, cut } = shape;
  const bodies = parts.map((part) => (part.leaves[0]!.over ? overGroups(shape, part) : groupedPart(shape, part)));
  const joined = joinParts(shape, parts, bodies);
  const { ctes, keyNames, from, of, at, frame } = joined;
  const conditions = having.map((item) => item.value(of, frame));
  const items = [
    ...dimensions.map((_one, index) => itemOf(at(index))),
    ...outputs.map((output) => named(output.value(of, frame), output.name)),
  ];
  const keyItems = keyNames.map((name, index) => named(at(dimensions.length + index), name));
  const windows = [...outputs, ...having].some(({ windowed }) => windowed);
  if (plan.limit_per || (windows && conditions.length > 0))
    return filterAfterWindows(shape, joined, [...items, ...keyItems], conditions);
  const { ordersByAlias } = compilation.dialect.compiling;
  const order = orderingOf(
    shape,
    (output) => (ordersByAlias && outputs.includes(output) ? columnOf(output.name) : output.value(of, frame)),
    at,
    keyNames.map((_one, index) => at(dimensions.length + index)),
  );
  return selectOf([...items, ...(cut === null ? keyItems : [])], [from], {
    ...withTables(ctes),
    where: allOf(conditions),
    ...orderedBy(order, cut),
  });
}

/** Windows must see all groups, so conditions on groups come after them. */
function filterAfterWindows(shape: Shape, joined: JoinedParts, items: Item[], conditions: Expression[]): Query {
  const { compilation, plan, dimensions, outputs, hidden, cut } = shape;
  const { ctes, keyNames, from, of, frame } = joined;
  const extra = [
    ...hidden.map((output, index) => itemOf(output.value(of, frame), `order_${index + 1}`)),
    ...conditions.map((condition, index) => itemOf(condition, `keeps_${index + 1}`)),
  ];
  ctes.push(tableEntry('measured', selectOf([...items, ...extra], [from])));
  const keeps = conditions.map((_one, index) => columnOf(`keeps_${index + 1}`));
  const outputItems = [...dimensions, ...outputs].map(({ name }) => itemOf(columnOf(name)));
  const dimension = (index: number): Expression => columnOf(dimensions[index]!.name);
  const order = orderingOf(
    shape,
    (output) => columnOf(outputs.includes(output) ? output.name : `order_${hidden.indexOf(output) + 1}`),
    dimension,
    keyNames.map((name) => columnOf(name)),
    plan.limit_per !== undefined,
  );
  const measured = [tableOf('measured')];
  if (!plan.limit_per) {
    const keys = cut === null ? keyNames.map((name) => itemOf(columnOf(name))) : [];
    return selectOf([...outputItems, ...keys], measured, {
      ...withTables(ctes),
      where: allOf(keeps),
      ...orderedBy(order, cut),
    });
  }
  const partition = plan.limit_per.by.flatMap((ref) => {
    const index = dimensions.findIndex((dimension) => sameRef(dimension.ref, ref));
    if (plan.limit_per?.ties && plan.order_by.length === 0) compilation.fault(UNORDERED_TIES, 'order_by');
    if (index < 0) compilation.fault('A top N for each group needs the group among the dimensions.', 'dimensions');
    return index < 0 ? [] : [dimension(index)];
  });
  compilation.settle();
  const { ties } = plan.limit_per;
  const placeItem = itemOf(
    callOf(ties ? 'rank' : 'row_number', [], { over: windowOf(partition, order) }),
    PLACE_COLUMN,
  );
  ctes.push(tableEntry('placed', selectOf([...outputItems, placeItem], measured, { where: allOf(keeps) })));
  return firstOfEach(compilation, outputItems, partition, plan.limit_per.rows, { ...withTables(ctes), ...cut });
}

export const PLACE_COLUMN = 'place_in_group';
export const UNORDERED_TIES = 'ties needs an order. Add order_by, or remove ties.';

export const firstOfEach = (
  compilation: Compilation,
  outputItems: Item[],
  groups: Expression[],
  limit: number,
  ends: Partial<Select>,
): Query =>
  selectOf(outputItems, [tableOf('placed')], {
    where: compare(columnOf(PLACE_COLUMN), '<=', compilation.literal(limit, 'integer')),
    orderBy: [
      ...groups.flatMap((group) => nullsLast(compilation.dialect, group, 'asc')),
      { value: columnOf(PLACE_COLUMN), direction: null, nulls: null },
    ],
    ...ends,
  });

function groupedPart({ compilation, plan, dimensions }: Shape, part: Part): Body {
  const { scope, values, where, keys, grouped } = rowsOf(compilation, plan, part, dimensions);
  const items = [
    ...grouped.map((value, index) => named(value, dimensions[index]!.name)),
    ...keys.map((key, index) => itemOf(key, keyAlias(index))),
    ...part.leaves.map((leaf) => itemOf(values.get(leaf.key)!, part.columns.get(leaf.key)!)),
  ];
  const groups = groupedBy(positions(dimensions.length + keys.length));
  return { body: selectOf(items, [scope.from()], { where: allOf(where), ...groups }), keys: keys.length };
}

const typeOf = (compilation: Compilation, measure: Measure): Datatype =>
  outputOf(compilation, measure, { dimensions: [], time: false })?.datatype ?? 'decimal';

/** Forms and measures inner groups in a subquery, and aggregates them outside. */
function overGroups({ compilation, plan, dimensions }: Shape, part: Part): Body {
  const leaf = part.leaves[0]!;
  const groups = leaf.over!;
  const { of, by = [], per: thingPaths = [], having = [], every } = groups;
  const fn = outerFunction(groups);
  const outer = dimensions.map(({ ref }, index): Grouping => ({ ...ref, as: `dimension_${index + 1}` }));
  const units = by
    .filter((item) => !outer.some((outerDimension) => sameRef(outerDimension, item)))
    .map((item, index) => ({ ...item, as: `unit_${index + 1}` }));
  const { per: groupKeys = [], limit_per: _places, offset: _offset, ...rest } = plan;
  const keys = groupKeys.flatMap((path) => keysOf(compilation, path));
  const thingKeys = thingPaths.flatMap((path) => keysOf(compilation, path));
  const inner: LensPlan = {
    ...rest,
    dimensions: [...outer, ...units],
    per: [...groupKeys, ...thingPaths],
    every,
    measures: [{ ...of, as: 'unit_total' }],
    filters: [...plan.filters, ...part.where, ...(part.within ? periodConditions(part.within) : [])],
    having,
    order_by: [],
    limit: null,
  };
  const { query } = compileMeasures(compilation, inner, null);
  const keyNames = keys.map((_key, index) => keyAlias(index));
  const unitNames = [...units.map(({ as }) => as), ...thingKeys.map((_key, index) => keyAlias(keys.length + index))];
  const total = columnOf('unit_total');
  const { median } = compilation.dialect.compiling;
  const value =
    fn === 'count'
      ? COUNTED
      : fn === 'median'
        ? median!(total)
        : exactAggregate(compilation.dialect, fn, total, typeOf(compilation, of));
  const items = [
    ...outer.map(({ as }, index) => named(columnOf(as!), dimensions[index]!.name)),
    ...keyNames.map((name) => itemOf(columnOf(name))),
    itemOf(value, part.columns.get(leaf.key)!),
  ];
  // Rows without a group don't form one.
  const body = selectOf(items, [derivedOf(query, 'totals')], {
    where: allOf(unitNames.map((name) => isNull(columnOf(name), true))),
    ...groupedBy(positions(outer.length + keyNames.length)),
  });
  return { body, keys: keys.length };
}
const keysOf = (compilation: Compilation, path: string): string[] =>
  datasetOfPath(compilation.lens, path)?.primaryKey ?? [];

function uniqueNames(outputs: Output[]): Output[] {
  const seen = new Set<string>();
  return outputs.map((output) => ({ ...output, name: takeName(seen, output.name) }));
}
