// Selects the rows for aggregates. Base aggregates over the same rows share one SELECT.

import { allOf, isNull, nullLiteral } from '../../dialects/make-nodes.ts';
import type { Expression } from '../../dialects/tree.ts';
import { findDatasetOfPath, findPath, listReachablePaths } from '../../lens/model/join-paths.ts';
import type { Lens } from '../../lens/model/lens.ts';
import { shortenName } from '../../lens/model/short-name.ts';
import { takeFreeName } from '../../platform/take-free-name.ts';
import { isRelated, withInnerFilters } from '../filters.ts';
import type { FieldRef, Filter, Grouping, LensPlan, RowValue, TimeWindow } from '../lens-plan.ts';
import { chooseAggregateDataset } from './choose-main-dataset.ts';
import type { Compilation } from './compilation.ts';
import { compileDimensions, type Dimension, listPaths } from './dimension.ts';
import {
  compileFilter,
  compileRestriction,
  compileTimeWindow,
  findFilterPaths,
  findRestrictingPaths,
  isRowFilter,
  readsRelatedRows,
} from './filter-sql.ts';
import { compileBaseMeasure } from './measure.ts';
import type { BaseAggregate } from './output.ts';
import { RowScope } from './row-scope.ts';

export interface MeasuredPart {
  name: string;
  home: string;
  filter: string | null;
  within: TimeWindow | undefined;
  where: Filter[];
  /** The column of each base aggregate, by the key of the aggregate. */
  columns: Map<string, string>;
  leaves: BaseAggregate[];
  /** True if this part lists every group, even a group without measured rows. */
  listsEveryGroup: boolean;
  /** The datasets that the other parts measure. */
  otherHomes: string[];
}

/** The paths that must be reachable from the rows of every aggregate through many-to-one joins. */
const findNeededPaths = (plan: LensPlan): string[] => [
  ...plan.dimensions.flatMap(listPaths),
  ...findRestrictingPaths(plan),
  ...(plan.per ?? []),
];
const getDatasetOfAllGroups = ({ every }: LensPlan): string | null => (typeof every === 'string' ? every : null);
/** Whether the aggregate itself can apply the filters, so that groups without matching rows remain. */
export const canFilterInAggregate = ({ where = [], acceptsCondition: conditional }: BaseAggregate): boolean =>
  conditional && where.every(isRowFilter);

