// Restricts a level (a balance, a stock, a population) to one time before svc sums it: the requested time, otherwise
// the latest time.
import { isRelated, listInnerFilters, toPeriodConditions } from '../../plan/filters.ts';
import {
  type Aggregate,
  type Condition,
  createEmptyPlan,
  type FieldRef,
  type Filter,
  formatField,
  type Grouping,
  isBaseMeasure,
  type LensPlan,
  listBaseMeasures,
  listInnerMeasures,
  type Measure,
  type MetricMeasure,
} from '../../plan/lens-plan.ts';
import { restrictsToOneValue } from '../../plan/restricts-to-one-value.ts';
import { isSameGrouping } from '../../plan/sql/dimension.ts';
import type { GrantedLens } from '../outcome.ts';
import { fetchGovernedRows } from '../run/governed-read.ts';
import type { ProbeLimits } from './values/probe-values.ts';

interface SnapshotField {
  path: string;
  name: string;
  /** The field with the time of each row's level. */
  at: string;
  /**
   * True if every measure of the plan is a semi-additive measure with this time field, so that a condition on the time
   * restricts nothing else.
   */
  isAlone: boolean;
  /** The conditions of each sum of the level, without the filters of the plan. */
  sums: Filter[][];
}
interface SnapshotPlan {
  lensPlan: LensPlan;
  notes: string[];
  doubts: string[];
  /** The reason why svc can't use a single time for the level. */
  doubt: string | null;
  /** Whether svc can use the level at the latest of the requested times. */
  isAtOneTime: boolean;
}

export async function restrictToLatestSnapshot(
  grantedLens: GrantedLens,
  lensPlan: LensPlan,
  { path, name, at, isAlone, sums }: SnapshotField,
  wantsLatest: boolean,
  limits: ProbeLimits,
): Promise<SnapshotPlan> {
  const timeRef: FieldRef = { path, field: at };
  const outcome: SnapshotPlan = { lensPlan, notes: [], doubts: [], doubt: null, isAtOneTime: false };
  if (restrictsToOneValue(lensPlan.filters, path, at)) return outcome;
  const readRow = async (parts: Partial<LensPlan>) => {
    const probe = { ...createEmptyPlan(), filters: lensPlan.filters, time: lensPlan.time, limit: 1, ...parts };
    const { rows } = await fetchGovernedRows(grantedLens, probe, {
      ...limits,
      maxRows: 1,
    });
    return rows[0];
  };
  const isTime = (ref: FieldRef): boolean => ref.path === path && ref.field === at;
  const ownTime = lensPlan.filters.flatMap((filter) =>
    'field' in filter &&
    filter.op === '=' &&
    isTime(filter.field) &&
    !filter.field.grain &&
    isExtremeOf(filter.than, isTime)
      ? [filter.than!]
      : [],
  )[0];
  if (ownTime) {
    const ownGroups =
      ownTime.per?.filter((ref) => !lensPlan.dimensions.some((item) => isSameGrouping(item, ref))) ?? [];
    const doubts = ownGroups.map(
      (ref) =>
        `The answer adds ${name.replaceAll('_', ' ')} at several values of ${path}.${at}, because each ${formatField(ref)} can have its own. To separate them, add ${formatField(ref)} to the dimensions.`,
    );
    return { ...outcome, doubts };
  }
  const periods = lensPlan.dimensions.filter(isTime);
  const plainName = name.replaceAll('_', ' ');
  const distinctSums = [...new Map(sums.map((where) => [JSON.stringify(where), where])).values()];
  const timedSums = distinctSums.filter((where) => where.some((filter) => restrictsField(filter, timeRef)));
  const isInPeriod = periods.length > 0 || (lensPlan.time && isTime(lensPlan.time.field));
  if (isInPeriod || timedSums.length > 0) {
    const times: Aggregate = { fn: 'count_distinct', field: timeRef };
    const countTimes = async (where: Filter[]): Promise<number> => {
      const row = await readRow({
        filters: [...lensPlan.filters, ...where],
        measures: [times],
        dimensions: periods,
        order_by: [{ measure: times, direction: 'desc' }],
      });
      return Number(row?.at(-1) ?? 0);
    };
    const hasOtherTimes = !isInPeriod && timedSums.length < distinctSums.length;
    const timeCounts = hasOtherTimes ? [] : await Promise.all(distinctSums.map(countTimes));
    if (!hasOtherTimes && timeCounts.every((count) => count <= 1)) return outcome;
    const doubt = `${plainName} is a level (like a balance), and the question covers several values of ${path}.${at}. A sum over them counts the same amount repeatedly.`;
    const canTakeLatest = periods.length === 0 && timedSums.length === 0 && isAlone;
    if (!wantsLatest || !canTakeLatest) return { ...outcome, doubt, isAtOneTime: canTakeLatest };
  }
  if (!isAlone)
    return {
      ...outcome,
      doubt: `${plainName} is a level (like a balance), and the other measures are not. Ask for ${plainName} separately, or name one value of ${path}.${at}.`,
    };
  const rowCount: Aggregate = { fn: 'count', rows: path };
  const [latestCell, fullestCell] = await Promise.all(
    [{ field: timeRef }, { measure: rowCount }].map((sortKey) =>
      readRow({ measures: [rowCount], dimensions: [timeRef], order_by: [{ ...sortKey, direction: 'desc' }] }),
    ),
  );
  const [value, count] = latestCell ?? [];
  if (value === null || value === undefined) return outcome;
  return {
    ...outcome,
    lensPlan: {
      ...lensPlan,
      filters: [...lensPlan.filters, { field: timeRef, op: '=', values: [String(value)] }],
    },
    notes: [`${plainName} is a level (like a balance), so svc uses the latest ${at}, ${String(value)}.`],
    doubts:
      Number(count) < Number(fullestCell![1])
        ? [
            `The latest ${at} has fewer rows (${count}) than ${fullestCell![0]} (${fullestCell![1]}). The answer leaves out everything that has no row at the latest ${at}.`,
          ]
        : [],
  };
}

