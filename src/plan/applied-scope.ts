// Lists all filters of a plan for the envelope, without merging any.

import type { Lens } from '../lens/model/lens.ts';
import { getRelatedPath, isRelated } from './filters.ts';
import {
  type Filter,
  findPeriodComparison,
  formatField,
  type Having,
  isAggregate,
  isGroupMeasure,
  type LensPlan,
  listInnerMeasures,
  type Measure,
  type Scalar,
} from './lens-plan.ts';
import { describeFilter } from './sentence/filter-words.ts';
import { writeComparedMeasure, writeMeasure } from './sentence/measure-words.ts';
import { createPlainNames, type SentenceNames } from './sentence/names.ts';

export interface ScopeFilter {
  field: string;
  op: string;
  values: Scalar[];
}

export function listScopeFilters(plan: LensPlan, lens: Lens): ScopeFilter[] {
  const names = createPlainNames(lens);
  const having = [...plan.having, ...plan.measures.flatMap(listHavingConditions)].map(
    ({ measure, op, values, than }) => ({
      field: describeFilteredMeasure(names, measure),
      op,
      values: than ? [writeComparedMeasure(names, measure, than)] : values,
    }),
  );
  const grouping = plan.dimensions.flatMap(({ when, where }) => [...(when ?? []), ...(where ?? [])]);
  const compared = findPeriodComparison(plan.measures);
  return [
    ...plan.filters.flatMap((filter) => toScopeFilters(names, filter)),
    ...grouping.map((filter) => toPartialFilter(names, filter)),
    ...(compared ? [compared] : plan.measures).flatMap((measure) => listMeasureFilters(names, measure)),
    ...having,
  ];
}
const describeFilteredMeasure = (names: SentenceNames, measure: Measure): string =>
  'where' in measure && measure.where
    ? writeMeasure(names, measure)
    : measure.fn === 'metric'
      ? measure.metric
      : isAggregate(measure)
        ? `${measure.fn}(${'rows' in measure ? measure.rows : formatField(measure.field)})`
        : writeMeasure(names, measure);
const listHavingConditions = (measure: Measure): Having[] =>
  isGroupMeasure(measure) ? (measure.having ?? []) : listInnerMeasures(measure).flatMap(listHavingConditions);
const toPartialFilter = (names: SentenceNames, filter: Filter): ScopeFilter => ({
  ...toScopeFilters(names, filter)[0]!,
  op: 'part',
  values: [describeFilter(names, filter)],
});

/** Filters that apply to a single measure, such as the conditions of a share, or the two periods of a comparison. */
function listMeasureFilters(names: SentenceNames, measure: Measure): ScopeFilter[] {
  const ownFilters =
    'where' in measure && measure.where
      ? measure.where.map((filter) => toPartialFilter(names, filter))
      : measure.fn === 'change' && measure.from
        ? [measure.from, measure.to].map(({ field, from, to }) => ({
            field: formatField(field),
            op: 'compared',
            values: [from, to],
          }))
        : [];
  return [...ownFilters, ...listInnerMeasures(measure).flatMap((inner) => listMeasureFilters(names, inner))];
}

function toScopeFilters(names: SentenceNames, filter: Filter): ScopeFilter[] {
  if ('field' in filter) {
    const { path, field, grain } = filter.field;
    const values = filter.than || filter.other ? [describeFilter(names, filter)] : filter.values;
    return [{ field: `${path}.${field}${grain ? `.${grain}` : ''}`, op: filter.op, values }];
  }
  if ('all' in filter) return filter.all.flatMap((part) => toScopeFilters(names, part));
  if ('not' in filter)
    return [{ ...toScopeFilters(names, filter.not)[0]!, op: 'not', values: [describeFilter(names, filter)] }];
  if (isRelated(filter))
    return [
      {
        field: getRelatedPath(filter),
        op: 'exists' in filter ? 'exists' : 'not_exists',
        values: [describeFilter(names, filter)],
      },
    ];
  return [
    {
      field: [...new Set(filter.any.flatMap((part) => toScopeFilters(names, part)).map(({ field }) => field))].join(
        ', ',
      ),
      op: 'any',
      values: filter.any.map((part) => describeFilter(names, part)),
    },
  ];
}
