// Warns if some groups have no rows and counting them as zeros would change the answer. Examples are accounts in
// "average number of tickets per account" or "accounts with fewer than 2 tickets", and months in "average tickets per
// month".

import { isDeepStrictEqual } from 'node:util';
import { DateTime } from 'luxon';
import type { Grain } from '../../../contract/warehouse.ts';
import type { Cell } from '../../../domain/ports.ts';
import { findPath } from '../../../lens/model/join-paths.ts';
import { findDataset, type Lens, type LensRelationship } from '../../../lens/model/lens.ts';
import { findBaseDataset, findMetric } from '../../../plan/base-measures.ts';
import { toPeriodConditions } from '../../../plan/filters.ts';
import {
  type Aggregate,
  createEmptyPlan,
  type Filter,
  type Grouping,
  getOuterFunction,
  type Having,
  isDayPart,
  isGroupMeasure,
  type LensPlan,
  listBaseMeasures,
  listNestedMeasures,
  type Measure,
  type MetricMeasure,
} from '../../../plan/lens-plan.ts';
import type { CompiledPlan, Verdict } from '../../outcome.ts';
import {
  type AnswerCheck,
  createPassVerdict,
  createUnknownVerdict,
  createWarningVerdict,
  findWorstVerdict,
  ignoreInvalidProbe,
} from '../check.ts';
import type { Probes } from '../probes.ts';

/** A measure of groups whose value would change if groups without rows counted as 0. */
interface MeasuredGroups {
  of: Measure;
  by?: Grouping[] | undefined;
  per?: string[] | undefined;
  /** Whether the SQL has a group for rows that don't meet the filter of a metric. */
  keepsFiltered: boolean;
}
interface EmptyGroups {
  of: string;
  rows: string;
  /** Counts the groups without rows. Null if a plan can't count these groups. */
  plan: LensPlan | null;
  isCertain: boolean;
}

export const groupsCompleteCheck: AnswerCheck = {
  name: 'groups_complete',
  critical: false,
  async checkPlan(plan, probes) {
    if (plan.plan !== 'compiled') return null;
    const measuredGroups = findMeasuredGroups(plan);
    return findWorstVerdict(
      await Promise.all([
        ...measuredGroups.flatMap((groups) => findMeasuredPeriods(plan, groups) ?? []).map(checkPeriods(probes)),
        ...measuredGroups.flatMap((groups) => findEmptyGroups(plan, groups) ?? []).map(checkGroups(probes)),
      ]),
    );
  },
};

const COMPLETE_VERDICT = createPassVerdict('Each group has rows.');
const MAX_PERIODS = 5_000;

const checkPeriods =
  (probes: Probes) =>
  async ({ plan, grain, rows }: MeasuredPeriods): Promise<Verdict> => {
    const periods = await probes.fetchRows(plan, MAX_PERIODS + 1).catch(ignoreInvalidProbe);
    const count = periods && countMissingPeriods(periods, grain);
    const leavesOut = `out each ${grain} without ${rows}`;
    if (count === null) return createUnknownVerdict(`svc may leave ${leavesOut}.`);
    return count > 0 ? createWarningVerdict(`svc leaves ${leavesOut}: ${count}.`) : COMPLETE_VERDICT;
  };

const checkGroups =
  (probes: Probes) =>
  async ({ of, rows, plan, isCertain }: EmptyGroups): Promise<Verdict> => {
    const count = plan && (await probes.count(plan).catch(ignoreInvalidProbe));
    const leavesOut = `${isCertain && count !== null ? 'leaves' : 'may leave'} out ${of} without matching ${rows}`;
    if (count === null) return createUnknownVerdict(`svc ${leavesOut}.`);
    return count > 0 ? createWarningVerdict(`svc ${leavesOut}: ${count}.`) : COMPLETE_VERDICT;
  };

/**
 * If the caller sent a plan without a question, svc doesn't check the `having` and `order_by` of the result, because
 * the rows of the answer show which groups it has. A number over groups doesn't show this.
 */
