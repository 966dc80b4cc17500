// If a "top 10" ends within a tie, its last rows are arbitrary. The probe is the same plan with one more row, or with
// all tied rows of each group, and with a column for each sort key. If the rows before and after a cut have equal sort
// keys, another answer is equally correct.
import type { Lens } from '../../../lens/model/lens.ts';
import { findMeasureIndex, type Grouping, type LensPlan, type SortOrder } from '../../../plan/lens-plan.ts';
import { isDateOrPeriod, isSameGrouping } from '../../../plan/sql/dimension.ts';

export interface TieProbe {
  lensPlan: LensPlan;
  /** The columns of the probe's result with the sort keys. Dimensions come before measures. */
  columns: number[];
  /** The positions, counted from 1, after which a tie would make the answer arbitrary. */
  cuts: number[];
  /** The columns that form the groups, if each group has its own limit, as in "the top customer per region". */
  within?: number[];
  /** The indexes of the answer's columns in the probe's result. */
  answerColumns: number[];
}

/** Null if no limit cuts an ordered result. `unknown` if one probe can't show each sort key and each cut. */
export function createTieProbe(lens: Lens, plan: LensPlan): TieProbe | 'unknown' | null {
  const lensPlan = withDefaultOrder(lens, plan);
  const { limit, limit_per: groupLimit, offset = 0, order_by: keys } = lensPlan;
  if (keys.length === 0 || (limit === null && (!groupLimit || groupLimit.ties))) return null;
  const { plan: probePlan, columns, shown } = withKeyColumns(lensPlan);
  if (columns.includes(-1)) return 'unknown';
  if (groupLimit) {
    const within = groupLimit.by.map((dimension) => findDimensionIndex(probePlan, dimension));
    // With two limits, the probe shows only the cut within the groups.
    if (within.includes(-1) || limit !== null) return 'unknown';
    const withTies: LensPlan = { ...probePlan, limit_per: { ...groupLimit, ties: true } };
    return { lensPlan: withTies, columns, cuts: [groupLimit.rows], within, answerColumns: shown };
  }
  const lastRow = offset + limit!;
  const { offset: _offset, ...fromFirstRow } = probePlan;
  // A row's rank is well defined only if its sort keys differ from those of its neighbors.
  const cuts = offset > 0 ? Array.from({ length: lastRow }, (_one, index) => index + 1) : [lastRow];
  return { lensPlan: { ...fromFirstRow, limit: lastRow + 1 }, columns, cuts, answerColumns: shown };
}

/** Without an order, groups are sorted by time, or else by the first measure (compileOrdering in measure-order.ts). */
function withDefaultOrder(lens: Lens, plan: LensPlan): LensPlan {
  const [measure] = plan.measures;
  const isByTime = plan.dimensions.some((dimension) => isDateOrPeriod(lens, dimension));
  if (plan.order_by.length > 0 || plan.limit === null || plan.limit_per || !measure || isByTime) return plan;
  return { ...plan, order_by: [{ measure, direction: measure.fn === 'rank' ? 'asc' : 'desc' }] };
}

const findDimensionIndex = ({ dimensions }: LensPlan, key: Grouping): number =>
  dimensions.findIndex((dimension) => isSameGrouping(dimension, key));

/**
 * Adds a column for each sort key, and in a listing also for each field of a limit per group. Returns the column indexes
 * of the sort keys, with -1 for a key that can't be a column, and the column indexes of the answer.
 */
function withKeyColumns(lensPlan: LensPlan): { plan: LensPlan; columns: number[]; shown: number[] } {
  const { order_by: keys, grouped, distinct } = lensPlan;
  const isListing = lensPlan.measures.length === 0 && !grouped;
  const hiddenKeys = keys.filter((key) => findKeyIndex(lensPlan, key) < 0);
  const hiddenFields = [
    ...(lensPlan.limit_per?.by.filter((dimension) => findDimensionIndex(lensPlan, dimension) < 0) ?? []),
    ...hiddenKeys.flatMap(({ field }) => (field ? [field] : [])),
  ];
  const plan = {
    ...lensPlan,
    dimensions: [...lensPlan.dimensions, ...(isListing && !distinct ? hiddenFields : [])],
    measures: [
      ...lensPlan.measures,
      ...(isListing ? [] : hiddenKeys.flatMap(({ measure }) => (measure ? [measure] : []))),
    ],
  };
  if (plan.measures.length > 0) delete plan.grouped;
  const shown = [
    ...lensPlan.dimensions.keys(),
    ...lensPlan.measures.map((_measure, index) => plan.dimensions.length + index),
  ];
  return { plan, columns: keys.map((key) => findKeyIndex(plan, key)), shown };
}

function findKeyIndex(plan: LensPlan, { field, measure }: SortOrder): number {
  if (field) return findDimensionIndex(plan, field);
  const index = findMeasureIndex(plan.measures, measure!);
  return index < 0 ? -1 : plan.dimensions.length + index;
}
