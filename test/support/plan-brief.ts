// A plan on one line, for tests that compare many interpretations.

import { getRelatedPath, listCountConditions } from '../../src/plan/filters.ts';
import {
  type BaseMeasure,
  type FieldRef,
  type Filter,
  findMeasureIndex,
  isBaseMeasure,
  type LensPlan,
  type Measure,
  type SortOrder,
  type TimeWindow,
} from '../../src/plan/lens-plan.ts';

const ref = ({ path, field, grain }: FieldRef): string => `${path}.${field}${grain ? `.${grain}` : ''}`;
const period = ({ from, to }: TimeWindow): string => `${from}..${to}`;
const filtersText = (filters: Filter[] = []): string =>
  filters.length > 0 ? ` where ${filters.map(filterText).join(' & ')}` : '';
const measureText = (measure: Measure): string => {
  if (isBaseMeasure(measure)) return `${base(measure)}${filtersText(measure.where)}`;
  if (Array.isArray(measure.of)) return `${measure.fn}(${measure.of.map(measureText).join(', ')})`;
  const of = measureText(measure.of);
  switch (measure.fn) {
    case 'change':
      return measure.from
        ? `${measure.percent ? 'percent' : 'absolute'}_change(${of}; ${ref(measure.to.field)} ${period(measure.from)} to ${period(measure.to)})`
        : `${measure.percent ? 'percent_' : ''}change(${of})`;
    case 'share':
      return `${measure.percent ? 'percent' : 'share'}(${of}${filtersText(measure.where)})`;
    case 'over_groups':
    case 'count_groups':
      return `mean(${of} over ${[...(measure.by ?? []).map(ref), ...(measure.per ?? [])].join(', ')})`;
    case 'product':
      return `${of} * ${measure.by}`;
    default:
      return `${'percent' in measure && measure.percent ? 'percent_' : ''}${measure.fn}(${of})`;
  }
};
const base = (measure: BaseMeasure): string => {
  if (measure.fn === 'metric') return measure.metric;
  return 'value' in measure
    ? `${measure.fn}(value)`
    : `${measure.fn}(${'rows' in measure ? measure.rows : ref(measure.field)})`;
};
const filterText = (filter: Filter): string => {
  if ('field' in filter)
    return `${ref(filter.field)} ${filter.op}${filter.than ? ` ${base(filter.than)}` : filter.values.length > 0 ? ` ${filter.values.join('|')}` : ''}${filter.or_null ? ' or null' : ''}`;
  if ('not' in filter) return `not(${filterText(filter.not)})`;
  if ('any' in filter) return `any(${filter.any.map(filterText).join(' ; ')})`;
  if ('all' in filter) return `all(${filter.all.map(filterText).join(' ; ')})`;
  const count = listCountConditions(filter)
    .map(({ op, value }) => ` ${op} ${value}`)
    .join('');
  return `${'exists' in filter ? 'some ' : 'no '}${getRelatedPath(filter)}${count}${filter.where?.length ? ` (${filter.where.map(filterText).join(' & ')})` : ''}`;
};

const sortKey = ({ measures }: LensPlan, { field, measure }: SortOrder): string => {
  if (field) return ref(field);
  const place = findMeasureIndex(measures, measure);
  return place < 0 ? measureText(measure) : `#${place}`;
};
export const planBrief = (plan: LensPlan): string =>
  [
    plan.measures.map(measureText).join(', ') || (plan.grouped ? 'groups' : `list ${plan.rows}`),
    plan.dimensions.length > 0 && `by ${plan.dimensions.map(ref).join(', ')}`,
    plan.per && `key ${plan.per.join(', ')}`,
    plan.filters.length > 0 && `where ${plan.filters.map(filterText).join(' & ')}`,
    plan.time && `time ${ref(plan.time.field)} ${plan.time.from}..${plan.time.to}`,
    plan.having.length > 0 &&
      `having ${plan.having.map((item) => `${measureText(item.measure)} ${item.op} ${item.values.join('|')}`).join(' & ')}`,
    plan.order_by.length > 0 &&
      `order ${plan.order_by.map((item) => `${sortKey(plan, item)} ${item.direction}`).join(', ')}`,
    plan.limit !== null && `limit ${plan.limit}${plan.offset ? ` after ${plan.offset}` : ''}`,
    plan.limit_per && `top ${plan.limit_per.rows} per ${plan.limit_per.by.map(ref).join(', ')}`,
    plan.distinct && 'distinct',
  ]
    .filter(Boolean)
    .join(' | ');