function findMeasuredGroups({ lensPlan, readingOrigin }: CompiledPlan): MeasuredGroups[] {
  const isAsked = readingOrigin.by !== 'caller' || readingOrigin.asked;
  const withinMeasures = listNestedMeasures(lensPlan)
    .filter(isGroupMeasure)
    .flatMap((measure): MeasuredGroups[] => {
      const { by, per, every, having = [] } = measure;
      if (every) return [];
      const groups = { by, per, keepsFiltered: true };
      if (having.length > 0) return having.filter(allowsZero).map(({ measure: of }) => ({ ...groups, of }));
      return ['avg', 'median', 'min'].includes(getOuterFunction(measure)) ? [{ ...groups, of: measure.of }] : [];
    });
  if (!isAsked || lensPlan.every) return withinMeasures;
  const { dimensions: by, per, having, order_by: order, limit, limit_per: limitPer } = lensPlan;
  const ascending = limit !== null || limitPer ? order.filter(({ direction }) => direction === 'asc') : [];
  return [
    ...withinMeasures,
    ...[...having.filter(allowsZero), ...ascending].flatMap(({ measure: of }) =>
      of ? [{ of, by, per, keepsFiltered: false }] : [],
    ),
  ];
}
const allowsZero = ({ op, values: [value = 0], than }: Having): boolean =>
  !than && (op === '<' || op === '<=' || op === '!=' || (op !== '>' && value <= 0));

function findEmptyGroups(
  { grantedLens: { lens }, lensPlan }: CompiledPlan,
  { of, by = [], per, keepsFiltered }: MeasuredGroups,
): EmptyGroups | null {
  // A ratio has no value without rows. But if its dividend has no value, the ratio could count as 0.
  const isRatio = of.fn === 'ratio';
  const measure = isRatio ? of.of[0]! : of;
  const bases = listBaseMeasures(measure);
  const [home, ...otherHomes] = new Set(bases.map((base) => findBaseDataset(lens, base)));
  if (!home || otherHomes.length > 0) return null;
  if (!bases.every((base) => isZeroWithoutRows(lens, base))) return null;
  const [group, ...otherGroups] = per
    ? per.flatMap((path) => findGroupByPath(lens, home, path) ?? [])
    : by.flatMap((grouping) => findGroupByKey(lens, home, grouping) ?? []);
  if (group?.dataset === home) return null;
  const isZero = measure.fn === 'or_zero' || measure.fn === 'count_groups';
  const uncertain = bases.filter((base) => {
    const isFiltered = !!findMetric(lens, base)?.filter;
    if (isFiltered && !keepsFiltered) return true;
    return (isFiltered || !!base.where?.length) && !isZero && !isCount(lens, base);
  });
  const rows = home.replaceAll('_', ' ');
  const isCombined = otherGroups.length > 0 || (by.length > 1 && uncertain.length > 0);
  if (!group || isCombined || isRatio) {
    if (uncertain.length === 0) return null;
    const plan = createCountOfUnmatchedGroups(lens, lensPlan, { by, per }, home, uncertain);
    return { of: 'groups', rows, isCertain: true, plan };
  }
  // A filter on the rows that form the groups restricts the groups. All other filters restrict the measured rows.
  const isOfGroup = (filter: Filter): boolean => {
    const fromRows = 'field' in filter && findJoinPath(lens, home, filter.field.path);
    const fromGroup = 'field' in filter && findJoinPath(lens, group.dataset, filter.field.path);
    return !!fromRows && !!fromGroup && isDeepStrictEqual(fromRows, [...group.steps, ...fromGroup]);
  };
  const where = [
    ...lensPlan.filters.filter((filter) => !isOfGroup(filter)),
    ...(lensPlan.time ? toPeriodConditions(lensPlan.time) : []),
    ...uncertain.flatMap((base) => base.where ?? []),
  ];
  const [step, ...furtherSteps] = group.steps;
  const via = furtherSteps.length === 0 && step!.named ? { via: step!.role } : {};
  return {
    of: group.dataset.replaceAll('_', ' '),
    rows,
    isCertain: uncertain.length === 0,
    plan: uncertain.some((base) => findMetric(lens, base)?.filter)
      ? null
      : {
          ...createEmptyPlan(),
          measures: [{ fn: 'count', rows: group.dataset }],
          filters: [...lensPlan.filters.filter(isOfGroup), { not_exists: home, where, ...via }],
        },
  };
}

