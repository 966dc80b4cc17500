// Every filter of an intent, at any place: on rows, inside measures and dimensions, and on groups.
import { type Filter, type GroupUnit, type Intent, type Measure, withInnerMeasures, withMeasures } from './intent.ts';

type Change = (filters: Filter[]) => Filter[];

/** Changes each list of filters of an intent. `change` handles nested filters itself. */
export function withFilters(intent: Intent, change: Change): Intent {
  const grouped = <G extends GroupUnit>(one: G): G => ({
    ...one,
    ...(one.when && { when: change(one.when) }),
    ...(one.through && { through: { ...one.through, where: change(one.through.where) } }),
  });
  const measured = (measure: Measure): Measure => {
    const within = withInnerMeasures(measure, measured);
    if ('where' in within) return { ...within, where: change(within.where) };
    return within.kind === 'averaged' ? { ...within, over: within.over.map(grouped) } : within;
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
  switch (filter.kind) {
    case 'condition':
      return filter.than?.where ?? [];
    case 'exists':
      return filter.where;
    case 'not':
      return [filter.of];
    default:
      return filter.of;
  }
};
/** The same filter with its inner filters changed. */
export function withInner(filter: Filter, change: (one: Filter) => Filter): Filter {
  switch (filter.kind) {
    case 'condition':
      return filter.than?.where
        ? { ...filter, than: { ...filter.than, where: filter.than.where.map(change) } }
        : filter;
    case 'exists':
      return { ...filter, where: filter.where.map(change) };
    case 'not':
      return { ...filter, of: change(filter.of) };
    default:
      return { ...filter, of: filter.of.map(change) };
  }
}
