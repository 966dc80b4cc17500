// Lists all filters of a plan for the envelope, without merging any.

import type { Lens } from '../lens/model/lens.ts';
import { isRelated, relatedPath } from './filters.ts';
import {
  comparisonOf,
  type Filter,
  type Having,
  innerMeasures,
  isAggregate,
  isOverGroups,
  type LensPlan,
  type Measure,
  type Scalar,
} from './lens-plan.ts';
import { filterWords } from './sentence/filter-words.ts';
import { measureWords } from './sentence/measure-words.ts';
import { createPlainNames, type Names } from './sentence/names.ts';

export interface ScopeFilter {
  field: string;
  op: string;
  values: Scalar[];
}

export function scopeFilters(plan: LensPlan, lens: Lens): ScopeFilter[] {
  const names = createPlainNames(lens);
  const having = [...plan.having, ...plan.measures.flatMap(havingOf)].map(({ measure, op, values, than }) => ({
    field: measureName(names, measure),
    op,
    values: than ? [measureWords(names, than)] : values,
  }));
  const grouping = plan.dimensions.flatMap(({ when, where }) => [...(when ?? []), ...(where ?? [])]);
  const compared = comparisonOf(plan.measures);
  return [
    ...plan.filters.flatMap((filter) => scopeFiltersOf(names, filter)),
    ...grouping.map((filter) => partialFilterOf(names, filter)),
    ...(compared ? [compared] : plan.measures).flatMap((measure) => filtersOfMeasure(names, measure)),
    ...having,
  ];
}
const measureName = (names: Names, measure: Measure): string =>
  'where' in measure && measure.where
    ? measureWords(names, measure)
    : measure.fn === 'metric'
      ? measure.metric
      : isAggregate(measure)
        ? `${measure.fn}(${'rows' in measure ? measure.rows : `${measure.field.path}.${measure.field.field}`})`
        : measureWords(names, measure);
const havingOf = (measure: Measure): Having[] =>
  isOverGroups(measure) ? (measure.having ?? []) : innerMeasures(measure).flatMap(havingOf);
const partialFilterOf = (names: Names, filter: Filter): ScopeFilter => ({
  ...scopeFiltersOf(names, filter)[0]!,
  op: 'part',
  values: [filterWords(names, filter)],
});

/** Filters that apply to a single measure, such as the conditions of a share, or the two periods of a comparison. */
function filtersOfMeasure(names: Names, measure: Measure): ScopeFilter[] {
  const ownFilters =
    'where' in measure && measure.where
      ? measure.where.map((filter) => partialFilterOf(names, filter))
      : measure.fn === 'change' && measure.from
        ? [measure.from, measure.to].map(({ field, from, to }) => ({
            field: `${field.path}.${field.field}`,
            op: 'compared',
            values: [from, to],
          }))
        : [];
  return [...ownFilters, ...innerMeasures(measure).flatMap((inner) => filtersOfMeasure(names, inner))];
}

function scopeFiltersOf(names: Names, filter: Filter): ScopeFilter[] {
  if ('field' in filter) {
    const { path, field, grain } = filter.field;
    const values = filter.than || filter.other ? [filterWords(names, filter)] : filter.values;
    return [{ field: `${path}.${field}${grain ? `.${grain}` : ''}`, op: filter.op, values }];
  }
  if ('all' in filter) return filter.all.flatMap((part) => scopeFiltersOf(names, part));
  if ('not' in filter)
    return [{ ...scopeFiltersOf(names, filter.not)[0]!, op: 'not', values: [filterWords(names, filter)] }];
  if (isRelated(filter))
    return [
      {
        field: relatedPath(filter),
        op: 'exists' in filter ? 'exists' : 'not_exists',
        values: [filterWords(names, filter)],
      },
    ];
  return [
    {
      field: [...new Set(filter.any.flatMap((part) => scopeFiltersOf(names, part)).map(({ field }) => field))].join(
        ', ',
      ),
      op: 'any',
      values: filter.any.map((part) => filterWords(names, part)),
    },
  ];
}
