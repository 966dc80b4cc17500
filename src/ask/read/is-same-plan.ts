// Compares the plan of a caller or a model with svc's own plan. Two spellings of the same meaning are equal: a period as
// a time window or as filters, and an approved metric or the plain aggregate that the metric computes.
import { findDatasetOfPath } from '../../lens/model/join-paths.ts';
import type { Lens } from '../../lens/model/lens.ts';
import { findMetric } from '../../plan/base-measures.ts';
import {
  type Aggregate,
  type Filter,
  type LensPlan,
  type Measure,
  type MetricMeasure,
  withInnerMeasures,
  withMeasures,
} from '../../plan/lens-plan.ts';
import { replacePeriodWithFilters } from '../../plan/sentence/plan-sentence.ts';

export const isSamePlan = (lens: Lens, one: LensPlan, other: LensPlan): boolean =>
  toComparableText(lens, one) === toComparableText(lens, other);

function toComparableText(lens: Lens, plan: LensPlan): string {
  const { filters, ...rest } = withMeasures(replacePeriodWithFilters(plan), (measure) => toPlainMeasure(lens, measure));
  return toText({ ...rest, filters: listConjuncts(filters).map(toText).sort() });
}

/** Every row must match all filters, so filters in "all" don't differ from filters next to each other. */
const listConjuncts = (filters: readonly Filter[]): Filter[] =>
  filters.flatMap((filter) => ('all' in filter ? listConjuncts(filter.all) : [filter]));

/** Leaves out the names of columns, and the order in which an object's members were written. */
const toText = (part: unknown): string =>
  JSON.stringify(part, (key, value: unknown) => {
    if (key === 'as') return undefined;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  });

/** Replaces metrics without a filter by the plain aggregate that they compute, also inside other measures. */
function toPlainMeasure(lens: Lens, measure: Measure): Measure {
  if (measure.fn !== 'metric') return withInnerMeasures(measure, (inner) => toPlainMeasure(lens, inner));
  const aggregate = findPlainAggregate(lens, measure);
  return aggregate ? { ...aggregate, ...(measure.where && { where: measure.where }) } : measure;
}

/** Matches a metric that only aggregates one field. */
const AGGREGATE_PATTERN = /^(count|sum|avg|min|max|median)\(\s*(?:(distinct)\s+)?(\w+)\.(\w+)\s*\)$/i;

function findPlainAggregate(lens: Lens, measure: MetricMeasure): Aggregate | null {
  const metric = findMetric(lens, measure);
  if (!metric?.home || metric.filter !== null) return null;
  const expression = metric.expression.trim();
  if (/^count\(\s*\*\s*\)$/i.test(expression)) return { fn: 'count', rows: metric.home };
  const [, fn, distinct, path, name] = AGGREGATE_PATTERN.exec(expression) ?? [];
  const field = findDatasetOfPath(lens, path ?? '')?.fields.find((item) => item.name === name);
  if (!field || path !== metric.home || metric.unit !== field.unit || (distinct && fn!.toLowerCase() !== 'count'))
    return null;
  const plainFunction = (distinct ? 'count_distinct' : fn!.toLowerCase()) as 'count' | 'sum';
  return { fn: plainFunction, field: { path: metric.home, field: field.name } };
}