export function splitIntoParts(
  compilation: Compilation,
  plan: LensPlan,
  baseAggregates: BaseAggregate[],
): MeasuredPart[] {
  const { lens } = compilation;
  const neededPaths = findNeededPaths(plan);
  const parts = new Map<string, MeasuredPart>();
  const addAggregate = (baseAggregate: BaseAggregate, mainDataset: string, isEveryPart: boolean): void => {
    const where = canFilterInAggregate(baseAggregate) ? [] : (baseAggregate.where ?? []);
    const { filter, within } = baseAggregate;
    const key = JSON.stringify([
      mainDataset,
      filter,
      within,
      where,
      baseAggregate.over ? baseAggregate.key : null,
      isEveryPart,
    ]);
    const part: MeasuredPart = parts.get(key) ?? {
      name: '',
      home: mainDataset,
      filter,
      within,
      where,
      columns: new Map<string, string>(),
      leaves: [] as BaseAggregate[],
      listsEveryGroup: isEveryPart,
      otherHomes: [],
    };
    if (!part.columns.has(baseAggregate.key)) {
      part.leaves.push(baseAggregate);
      part.columns.set(
        baseAggregate.key,
        takeFreeName(new Set(part.columns.values()), shortenName(baseAggregate.name, MAX_COLUMN_NAME_LENGTH)),
      );
    }
    parts.set(key, part);
  };
  const everyDataset = getDatasetOfAllGroups(plan);
  const everyAggregate = everyDataset
    ? compileBaseMeasure(compilation, { fn: 'count', rows: everyDataset })?.leaves[0]
    : undefined;
  if (everyAggregate) {
    const rolePlan = movePathsToRole(plan, everyAggregate.home);
    for (const path of [...rolePlan.dimensions.flatMap(listPaths), ...(rolePlan.per ?? [])])
      if (findPath(lens, everyAggregate.home, path).kind !== 'path')
        compilation.addFault(
          `${everyAggregate.home} in \`every\` can't be grouped by ${path}. ${findDatasetOfPath(lens, path)?.name === everyAggregate.home ? `For every row of ${everyAggregate.home} in this role, write "every": "${path}". Otherwise, use` : 'Use'} fields of ${listReachablePaths(lens, everyAggregate.home).join(', ')}.`,
          path,
          'fan_out',
        );
    addAggregate({ ...everyAggregate, key: `every ${everyAggregate.home}` }, everyAggregate.home, true);
  }
  for (const baseAggregate of baseAggregates) {
    const aggregatePaths = [
      ...findFilterPaths(baseAggregate.where ?? []),
      ...(baseAggregate.within ? [baseAggregate.within.field.path] : []),
    ];
    addAggregate(
      baseAggregate,
      baseAggregate.over ? '' : chooseAggregateDataset(compilation, baseAggregate, [...neededPaths, ...aggregatePaths]),
      false,
    );
  }
  const partList = [...parts.values()];
  const usedNames = new Set(lens.datasets.map(({ name }) => name));
  for (const part of partList) {
    part.otherHomes = partList.filter((other) => other !== part).map(({ home, leaves }) => home || leaves[0]!.home);
    const preferredName = `${shortenName(part.leaves[0]!.name, MAX_PART_NAME_LENGTH)}_rows`;
    part.name = takeFreeName(usedNames, usedNames.has(preferredName) ? `${preferredName}_grouped` : preferredName);
  }
  return partList;
}

/** Leaves room for a suffix that makes the name unique. */
const MAX_COLUMN_NAME_LENGTH = 60;
const MAX_PART_NAME_LENGTH = 45;

/** Compiles FROM, WHERE, aggregates, dimensions, and the hidden key columns that also form the groups. */
export function compileMeasuredRows(
  compilation: Compilation,
  lensPlan: LensPlan,
  part: MeasuredPart,
  shownDimensions: Dimension[],
) {
  const { lens } = compilation;
  const scope = new RowScope(compilation, part.home);
  const plan = part.listsEveryGroup ? movePathsToRole(lensPlan, part.home) : lensPlan;
  const dimensions = part.listsEveryGroup ? compileDimensions(compilation, plan.dimensions, []) : shownDimensions;
  const aggregateValue = (baseAggregate: BaseAggregate): Expression => {
    const where = canFilterInAggregate(baseAggregate) ? (baseAggregate.where ?? []) : [];
    const condition = allOf(where.flatMap((item) => compileFilter(scope, item) ?? []));
    return baseAggregate.value(scope, condition ?? undefined) ?? nullLiteral();
  };
  // Compiles authors' expressions first, because svc must join their datasets under exactly the names in the
  // expressions.
  const values = new Map(
    [...part.leaves]
      .sort((a, b) => Number(a.acceptsCondition) - Number(b.acceptsCondition))
      .map((baseAggregate) => [baseAggregate.key, aggregateValue(baseAggregate)]),
  );
  // The aggregates have already joined the datasets that the filter reads.
  const ownConditions = part.filter ? [compilation.readAuthored(part.filter)] : [];
  // In the query that lists all groups, applies only conditions on these groups, not conditions on the measured rows.
  const applies = (paths: string[], readsRelated = false): boolean =>
    !part.listsEveryGroup ||
    part.otherHomes.every((home) =>
      [...paths, ...(readsRelated ? [home] : [])].every((path) =>
        isPathThrough(lens, home, getDatasetOfAllGroups(lensPlan)!, path),
      ),
    );
  const filters = plan.filters.filter((_, index) => {
    const filter = lensPlan.filters[index]!;
    return applies(findFilterPaths([filter]), readsRelatedRows(filter));
  });
  const time = lensPlan.time && applies([lensPlan.time.field.path]) ? plan.time : null;
  const where = [
    ...[time, part.within].flatMap((window) => (window ? compileTimeWindow(scope, window) : [])),
    ...[...filters, ...part.where].flatMap((item) => compileRestriction(scope, item) ?? []),
    ...ownConditions,
  ];
  const groupValues = dimensions.map((dimension) => dimension.value(scope));
  for (const path of [getDatasetOfAllGroups(lensPlan), lensPlan.requires])
    if (path && !part.listsEveryGroup) scope.addRequiredConditions(createRoleConditions(scope, path));
  const keys = (plan.per ?? []).flatMap((path) => {
    const joinedDataset = scope.joinPath(path, path);
    if (joinedDataset && joinedDataset.dataset.primaryKey.length === 0)
      compilation.addFault(
        `${path} has no primary key to identify its rows. Declare primary_key in the lens, or remove ${path} from per.`,
        path,
      );
    return joinedDataset ? scope.listPrimaryKeyColumns(joinedDataset) : [];
  });
  return { scope, values, where: [...where, ...scope.requiredConditions], keys, grouped: groupValues };
}

