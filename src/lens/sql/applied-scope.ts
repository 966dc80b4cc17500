// The filters of an intent for the envelope: all of them, unmerged.

import { type Filter, type Having, type Intent, innerMeasures, type Measure, type Scalar } from '../model/intent.ts';
import { filterWords, measureWords } from './intent-sentence.ts';

export interface ScopeFilter {
  field: string;
  op: string;
  values: Scalar[];
}

export function scopeFilters(intent: Intent): ScopeFilter[] {
  const having = [...intent.having, ...intent.measures.flatMap(havingOf)].map(({ measure, op, values, than }) => ({
    field: measureName(measure),
    op,
    values: than ? [measureWords(than)] : values,
  }));
  const grouping = intent.dimensions.flatMap(({ when, through }) => [...(when ?? []), ...(through?.where ?? [])]);
  return [...intent.filters.flatMap(one), ...grouping.map(inPart), ...intent.measures.flatMap(ofMeasure), ...having];
}
const measureName = (measure: Measure): string =>
  measure.kind === 'metric'
    ? measure.name
    : measure.kind === 'aggregate'
      ? `${measure.fn}(${measure.path}${measure.field ? `.${measure.field}` : ''})`
      : measureWords(measure);
const havingOf = (measure: Measure): Having[] =>
  measure.kind === 'averaged' ? (measure.having ?? []) : innerMeasures(measure).flatMap(havingOf);
const inPart = (filter: Filter): ScopeFilter => ({ ...one(filter)[0]!, op: 'part', values: [filterWords(filter)] });

/** Filters that apply to a part of the answer only: compared periods, and the part that a share is of. */
function ofMeasure(measure: Measure): ScopeFilter[] {
  const own =
    measure.kind === 'part' || measure.kind === 'restricted'
      ? measure.where.map(inPart)
      : measure.kind === 'change'
        ? [measure.earlier, measure.later].map(({ field, from, to }) => ({
            field: `${field.path}.${field.field}`,
            op: 'compared',
            values: [from, to],
          }))
        : [];
  return [...own, ...innerMeasures(measure).flatMap(ofMeasure)];
}

function one(filter: Filter): ScopeFilter[] {
  switch (filter.kind) {
    case 'condition': {
      const { path, field, grain } = filter.field;
      const values = filter.than || filter.other ? [filterWords(filter)] : filter.values;
      return [{ field: `${path}.${field}${grain ? `.${grain}` : ''}`, op: filter.op, values }];
    }
    case 'all':
      return filter.of.flatMap(one);
    case 'not':
      return [{ ...one(filter.of)[0]!, op: 'not', values: [filterWords(filter)] }];
    case 'any':
      return [
        {
          field: [...new Set(filter.of.flatMap(one).map(({ field }) => field))].join(', '),
          op: 'any',
          values: filter.of.map((part) => filterWords(part)),
        },
      ];
    case 'exists':
      return [{ field: filter.path, op: filter.negated ? 'not_exists' : 'exists', values: [filterWords(filter)] }];
  }
}
