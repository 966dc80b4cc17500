// Finds the conditions on each sum of a level (a balance, a stock), without the filters of the whole plan.
import { innerFilters, isRelated, periodConditions } from '../../plan/filters.ts';
import {
  type Aggregate,
  basesOf,
  type FieldRef,
  type Filter,
  type Grouping,
  innerMeasures,
  isBase,
  type Measure,
  type MetricUse,
} from '../../plan/lens-plan.ts';
import { isSameRef } from '../../plan/sql/dimension.ts';

type IsSum = (base: MetricUse | Aggregate) => boolean;

/** The conditions of each sum: its own, those of a share, and those of each period of a change. */
export function conditionsOfSums(measure: Measure, isSum: IsSum): Filter[][] {
  if (isBase(measure)) return basesOf(measure).some(isSum) ? [measure.where ?? []] : [];
  const sums = innerMeasures(measure).flatMap((inner) => conditionsOfSums(inner, isSum));
  if (measure.fn === 'share') return sums.flatMap((where) => [where, [...where, ...measure.where]]);
  if (measure.fn !== 'change' || !measure.from || !measure.to) return sums;
  const periods = [measure.from, measure.to].map(periodConditions);
  return sums.flatMap((where) => periods.map((period) => [...where, ...period]));
}

/** Whether a measure adds up sums of groups at different times. */
export function sumsAcrossTimes(measure: Measure, isSum: IsSum, times: readonly Grouping[]): boolean {
  if (isBase(measure) || !basesOf(measure).some(isSum)) return false;
  const within = ('within' in measure && measure.within) || [];
  const isAdded = ['running_total', 'share_of_total', 'groups_sum'].includes(measure.fn);
  return (
    (isAdded && !times.every((time) => within.some((item) => isSameRef(item, time)))) ||
    innerMeasures(measure).some((inner) => sumsAcrossTimes(inner, isSum, times))
  );
}

export const restrictsField = (filter: Filter, field: FieldRef): boolean =>
  'field' in filter
    ? filter.field.path === field.path && filter.field.field === field.field
    : !isRelated(filter) && innerFilters(filter).some((inner) => restrictsField(inner, field));
