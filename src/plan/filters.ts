// Finds and changes the filters of a plan: on rows, in measures and dimensions, and on groups.
import {
  type Condition,
  type ExistsFilter,
  type Filter,
  type Grouping,
  isGroupMeasure,
  type LensPlan,
  type Measure,
  type Operator,
  type RelatedFilter,
  type TimeWindow,
  withInnerMeasures,
  withMeasures,
} from './lens-plan.ts';

type FilterChange = (filters: Filter[]) => Filter[];

/** Applies `change` to every list of filters in a plan. `change` must handle nested filters itself. */
export function withFilters(plan: LensPlan, change: FilterChange): LensPlan {
  const changeGrouping = (grouping: Grouping): Grouping => ({
    ...grouping,
    ...(grouping.when && { when: change(grouping.when) }),
    ...(grouping.where && { where: change(grouping.where) }),
  });
  const changeMeasure = (measure: Measure): Measure => {
    const changedMeasure = withInnerMeasures(measure, changeMeasure);
    if ('where' in changedMeasure && changedMeasure.where)
      return { ...changedMeasure, where: change(changedMeasure.where) };
    return isGroupMeasure(changedMeasure)
      ? { ...changedMeasure, ...(changedMeasure.by && { by: changedMeasure.by.map(changeGrouping) }) }
      : changedMeasure;
  };
  return {
    ...withMeasures(plan, changeMeasure),
    filters: change(plan.filters),
    dimensions: plan.dimensions.map(changeGrouping),
  };
}

export function listTopLevelFilters(plan: LensPlan): Filter[] {
  const allFilters: Filter[] = [];
  withFilters(plan, (filters) => {
    allFilters.push(...filters);
    return filters;
  });
  return allFilters;
}

/** Every filter of a plan, with the filters inside it. */
export const listFilters = (plan: LensPlan): Filter[] => flattenFilters(listTopLevelFilters(plan));
const flattenFilters = (filters: readonly Filter[]): Filter[] =>
  filters.flatMap((filter) => [filter, ...flattenFilters(listInnerFilters(filter))]);
export const listConditions = (plan: LensPlan): Condition[] => listFilters(plan).filter((item) => 'field' in item);

export const NULL_TESTS: ReadonlySet<Operator> = new Set(['is_null', 'is_not_null']);

/** Converts a period to conditions on its date. */
export const toPeriodConditions = ({ field, from, to }: TimeWindow): Condition[] => [
  { field, op: '>=', values: [from] },
  { field, op: '<', values: [to] },
];

export const isRelated = (filter: Filter): filter is RelatedFilter => 'exists' in filter || 'not_exists' in filter;
export const getRelatedPath = (filter: RelatedFilter): string =>
  'exists' in filter ? filter.exists : filter.not_exists;
/**
 * Negates a filter on related rows. The result requires that there are no related rows, or that their number is outside
 * the bounds.
 */
export function negateExists(relatedFilter: ExistsFilter): Filter {
  const { exists: path, ...rest } = relatedFilter;
  return listCountConditions(relatedFilter).length > 0 ? { not: relatedFilter } : { not_exists: path, ...rest };
}
export const listCountConditions = (relatedFilter: RelatedFilter): { op: '=' | '>=' | '<='; value: number }[] =>
  'not_exists' in relatedFilter
    ? []
    : (
        [
          ['>=', relatedFilter.at_least],
          ['<=', relatedFilter.at_most],
          ['=', relatedFilter.exactly],
        ] as const
      ).flatMap(([op, value]) => (value === undefined ? [] : [{ op, value }]));
/** Converts a comparison of a count to bounds: "more than 3" becomes at least 4. */
export function toCountBounds(op: Operator, value: number): Pick<ExistsFilter, 'at_least' | 'at_most' | 'exactly'> {
  if (op === '=') return { exactly: value };
  if (op === '>' || op === '>=') return { at_least: op === '>' ? value + 1 : value };
  return { at_most: op === '<' ? value - 1 : value };
}

export const listInnerFilters = (filter: Filter): Filter[] => {
  if ('field' in filter) return filter.than?.where ?? [];
  if (isRelated(filter)) return filter.where ?? [];
  if ('not' in filter) return [filter.not];
  return 'any' in filter ? filter.any : filter.all;
};
export function withInnerFilters(filter: Filter, change: (innerFilter: Filter) => Filter): Filter {
  if ('field' in filter)
    return filter.than?.where ? { ...filter, than: { ...filter.than, where: filter.than.where.map(change) } } : filter;
  if (isRelated(filter)) return filter.where ? { ...filter, where: filter.where.map(change) } : filter;
  if ('not' in filter) return { not: change(filter.not) };
  return 'any' in filter ? { any: filter.any.map(change) } : { all: filter.all.map(change) };
}
