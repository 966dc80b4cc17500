// Selects the rows for aggregates. Base aggregates over the same rows share one SELECT.

import { allOf, isNull, nullLiteral } from '../../dialects/make-nodes.ts';
import type { Expression } from '../../dialects/tree.ts';
import { pathTo, reachable } from '../../lens/model/join-paths.ts';
import { shortenName } from '../../lens/model/short-name.ts';
import { takeName } from '../../platform/take-name.ts';
import { isRelated, withInner } from '../filters.ts';
import type { FieldRef, Filter, Grouping, LensPlan, RowValue, TimeWindow } from '../lens-plan.ts';
import { homeOfLeaf } from './choose-home.ts';
import type { Compilation } from './compilation.ts';
import { type Dimension, dimensionsOf, pathsOf } from './dimension.ts';
import { asCondition, filterPaths, isRowFilter, restriction, withinTime } from './filter-sql.ts';
import { compute } from './measure.ts';
import type { Leaf } from './output.ts';
import { RowScope } from './row-scope.ts';

/** Base aggregates over the same rows, grouped in one SELECT. */
export interface Part {
  name: string;
  home: string;
  filter: string | null;
  within: TimeWindow | undefined;
  where: Filter[];
  /** The column of each base aggregate, by the aggregate's key. */
  columns: Map<string, string>;
  leaves: Leaf[];
  /** True if this part lists every group, even a group without measured rows. */
  every: boolean;
}

/** Paths that rows must lead to for every aggregate. */
const pathsNeededBy = (plan: LensPlan): string[] => [
  ...plan.dimensions.flatMap(pathsOf),
  ...filterPaths(plan.filters),
  ...(plan.time ? [plan.time.field.path] : []),
  ...(plan.per ?? []),
];
const rowsOfEvery = ({ every }: LensPlan): string | null => (typeof every === 'string' ? every : null);
/** Whether the filters can move into the aggregate, so that groups without matching rows remain. */
export const hasInnerFilter = ({ where = [], conditional }: Leaf): boolean => conditional && where.every(isRowFilter);

export function partsOf(compilation: Compilation, plan: LensPlan, leaves: Leaf[]): Part[] {
  const { lens } = compilation;
  const neededPaths = pathsNeededBy(plan);
  const parts = new Map<string, Part>();
  const addLeaf = (leaf: Leaf, homeDataset: string, every: boolean): void => {
    const where = hasInnerFilter(leaf) ? [] : (leaf.where ?? []);
    const { filter, within } = leaf;
    const key = JSON.stringify([homeDataset, filter, within, where, leaf.over ? leaf.key : null, every]);
    const part: Part = parts.get(key) ?? {
      name: '',
      home: homeDataset,
      filter,
      within,
      where,
      columns: new Map<string, string>(),
      leaves: [] as Leaf[],
      every,
    };
    if (!part.columns.has(leaf.key)) {
      part.leaves.push(leaf);
      part.columns.set(leaf.key, takeName(new Set(part.columns.values()), shortenName(leaf.name, MAX_COLUMN_LENGTH)));
    }
    parts.set(key, part);
  };
  const rows = rowsOfEvery(plan);
  const everyLeaf = rows ? compute(compilation, { fn: 'count', rows })?.leaves[0] : undefined;
  if (everyLeaf) {
    const rolePlan = withRoleAsHome(plan, everyLeaf.home);
    for (const path of [...rolePlan.dimensions.flatMap(pathsOf), ...(rolePlan.per ?? [])])
      if (pathTo(lens, everyLeaf.home, path).kind !== 'path')
        compilation.fault(
          `every: ${everyLeaf.home} can't be grouped by ${path}. Use fields of ${reachable(lens, everyLeaf.home).join(', ')}.`,
          path,
          'fan_out',
        );
    addLeaf({ ...everyLeaf, key: `every ${everyLeaf.home}` }, everyLeaf.home, true);
  }
  for (const leaf of leaves) {
    const leafPaths = [...filterPaths(leaf.where ?? []), ...(leaf.within ? [leaf.within.field.path] : [])];
    addLeaf(leaf, leaf.over ? '' : homeOfLeaf(compilation, leaf, [...neededPaths, ...leafPaths]), false);
  }
  const partList = [...parts.values()];
  const usedNames = new Set(lens.datasets.map(({ name }) => name));
  for (const part of partList) {
    const preferredName = `${shortenName(part.leaves[0]!.name, MAX_PART_LENGTH)}_rows`;
    part.name = takeName(usedNames, usedNames.has(preferredName) ? `${preferredName}_grouped` : preferredName);
  }
  return partList;
}

/** Leaves room for a suffix that makes the name unique. */
const MAX_COLUMN_LENGTH = 60;
const MAX_PART_LENGTH = 45;

