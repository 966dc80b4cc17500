// A group for each name combines two players with the same name. Groups by the key, or `per`, separate these players.
import { isDeepStrictEqual } from 'node:util';
import { findCommonDataset, findDatasetOfPath, findPath } from '../../lens/model/join-paths.ts';
import type { Lens, LensDataset, LensRelationship } from '../../lens/model/lens.ts';
import { findBaseDataset, findCountedDatasets, listSimpleBases } from '../../plan/base-measures.ts';
import { listConditions } from '../../plan/filters.ts';
import {
  type Condition,
  createEmptyPlan,
  type FieldRef,
  formatField,
  type GroupAggregate,
  type GroupCount,
  type Grouping,
  isGroupMeasure,
  type LensPlan,
  listBaseMeasures,
  listMeasures,
  listNestedMeasures,
  type Measure,
} from '../../plan/lens-plan.ts';
import { computeOnce } from '../../platform/memoize.ts';
import { getVocabulary } from '../../reader/words/vocabulary.ts';
import { ignoreInvalidProbe } from './check.ts';
import type { Probes } from './probes.ts';

/** The groups of one member of a plan, such as `dimensions`. */
interface Groups {
  /** The member of the plan, such as `dimensions`. */
  member: string;
  by: Grouping[];
  /** The other groupings that separate the same rows. */
  within: Grouping[];
  per: string[];
  measures: Measure[];
  /** The dataset whose rows a listing shows. */
  rows?: string | null;
}
export interface NamedGroups {
  member: string;
  path: string;
  dataset: LensDataset;
  nameFields: FieldRef[];
  /** Counts the names that belong to several rows of the dataset. */
  probe: LensPlan;
}

/** Whether other datasets refer to the dataset by a key that isn't one of its name fields. */
export const isEntity = (lens: Lens, { name, primaryKey }: LensDataset): boolean =>
  primaryKey.length > 0 &&
  lens.relationships.some(({ to }) => to.dataset === name) &&
  !getVocabulary(lens)
    .displayFieldsOf(name)
    .some((field) => primaryKey.includes(field.name));

/** The name fields of each entity. */
const getEntityNames = computeOnce(
  (lens: Lens): Map<string, string[]> =>
    new Map(
      lens.datasets
        .filter((dataset) => isEntity(lens, dataset))
        .map(({ name }) => [
          name,
          getVocabulary(lens)
            .displayFieldsOf(name)
            .map((field) => field.name),
        ]),
    ),
);

/** Finds groups that are formed by the name of an entity, without its key. */
export function findNamedGroups(lens: Lens, lensPlan: LensPlan): NamedGroups[] {
  const entityNames = getEntityNames(lens);
  if (entityNames.size === 0) return [];
  const found = listGroups(lens, lensPlan).flatMap((groups) =>
    [...new Set(groups.by.map(({ path }) => path))].flatMap((path): NamedGroups[] => {
      const dataset = findDatasetOfPath(lens, path);
      const names = entityNames.get(dataset?.name ?? '') ?? [];
      const shown = groups.by.filter((item) => item.path === path && isPlain(item));
      const nameFields = shown.filter(({ field }) => names.includes(field));
      if (!dataset || names.length === 0 || nameFields.length < names.length) return [];
      if (countsOnly(lens, groups, path) || separatesRows(lens, groups, path, dataset)) return [];
      const probe = createProbe(lensPlan, dataset.name, path, shown);
      return [{ member: groups.member, path, dataset, nameFields, probe }];
    }),
  );
  return [...new Map(found.map((item) => [JSON.stringify([item.member, item.probe]), item])).values()];
}

export async function findSharedNameWarnings(namedGroups: NamedGroups[], probes: Probes): Promise<string[]> {
  const pendingCounts = new Map<string, Promise<number | null>>();
  const warnings = namedGroups.map(async ({ member, path, dataset, nameFields, probe }) => {
    const probeKey = JSON.stringify(probe);
    const pendingCount = pendingCounts.get(probeKey) ?? probes.count(probe).catch(ignoreInvalidProbe);
    pendingCounts.set(probeKey, pendingCount);
    const count = await pendingCount;
    if (!count) return [];
    const rowNames = dataset.name.replaceAll('_', ' ');
    const shared = `${count === 1 ? '1 name' : `${count} names`} in ${nameFields.map(formatField).join(' and ')} ${count === 1 ? 'belongs' : 'belong'} to several ${rowNames}`;
    const keys = dataset.primaryKey.filter((column) =>
      dataset.fields.some(({ name, masked }) => name === column && !masked),
    );
    const remedies = [
      ...(keys.length === dataset.primaryKey.length
        ? [`add ${keys.map((field) => formatField({ path, field })).join(' and ')} to \`${member}\``]
        : []),
      ...(member === 'dimensions' ? [`add "per": ["${path}"]`] : []),
    ];
    const remedy = remedies.length > 0 ? ` To separate them, ${remedies.join(', or ')}.` : '';
    return [`${shared}, and \`${member}\` combines these ${rowNames}.${remedy}`];
  });
  return (await Promise.all(warnings)).flat();
}