/** Returns true if the join path from `home` to `path` starts with the join path from `home` to `through`. */
function isPathThrough(lens: Lens, home: string, through: string, path: string): boolean {
  const [outer, inner] = [findPath(lens, home, through), findPath(lens, home, path)];
  return (
    outer.kind === 'path' &&
    inner.kind === 'path' &&
    outer.path.steps.every((step, index) => step === inner.path.steps[index])
  );
}

/** Rewrites the paths of a plan so that they start at the dataset of the role in `every`. */
function movePathsToRole(plan: LensPlan, mainDataset: string): LensPlan {
  const role = getDatasetOfAllGroups(plan)!;
  const toMainPath = (path: string): string =>
    path === role ? mainDataset : path.startsWith(`${role}.`) ? `${mainDataset}.${path.slice(role.length + 1)}` : path;
  const moveGrouping = (grouping: Grouping): Grouping => ({
    ...grouping,
    path: toMainPath(grouping.path),
    ...(grouping.when && { when: grouping.when.map(moveFilter) }),
    ...(grouping.value && { value: moveValue(grouping.value) }),
  });
  const moveField = (ref: FieldRef): FieldRef => ({ ...ref, path: toMainPath(ref.path) });
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
          field: moveField(filter.field),
          ...(filter.other && { other: { ...filter.other, field: moveField(filter.other.field) } }),
          ...(filter.than && {
            than: { ...filter.than, field: moveField(filter.than.field), per: filter.than.per?.map(moveField) },
          }),
        }
      : isRelated(filter)
        ? filter
        : withInnerFilters(filter, moveFilter);
  return {
    ...plan,
    dimensions: plan.dimensions.map(moveGrouping),
    per: plan.per?.map(toMainPath),
    filters: plan.filters.map(moveFilter),
    time: plan.time && { ...plan.time, field: { ...plan.time.field, path: toMainPath(plan.time.field.path) } },
  };
}

/** Excludes measured rows that refer to no row of `every`, so that such rows don't form a group without a value. */
function createRoleConditions(scope: RowScope, path: string): Expression[] {
  const joinedDataset = scope.joinPath(path, path);
  if (!joinedDataset || joinedDataset === scope.home) return [];
  const { primaryKey } = joinedDataset.dataset;
  const key =
    primaryKey.length > 0
      ? scope.listPrimaryKeyColumns(joinedDataset)
      : scope.listPhysicalColumns(joinedDataset, joinedDataset.step?.relationship.to.columns ?? []);
  return key.map((column) => isNull(column, true));
}
