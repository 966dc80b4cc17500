// Checks questions such as "average number of tickets per account" and "accounts with fewer than 2 tickets" if some
// accounts have no tickets. Counting such accounts as zeros would change the answer.

import { datasetOfPath, findPath } from '../../../lens/model/join-paths.ts';
import type { Lens } from '../../../lens/model/lens.ts';
import { measuresWithin } from '../../../plan/facts-used.ts';
import { periodConditions } from '../../../plan/filters.ts';
import {
  type Aggregate,
  basesOf,
  createEmptyPlan,
  type Filter,
  type Grouping,
  type Having,
  isOverGroups,
  type LensPlan,
  type Measure,
  type MetricUse,
  outerFunction,
  rowsOf,
} from '../../../plan/lens-plan.ts';
import type { CompiledPlan } from '../../outcome.ts';
import { type AnswerCheck, passVerdict, warningVerdict } from '../check.ts';

/** A measure of groups that a group without rows would change if it counted as 0. */
interface MeasuredGroups {
  of: Measure;
  by?: Grouping[] | undefined;
  per?: string[] | undefined;
}
interface EmptyGroups {
  of: string;
  rows: string;
  /** Counts the groups without rows. */
  plan: LensPlan;
}

export const groupsComplete: AnswerCheck = {
  name: 'groups_complete',
  critical: false,
  async checkPlan(plan, probes) {
    if (plan.plan !== 'compiled') return null;
    const emptyGroups = measuredGroups(plan).flatMap((groups) => emptyGroupsOf(plan, groups) ?? []);
    for (const { of, rows, plan: countPlan } of emptyGroups) {
      const count = await probes.count(countPlan);
      if (count > 0) return warningVerdict(`svc leaves out ${of} without matching ${rows}: ${count}.`);
    }
    return emptyGroups.length > 0 ? passVerdict('Each group has rows.') : null;
  },
};

/** If no one asked a question, the plan itself says that `having` and `order_by` are about the groups with rows. */
function measuredGroups({ lensPlan, readingOrigin }: CompiledPlan): MeasuredGroups[] {
  const isAsked = readingOrigin.by !== 'caller' || readingOrigin.asked;
  const withinMeasures = measuresWithin(lensPlan)
    .filter(isOverGroups)
    .flatMap((measure): MeasuredGroups[] => {
      const { by, per, every, having = [] } = measure;
      if (every) return [];
      if (having.length > 0)
        return isAsked ? having.filter(admitsZero).map(({ measure: of }) => ({ of, by, per })) : [];
      return ['avg', 'median', 'min'].includes(outerFunction(measure)) ? [measure] : [];
    });
  if (!isAsked || lensPlan.every) return withinMeasures;
  const { dimensions: by, per, having, order_by: order, limit, limit_per: limitPer } = lensPlan;
  const ascending = limit !== null || limitPer ? order.filter(({ direction }) => direction === 'asc') : [];
  return [
    ...withinMeasures,
    ...[...having.filter(admitsZero), ...ascending].flatMap(({ measure: of }) => (of ? [{ of, by, per }] : [])),
  ];
}
const admitsZero = ({ op, values: [value = 0], than }: Having): boolean =>
  !than && (op === '<' || op === '<=' || op === '!=' || (op !== '>' && value <= 0));

function emptyGroupsOf(
  { grantedLens: { lens }, lensPlan }: CompiledPlan,
  { of, by = [], per }: MeasuredGroups,
): EmptyGroups | null {
  const [path, ...otherPaths] = per ?? by.flatMap((group) => datasetWithKey(lens, group));
  const bases = basesOf(of);
  const [home, ...otherHomes] = new Set(bases.map((base) => homeOf(lens, base)));
  if (path === undefined || otherPaths.length > 0 || !home || otherHomes.length > 0 || home === path) return null;
  // If a role of a dataset forms the groups, "no rows" isn't well defined: a group can have rows in one relationship
  // and none in another.
  if (datasetOfPath(lens, path)?.name !== path) return null;
  if (of.fn === 'ratio' || !bases.every((base) => isZeroWithoutRows(lens, base))) return null;
  const isOfGroup = (filter: Filter): boolean =>
    'field' in filter && findPath(lens, path, filter.field.path).kind === 'path';
  const where = [
    ...lensPlan.filters.filter((filter) => !isOfGroup(filter)),
    ...(lensPlan.time ? periodConditions(lensPlan.time) : []),
  ];
  return {
    of: path.replaceAll('_', ' '),
    rows: home.replaceAll('_', ' '),
    plan: {
      ...createEmptyPlan(),
      measures: [{ fn: 'count', rows: path }],
      filters: [...lensPlan.filters.filter(isOfGroup), { not_exists: home, where }],
    },
  };
}

/** The dataset whose rows have this value as their key: the own dataset of the field, or the one that it refers to. */
function datasetWithKey(lens: Lens, { path, field, ...others }: Grouping): string[] {
  const dataset = datasetOfPath(lens, path);
  if (!dataset || !field || Object.keys(others).length > 0) return [];
  const isOnly = (columns: string[]): boolean => columns.length === 1 && columns[0] === field;
  if (isOnly(dataset.primaryKey)) return [path];
  return lens.relationships
    .filter(({ from }) => from.dataset === dataset.name && isOnly(from.columns))
    .map(({ to }) => to.dataset);
}

const homeOf = (lens: Lens, base: MetricUse | Aggregate): string | null =>
  base.fn === 'metric' ? (lens.metrics.find(({ name }) => name === base.metric)?.home ?? null) : rowsOf(base);

function isZeroWithoutRows(lens: Lens, base: MetricUse | Aggregate): boolean {
  if (base.fn !== 'metric') return base.fn.startsWith('count') || base.fn === 'sum';
  const references = lens.metrics.find(({ name }) => name === base.metric)?.references;
  return references?.metrics.length === 0 && references.aggregates.every((fn) => /^(?:count|sum)$/i.test(fn));
}