/** Counts the groups that have rows of `home`, but no value of one of the measures. */
function createCountOfUnmatchedGroups(
  lens: Lens,
  { dimensions, per: shownPer = [], filters, time }: LensPlan,
  { by, per = [] }: Pick<MeasuredGroups, 'by' | 'per'>,
  home: string,
  measures: (MetricMeasure | Aggregate)[],
): LensPlan {
  const groups = { fn: 'count_groups' as const, by: [...dimensions, ...(by ?? [])], per: [...shownPer, ...per] };
  const having = measures.map(
    // A value equals itself, unless it is null.
    (measure): Having =>
      isCount(lens, measure) ? { measure, op: '>', values: [0] } : { measure, op: '=', values: [], than: measure },
  );
  const counts: Measure[] = [
    { ...groups, of: { fn: 'count', rows: home } },
    { ...groups, of: measures[0]!, having },
  ];
  return { ...createEmptyPlan(), measures: [{ fn: 'difference', of: counts }], filters, time };
}

/** The dataset whose rows form the groups, and the join path from the measured rows to this dataset. */
interface GroupPath {
  dataset: string;
  steps: LensRelationship[];
}
const findJoinPath = (lens: Lens, from: string, path: string): LensRelationship[] | null => {
  const result = findPath(lens, from, path);
  return result.kind === 'path' ? result.path.steps : null;
};
function findGroupByPath(lens: Lens, home: string, path: string): GroupPath | null {
  const steps = findJoinPath(lens, home, path);
  return steps && { dataset: steps.at(-1)?.to.dataset ?? home, steps };
}
/**
 * Finds the dataset that has this field as its key: the field's own dataset, or the dataset that the measured rows
 * refer to.
 */
function findGroupByKey(lens: Lens, home: string, { path, field, ...others }: Grouping): GroupPath | null {
  if (!field || Object.keys(others).length > 0) return null;
  const group = findGroupByPath(lens, home, path);
  const isOnly = (columns: string[]): boolean => columns.length === 1 && columns[0] === field;
  if (group && isOnly(findDataset(lens, group.dataset)?.primaryKey ?? [])) return group;
  const step = lens.relationships.find(({ from }) => path === home && from.dataset === home && isOnly(from.columns));
  return step ? { dataset: step.to.dataset, steps: [step] } : null;
}

interface MeasuredPeriods {
  grain: Grain;
  rows: string;
  /** Lists the periods that have rows. */
  plan: LensPlan;
}
function findMeasuredPeriods(
  { grantedLens: { lens }, lensPlan }: CompiledPlan,
  { of, by = [], per }: MeasuredGroups,
): MeasuredPeriods | null {
  const [grouping, ...otherGroupings] = by;
  const bases = listBaseMeasures(of);
  const [home, ...otherHomes] = new Set(bases.map((base) => findBaseDataset(lens, base)));
  if (per || !grouping || otherGroupings.length > 0 || !home || otherHomes.length > 0 || of.fn === 'ratio') return null;
  const { grain } = grouping;
  if (!grain || isDayPart(grain) || !bases.every((base) => isZeroWithoutRows(lens, base))) return null;
  const { filters, time } = lensPlan;
  const measures: Measure[] = [{ fn: 'count', rows: home }];
  return {
    grain,
    rows: home.replaceAll('_', ' '),
    plan: { ...createEmptyPlan(), measures, dimensions: [grouping], filters, time },
  };
}
/**
 * Counts the periods without rows between the first and the last period with rows. Returns null if there are too many
 * periods.
 */
function countMissingPeriods(rows: Cell[][], grain: Grain): number | null {
  if (rows.length > MAX_PERIODS) return null;
  const starts = rows
    .flatMap(([cell]) => (cell === null ? [] : [DateTime.fromISO(String(cell), { zone: 'utc' })]))
    .sort((a, b) => +a - +b);
  const [first, last] = [starts[0], starts.at(-1)];
  return first && last ? Math.round(last.diff(first, grain).as(grain)) + 1 - starts.length : 0;
}

/** Whether the measure is 0, and not null, in a group whose rows don't meet the measure's conditions. */
const isCount = (lens: Lens, base: MetricMeasure | Aggregate): boolean =>
  base.fn === 'metric' ? /^\s*count\s*\(/i.test(findMetric(lens, base)?.expression ?? '') : base.fn.startsWith('count');

/** A ratio has no value without rows, even if it divides counts or sums. */
function isZeroWithoutRows(lens: Lens, base: MetricMeasure | Aggregate): boolean {
  if (base.fn !== 'metric') return base.fn.startsWith('count') || base.fn === 'sum';
  const { references, expression = '/' } = findMetric(lens, base) ?? {};
  return (
    !expression.includes('/') &&
    references?.metrics.length === 0 &&
    references.aggregates.every((fn) => /^(?:count|sum)/i.test(fn))
  );
}
