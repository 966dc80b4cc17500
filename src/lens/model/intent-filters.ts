// Every condition of an intent, wherever it stands: on rows, within measures, dimensions, and conditions on groups.
import { type Filter, type GroupUnit, type Intent, type Measure, withInnerMeasures, withMeasures } from './intent.ts';

type Change = (filters: Filter[]) => Filter[];

/** The same intent with each list of conditions changed; nested conditions are the change's own to follow. */
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

/** What a condition is made of. */
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
/** The same condition with what it is made of changed. */
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