/** Compiles FROM, WHERE, aggregates, dimensions, and the hidden key columns that also form the groups. */
export function rowsOf(compilation: Compilation, lensPlan: LensPlan, part: Part, shownDimensions: Dimension[]) {
  const scope = new RowScope(compilation, part.home);
  const plan = part.every ? withRoleAsHome(lensPlan, part.home) : lensPlan;
  const dimensions = part.every ? dimensionsOf(compilation, plan.dimensions, []) : shownDimensions;
  const leafValue = (leaf: Leaf): Expression => {
    const where = hasInnerFilter(leaf) ? (leaf.where ?? []) : [];
    const condition = allOf(where.flatMap((item) => asCondition(compilation, scope, item) ?? []));
    return leaf.value(scope, condition ?? undefined) ?? nullLiteral();
  };
  // Authors' expressions come first, because their datasets must be joined under exactly the names in the expressions.
  const values = new Map(
    [...part.leaves]
      .sort((a, b) => Number(a.conditional) - Number(b.conditional))
      .map((leaf) => [leaf.key, leafValue(leaf)]),
  );
  const ownConditions = part.filter ? [ownFilter(compilation, scope, part.filter)] : [];
  // The list of all groups has only filters on its own rows, and none on the measured rows.
  const isReached = (paths: string[]): boolean => !part.every || paths.every((path) => scope.reaches(path));
  const filters = plan.filters.filter(
    (filter) => isReached(filterPaths([filter])) && (!part.every || isRowFilter(filter)),
  );
  const time = plan.time && isReached([plan.time.field.path]) ? plan.time : null;
  const where = [
    ...[time, part.within].flatMap((window) => (window ? withinTime(compilation, scope, window) : [])),
    ...[...filters, ...part.where].flatMap((item) => restriction(compilation, scope, item) ?? []),
    ...ownConditions,
  ];
  const groupValues = dimensions.map((dimension) => dimension.value(scope));
  const rows = rowsOfEvery(lensPlan);
  if (rows && !part.every) scope.require(roleExists(scope, rows));
  const keys = (plan.per ?? []).flatMap((path) => {
    const joinedDataset = scope.joinPath(path, path);
    if (joinedDataset && joinedDataset.dataset.primaryKey.length === 0)
      compilation.fault(`${path} has no primary key to identify its rows.`, path);
    return joinedDataset ? scope.ownKey(joinedDataset) : [];
  });
  return { scope, values, where: [...where, ...scope.requiredConditions], keys, grouped: groupValues };
}

/** Rewrites the paths of a plan so that they start at the rows to which the role in `every` leads. */
function withRoleAsHome(plan: LensPlan, homeDataset: string): LensPlan {
  const role = rowsOfEvery(plan)!;
  const toHomePath = (path: string): string =>
    path === role ? homeDataset : path.startsWith(`${role}.`) ? `${homeDataset}.${path.slice(role.length + 1)}` : path;
  const moveGrouping = (grouping: Grouping): Grouping => ({
    ...grouping,
    path: toHomePath(grouping.path),
    ...(grouping.when && { when: grouping.when.map(moveFilter) }),
    ...(grouping.value && { value: moveValue(grouping.value) }),
  });
  const moveField = (ref: FieldRef): FieldRef => ({ ...ref, path: toHomePath(ref.path) });
  const moveValue = (value: RowValue): RowValue => {
    if (typeof value === 'number') return value;
    if ('op' in value) return { ...value, of: value.of.map(moveValue) };
    if ('items' in value) return { ...value, items: moveField(value.items) };
    if ('in' in value) return { ...value, from: moveField(value.from), to: moveField(value.to) };
    return 'or' in value ? { ...value, field: moveField(value.field) } : moveField(value);
  };
  const moveFilter = (filter: Filter): Filter =>
    'field' in filter
      ? {
          ...filter,
          field: { ...filter.field, path: toHomePath(filter.field.path) },
          ...(filter.other && {
            other: { ...filter.other, field: { ...filter.other.field, path: toHomePath(filter.other.field.path) } },
          }),
        }
      : isRelated(filter)
        ? filter
        : withInner(filter, moveFilter);
  return {
    ...plan,
    dimensions: plan.dimensions.map(moveGrouping),
    per: plan.per?.map(toHomePath),
    filters: plan.filters.map(moveFilter),
    time: plan.time && { ...plan.time, field: { ...plan.time.field, path: toHomePath(plan.time.field.path) } },
  };
}

/** Excludes measured rows that lead to no row of `every`, so that such rows don't form a group without a value. */
function roleExists(scope: RowScope, path: string): Expression[] {
  const joinedDataset = scope.joinPath(path, path);
  if (!joinedDataset || joinedDataset === scope.home) return [];
  const { primaryKey } = joinedDataset.dataset;
  const key =
    primaryKey.length > 0
      ? scope.ownKey(joinedDataset)
      : scope.key(joinedDataset, joinedDataset.step?.relationship.to.columns ?? []);
  return key.map((column) => isNull(column, true));
}

function ownFilter(compilation: Compilation, scope: RowScope, filter: string): Expression {
  const { metrics } = compilation.lens;
  const owner = metrics.find((metric) => metric.filter === filter);
  if (owner) scope.requireVerbatim(owner.references.fields);
  return compilation.readAuthored(filter);
}
