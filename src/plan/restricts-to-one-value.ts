import { type Filter, isSameField } from './lens-plan.ts';

/** Returns true if a filter allows only a single value of the field. */
export const restrictsToOneValue = (filters: Filter[], path: string, field: string): boolean =>
  filters.some((filter) =>
    'field' in filter
      ? isSameField(filter.field, { path, field }) &&
        !filter.field.grain &&
        (filter.op === '=' || filter.op === 'in') &&
        filter.values.length === 1
      : 'all' in filter && restrictsToOneValue(filter.all, path, field),
  );
