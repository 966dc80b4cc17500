// Every filter of an intent, at any place: on rows, inside measures and dimensions, and on groups.
import {
  type Filter,
  type Grouping,
  type Intent,
  type Measure,
  overGroups,
  withInnerMeasures,
  withMeasures,
} from './intent.ts';

type Change = (filters: Filter[]) => Filter[];

/** Changes each list of filters of an intent. `change` handles nested filters itself. */
export function withFilters(intent: Intent, change: Change): Intent {
  const grouped = (one: Grouping): Grouping => ({
    ...one,
    ...(one.when && { when: change(one.when) }),
    ...(one.through && { through: { ...one.through, where: change(one.through.where) } }),
  });
  const measured = (measure: Measure): Measure => {
    const within = withInnerMeasures(measure, measured);
    if ('where' in within && within.where) return { ...within, where: change(within.where) };
    return overGroups(within) ? { ...within, ...(within.by && { by: within.by.map(grouped) }) } : within;
  };
  return {
    ...withMeasures(intent, measured),
    filters: change(intent.filters),
    dimensions: intent.dimensions.map(grouped),
  };
}

export function filtersWithin(intent: Intent): Filter[] {
  const found: Filter[] = [];
  withFilters(intent, (filters) => {
    found.push(...filters);
    return filters;
  });
  return found;
}

/** The filters inside a filter. */
export const innerFilters = (filter: Filter): Filter[] => {
  if ('field' in filter) return filter.than?.where ?? [];
  if ('exists' in filter) return filter.where;
  if ('not' in filter) return [filter.not];
  return 'any' in filter ? filter.any : filter.all;
};
/** The same filter with its inner filters changed. */
export function withInner(filter: Filter, change: (one: Filter) => Filter): Filter {
  if ('field' in filter)
    return filter.than?.where ? { ...filter, than: { ...filter.than, where: filter.than.where.map(change) } } : filter;
  if ('exists' in filter) return { ...filter, where: filter.where.map(change) };
  if ('not' in filter) return { not: change(filter.not) };
  return 'any' in filter ? { any: filter.any.map(change) } : { all: filter.all.map(change) };
}
