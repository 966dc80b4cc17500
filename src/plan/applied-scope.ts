// The filters of a plan for the envelope: all of them, unmerged.

import { isRelated, relatedPath } from './filters.ts';
import {
  type Filter,
  type Having,
  innerMeasures,
  isAggregate,
  isOverGroups,
  type LensPlan,
  type Measure,
  type Scalar,
} from './lens-plan.ts';
import { filterWords, measureWords } from './plan-sentence.ts';

export interface ScopeFilter {
  field: string;
  op: string;
  values: Scalar[];
}

export function scopeFilters(plan: LensPlan): ScopeFilter[] {
  const having = [...plan.having, ...plan.measures.flatMap(havingOf)].map(({ measure, op, values, than }) => ({
    field: measureName(measure),
    op,
    values: than ? [measureWords(than)] : values,
  }));
  const grouping = plan.dimensions.flatMap(({ when, where }) => [...(when ?? []), ...(where ?? [])]);
  return [...plan.filters.flatMap(one), ...grouping.map(inPart), ...plan.measures.flatMap(ofMeasure), ...having];
}
const measureName = (measure: Measure): string =>
  'where' in measure && measure.where
    ? measureWords(measure)
    : measure.fn === 'metric'
      ? measure.metric
      : isAggregate(measure)
        ? `${measure.fn}(${'rows' in measure ? measure.rows : `${measure.field.path}.${measure.field.field}`})`
        : measureWords(measure);
const havingOf = (measure: Measure): Having[] =>
  isOverGroups(measure) ? (measure.having ?? []) : innerMeasures(measure).flatMap(havingOf);
const inPart = (filter: Filter): ScopeFilter => ({ ...one(filter)[0]!, op: 'part', values: [filterWords(filter)] });

/** Filters that apply to a part of the answer only: compared periods, and the part that a share is of. */
function ofMeasure(measure: Measure): ScopeFilter[] {
  const own =
    'where' in measure && measure.where
      ? measure.where.map(inPart)
      : measure.fn === 'change' && measure.from
        ? [measure.from, measure.to].map(({ field, from, to }) => ({
            field: `${field.path}.${field.field}`,
            op: 'compared',
            values: [from, to],
          }))
        : [];
  return [...own, ...innerMeasures(measure).flatMap(ofMeasure)];
}

function one(filter: Filter): ScopeFilter[] {
  if ('field' in filter) {
    const { path, field, grain } = filter.field;
    const values = filter.than || filter.other ? [filterWords(filter)] : filter.values;
    return [{ field: `${path}.${field}${grain ? `.${grain}` : ''}`, op: filter.op, values }];
  }
  if ('all' in filter) return filter.all.flatMap(one);
  if ('not' in filter) return [{ ...one(filter.not)[0]!, op: 'not', values: [filterWords(filter)] }];
  if (isRelated(filter))
    return [
      { field: relatedPath(filter), op: 'exists' in filter ? 'exists' : 'not_exists', values: [filterWords(filter)] },
    ];
  return [
    {
      field: [...new Set(filter.any.flatMap(one).map(({ field }) => field))].join(', '),
      op: 'any',
      values: filter.any.map((part) => filterWords(part)),
    },
  ];
}