function listGroups(lens: Lens, lensPlan: LensPlan): Groups[] {
  const { dimensions, per = [], limit_per: limitPer, rows, grouped } = lensPlan;
  const measures = listMeasures(lensPlan);
  const common = { within: [], per: [], measures };
  const nested = listNestedMeasures(lensPlan).flatMap((measure): Groups[] => {
    if (isGroupMeasure(measure)) return [toInnerGroups(measure, lensPlan)];
    const by = 'within' in measure ? measure.within : undefined;
    return by ? [{ ...common, member: 'within', by }] : [];
  });
  const compared = listConditions(lensPlan).flatMap(({ than }): Groups[] =>
    than?.per ? [{ ...common, measures: [than], member: 'than.per', by: than.per }] : [],
  );
  const isListing = lensPlan.measures.length === 0 && !grouped;
  const ofListing = (): Partial<Groups> => ({
    measures: [],
    rows: rows ?? findCommonDataset(lens, [...new Set(dimensions.map(({ path }) => path))]),
  });
  return [
    ...(isListing ? [] : [{ ...common, member: 'dimensions', by: dimensions, per }]),
    ...(limitPer ? [{ ...common, member: 'limit_per.by', by: limitPer.by, ...(isListing && ofListing()) }] : []),
    ...nested,
    ...compared,
  ];
}
const toInnerGroups = (measure: GroupAggregate | GroupCount, { dimensions, per: outerPer = [] }: LensPlan): Groups => {
  const { by = [], per = [] } = measure;
  return { member: 'by', by, within: dimensions, per: [...per, ...outerPer], measures: [measure] };
};
/** The datasets whose rows form the groups. */
const findHomes = (lens: Lens, { measures, rows }: Groups): (string | null)[] =>
  rows !== undefined
    ? [rows]
    : measures.flatMap((item) => listSimpleBases(lens, item)).map((base) => findBaseDataset(lens, base));

/** Whether the measures only count the rows with each name, so that the answer itself shows which names repeat. */
const countsOnly = (lens: Lens, { measures }: Groups, path: string): boolean => {
  const bases = measures.flatMap(listBaseMeasures);
  return bases.length > 0 && bases.every((base) => findCountedDatasets(lens, base).join() === path);
};

/**
 * Whether each group contains only one row of the path. This applies if the groups have the key of this row, a column
 * that refers to it, or the key of a row that leads to it.
 */
function separatesRows(lens: Lens, groups: Groups, path: string, dataset: LensDataset): boolean {
  const { by, within, per } = groups;
  const groupings = [...by, ...within].filter(isPlain);
  const groupsBy = (columns: readonly string[], isAtRow: (path: string) => boolean): boolean =>
    columns.length > 0 &&
    columns.every((column) => groupings.some((item) => item.field === column && isAtRow(item.path)));
  if (per.includes(path) || groupsBy(dataset.primaryKey, (other) => other === path)) return true;
  const separatesFrom = (home: string | null): boolean => {
    const steps = home === null ? null : findJoinPath(lens, home, path);
    if (!steps) return false;
    return [null, ...steps].some((step, index) => {
      const isAtRow = (other: string): boolean =>
        isDeepStrictEqual(findJoinPath(lens, home!, other), steps.slice(0, index));
      const name = step?.to.dataset ?? home;
      const key = lens.datasets.find((item) => item.name === name)?.primaryKey ?? [];
      return per.some(isAtRow) || groupsBy(key, isAtRow) || groupsBy(steps[index]?.from.columns ?? [], isAtRow);
    });
  };
  const homes = new Set(findHomes(lens, groups));
  return homes.size > 0 && [...homes].every(separatesFrom);
}
const isPlain = ({ grain, bin, value, when, through }: Grouping): boolean =>
  !grain && bin === undefined && value === undefined && !when && through === undefined;
function findJoinPath(lens: Lens, from: string, path: string): LensRelationship[] | null {
  const result = findPath(lens, from, path);
  return result.kind === 'path' ? result.path.steps : null;
}

function createProbe({ filters }: LensPlan, dataset: string, path: string, shown: Grouping[]): LensPlan {
  const count: Measure = { fn: 'count', rows: dataset };
  const by = shown.map(({ field }) => ({ path: dataset, field }));
  const ofDataset = filters.filter(
    (filter): filter is Condition =>
      'field' in filter && filter.field.path === path && filter.than === undefined && filter.other === undefined,
  );
  return {
    ...createEmptyPlan(),
    measures: [{ fn: 'count_groups', of: count, by, having: [{ measure: count, op: '>', values: [1] }] }],
    filters: ofDataset.map((filter) => ({ ...filter, field: { ...filter.field, path: dataset } })),
  };
}
