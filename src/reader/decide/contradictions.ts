// Finds plans that contradict their question. Such plans have disjoint periods, require two values of one field, or use
// the date of a different event.

import { isTemporal } from '../../contract/warehouse.ts';
import { expandAbbreviations } from '../../lens/model/name-words.ts';
import { listTimeFields } from '../../plan/bind/bind-measures.ts';
import {
  type Condition,
  type FieldRef,
  type Filter,
  getRowsPath,
  type LensPlan,
  listBaseMeasures,
  listHavingMeasures,
} from '../../plan/lens-plan.ts';
import { restrictsToOneValue } from '../../plan/restricts-to-one-value.ts';
import type { Vocabulary } from '../words/vocabulary.ts';

export const hasContradiction = (plan: LensPlan, vocabulary: Vocabulary): boolean => {
  const windows = findDateWindows(plan);
  return (
    groupsByOtherDate(plan) ||
    listsRestrictedField(plan) ||
    ranksByRestrictedField(plan) ||
    hasConflictingFilters(plan.filters) ||
    usesDistantDate(plan, windows, vocabulary)
  );
};

interface DateWindow {
  field: FieldRef;
  from: string;
  to: string;
}
const EARLIEST_DATE = '';
const LATEST_DATE = '9999';
const findDateWindows = ({ filters, time }: LensPlan): DateWindow[] => [
  ...(time ? [time] : []),
  ...filters.flatMap((filter): DateWindow[] => {
    if (!('field' in filter) || filter.other || filter.than) return [];
    const [value] = filter.values;
    if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/.test(value)) return [];
    if (filter.op === '>=' || filter.op === '>') return [{ field: filter.field, from: value, to: LATEST_DATE }];
    return filter.op === '<' || filter.op === '<=' ? [{ field: filter.field, from: EARLIEST_DATE, to: value }] : [];
  }),
];
/** Returns a message if two periods restrict the same date field but have no day in common. */
export const describeDisjointPeriods = (plan: LensPlan): string | null => {
  const windows = findDateWindows(plan);
  const [emptyWindow] = windows.flatMap((window) =>
    windows.filter(({ field, to }) => window.from >= to && JSON.stringify(field) === JSON.stringify(window.field)),
  );
  return emptyWindow
    ? `The periods for ${expandAbbreviations(emptyWindow.field.field)} have no day in common. Name only one period.`
    : null;
};
/**
 * Returns true if the plan lists the distinct values of a field that a filter restricts to one value. For example,
 * "orders status Open" doesn't ask for the list of statuses.
 */
const listsRestrictedField = ({ distinct, dimensions, filters }: LensPlan): boolean =>
  distinct &&
  filters.some(
    (filter) =>
      'field' in filter &&
      filter.op === '=' &&
      dimensions.every(({ path, field }) => path === filter.field.path && field === filter.field.field),
  );
/**
 * Returns true if the plan ranks by the number of distinct values of a field that a filter restricts. For example,
 * "approver with the most approved requests" doesn't mean the number of request states.
 */
const ranksByRestrictedField = ({ order_by: order, filters }: LensPlan): boolean =>
  order.some(
    ({ measure }) =>
      measure?.fn === 'count_distinct' &&
      'field' in measure &&
      restrictsToOneValue(filters, measure.field.path, measure.field.field),
  );
/**
 * Returns true if two filters on one field conflict. One filter requires a value, and the other requires another value
 * or excludes a value. For example, "pupils with exams in Art but not in Maths" doesn't mean exams in Art that aren't
 * in Maths. Any other condition on the field also conflicts with a filter that requires null.
 */
const hasConflictingFilters = (filters: readonly Filter[]): boolean => {
  const conditions = filters.flatMap((filter) => ('field' in filter && !filter.other && !filter.than ? [filter] : []));
  const isConflict = (one: Condition, other: Condition): boolean =>
    one.field.path === other.field.path &&
    one.field.field === other.field.field &&
    (other.op === 'is_null'
      ? one.op !== 'is_null'
      : ['=', 'in'].includes(one.op) &&
        (['!=', 'not_in'].includes(other.op) ||
          (one.op === '=' && other.op === '=' && one.values[0] !== other.values[0])));
  return (
    conditions.some((one) => conditions.some((other) => isConflict(one, other))) ||
    filters.some(
      (filter) => ('exists' in filter || 'not_exists' in filter) && hasConflictingFilters(filter.where ?? []),
    )
  );
};
/**
 * Returns true if the plan requires one date but groups by another date. For example, "jobs closed per month" requires
 * a closing date, so the groups aren't the months in which the jobs were opened.
 */
const groupsByOtherDate = ({ filters, dimensions }: LensPlan): boolean =>
  filters.some(
    (filter) =>
      'field' in filter &&
      filter.op === 'is_not_null' &&
      dimensions.some(
        ({ path, field: name, grain }) => grain && path === filter.field.path && name !== filter.field.field,
      ),
  );
/**
 * Returns true if a period restricts a date of joined rows, although the measured rows have a date of their own or a
 * date in a closer dataset.
 */
const usesDistantDate = (
  { measures, having }: LensPlan,
  windows: readonly DateWindow[],
  { lens, graph, dataset }: Vocabulary,
): boolean =>
  [...measures, ...having.flatMap(listHavingMeasures)].flatMap(listBaseMeasures).some((base) => {
    const usualPaths = listTimeFields(lens, base);
    const homeDataset =
      base.fn === 'metric' ? lens.metrics.find(({ name }) => name === base.metric)?.home : getRowsPath(base);
    const datedDatasets = [...graph.pathsFrom(homeDataset ?? '').values()].filter((item) =>
      dataset(item.dataset).fields.some((field) => isTemporal(field.datatype)),
    );
    const minHops = Math.min(...datedDatasets.map(({ hops }) => hops));
    const paths = usualPaths.length > 0 ? usualPaths : datedDatasets.filter(({ hops }) => hops === minHops);
    return paths.length > 0 && windows.some(({ field }) => !paths.some(({ path }) => path === field.path));
  });
