// The filters of an intent as the envelope echoes them: every one, none merged away.

import type { Filter, Intent, Measure, Scalar } from './intent.ts';
import { filterWords } from './intent-sentence.ts';

export interface ScopeFilter {
  field: string;
  op: string;
  values: Scalar[];
}

export function scopeFilters(intent: Intent): ScopeFilter[] {
  const having = intent.having.map(({ measure, op, values }) => ({
    field:
      measure.kind === 'metric'
        ? measure.name
        : `${measure.fn}(${measure.path}${measure.field ? `.${measure.field}` : ''})`,
    op,
    values,
  }));
  return [...intent.filters.flatMap(one), ...intent.measures.flatMap(ofMeasure), ...having];
}

/** What restricts a part of the answer only: the periods that are compared, the part that a share is of. */
function ofMeasure(measure: Measure): ScopeFilter[] {
  if (measure.kind === 'part')
    return measure.where.map((filter) => ({ ...one(filter)[0]!, op: 'part', values: [filterWords(filter)] }));
  if (measure.kind !== 'change') return [];
  return [measure.earlier, measure.later].map(({ field, from, to }) => ({
    field: `${field.path}.${field.field}`,
    op: 'compared',
    values: [from, to],
  }));
}

function one(filter: Filter): ScopeFilter[] {
  switch (filter.kind) {
    case 'condition': {
      const { path, field, grain } = filter.field;
      const values = filter.than ? [filterWords(filter)] : filter.values;
      return [{ field: `${path}.${field}${grain ? `.${grain}` : ''}`, op: filter.op, values }];
    }
    case 'all':
      return filter.of.flatMap(one);
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