const isExtremeOf = (than: Condition['than'], isField: (ref: FieldRef) => boolean): boolean =>
  !!than && (than.fn === 'max' || than.fn === 'min') && isField(than.field);

type SummedMeasureTest = (base: MetricMeasure | Aggregate) => boolean;

/**
 * The conditions of each sum: its own conditions and those of the shares around it, with one list for each period of a
 * change.
 */
export function listConditionsOfSums(measure: Measure, isSum: SummedMeasureTest): Filter[][] {
  if (isBaseMeasure(measure)) return listBaseMeasures(measure).some(isSum) ? [measure.where ?? []] : [];
  const sums = listInnerMeasures(measure).flatMap((inner) => listConditionsOfSums(inner, isSum));
  if (measure.fn === 'share') return sums.flatMap((where) => [where, [...where, ...measure.where]]);
  if (measure.fn !== 'change' || !measure.from || !measure.to) return sums;
  const periods = [measure.from, measure.to].map(toPeriodConditions);
  return sums.flatMap((where) => periods.map((period) => [...where, ...period]));
}

/** Whether a measure sums the results of groups at different times. */
export function sumsAcrossTimes(
  measure: Measure,
  isSum: SummedMeasureTest,
  time: FieldRef,
  times: readonly Grouping[],
): boolean {
  if (isBaseMeasure(measure) || !listBaseMeasures(measure).some(isSum)) return false;
  const within = ('within' in measure && measure.within) || [];
  const isAdded = ['running_total', 'share_of_total', 'groups_sum'].includes(measure.fn);
  const addedTimes = (measure.fn === 'total' ? listConditionsOfSums(measure, isSum) : []).map((where) =>
    JSON.stringify(where.filter((filter) => restrictsField(filter, time))),
  );
  return (
    new Set(addedTimes).size > 1 ||
    (isAdded && !times.every((item) => within.some((part) => isSameGrouping(part, item)))) ||
    listInnerMeasures(measure).some((inner) => sumsAcrossTimes(inner, isSum, time, times))
  );
}

const restrictsField = (filter: Filter, field: FieldRef): boolean =>
  'field' in filter
    ? filter.field.path === field.path && filter.field.field === field.field
    : !isRelated(filter) && listInnerFilters(filter).some((inner) => restrictsField(inner, field));
