// Finds the parts of a plan that select its rows, and the entities that the plan counts or lists.
import { isDeepStrictEqual } from 'node:util';
import type { Lens } from '../../lens/model/lens.ts';
import { isRelated, listCountConditions, listInnerFilters, toPeriodConditions } from '../../plan/filters.ts';
import {
  type Condition,
  type Filter,
  isBaseMeasure,
  type LensPlan,
  listBaseMeasures,
  type Measure,
  type RelatedFilter,
} from '../../plan/lens-plan.ts';
import type { WordHypothesis } from '../hypotheses/word-hypothesis.ts';
import type { PeriodTerm, ValueTerm } from '../meaning/terms.ts';
import { countsDistinct, findDistinctField } from '../words/distinct-count.ts';
import { foldValue } from '../words/tokens.ts';

/** Filters that apply to the same rows. */
export interface RowFilters {
  /** The condition on related rows. Null if the filters apply to the rows that the plan measures, counts or lists. */
  related: RelatedFilter | null;
  filters: readonly Filter[];
}

const findRelatedFilters = (filter: Filter): RelatedFilter[] =>
  'field' in filter || ('not' in filter && isRelated(filter.not))
    ? []
    : [...(isRelated(filter) ? [filter] : []), ...listInnerFilters(filter).flatMap(findRelatedFilters)];

export const listRowFilters = (plan: LensPlan): RowFilters[] => [
  { related: null, filters: [...plan.filters, ...(plan.time ? toPeriodConditions(plan.time) : [])] },
  ...plan.measures.flatMap(listMeasureFilters).map((filters): RowFilters => ({ related: null, filters })),
  ...plan.filters.flatMap(findRelatedFilters).map((related) => ({ related, filters: related.where ?? [] })),
];
const listMeasureFilters = (measure: Measure): Filter[][] =>
  'where' in measure && measure.where ? [measure.where] : [];

const toFoldedText = (value: unknown): string => foldValue(String(value));
const matchesValue = ({ any, text }: ValueTerm, { field, values }: Condition): boolean =>
  any.some(({ options }) =>
    options.some(
      (option) =>
        option.field.name === field.field && values.some((value) => toFoldedText(value) === toFoldedText(option.value)),
    ),
  ) || values.some((value) => toFoldedText(value) === toFoldedText(text));
const matchesPeriod = ({ mention }: PeriodTerm, { values }: Condition): boolean =>
  values.some((value) => value !== null && [mention.from, mention.to].includes(String(value).slice(0, 10)));

const isFilterForMention = (filter: Filter, mention: WordHypothesis): boolean => {
  if ('field' in filter)
    return mention.term.t === 'value'
      ? matchesValue(mention.term, filter)
      : mention.term.t === 'period' && matchesPeriod(mention.term, filter);
  return !isRelated(filter) && listInnerFilters(filter).some((innerFilter) => isFilterForMention(innerFilter, mention));
};
export const findFiltersNaming = ({ filters }: RowFilters, mentions: readonly WordHypothesis[]): Filter[] =>
  filters.filter((filter) => mentions.some((mention) => isFilterForMention(filter, mention)));

/**
 * Returns true if the filter requires that no related rows exist, also as a condition on their number that only zero
 * meets.
 */
export const requiresNoRows = (related: RelatedFilter): boolean =>
  'not_exists' in related || listCountConditions(related).some(({ op, value }) => op !== '>=' && value === 0);

const NEGATIVE_OPERATORS = new Set(['!=', 'not_in', 'is_null']);
export const isNegative = (filter: Filter): boolean => {
  if ('field' in filter)
    return (
      NEGATIVE_OPERATORS.has(filter.op) || (filter.op === '=' && (filter.values[0] === false || filter.values[0] === 0))
    );
  if ('not' in filter) return true;
  if (isRelated(filter)) return requiresNoRows(filter);
  if ('all' in filter) return filter.all.some(isNegative);
  // A filter that excludes a period has two alternatives: dates before the start of the period, and dates on or after
  // its end.
  const operators = filter.any.map((item) => 'field' in item && item.op).join();
  return filter.any.some(isNegative) || operators.startsWith('<,>=');
};

/**
 * What a plan counts or lists: rows, or entities with several rows each. `key` is the field that identifies an entity.
 */
export type CountSubject = { are: 'rows' } | { are: 'things'; home: string; key: string } | { are: 'unknown' };

export function findCountSubject(
  lens: Lens,
  { measures, dimensions, distinct, rows: homeDataset, grouped }: LensPlan,
): CountSubject {
  if (measures.length > 0) {
    const [single, second] = measures.map((measure) => findDistinctCount(lens, measure));
    if (measures.every((measure) => findDistinctCount(lens, measure) === null)) return { are: 'rows' };
    return single && !second && measures.length === 1 && dimensions.length === 0 ? single : { are: 'unknown' };
  }
  if (grouped || !distinct || dimensions.length === 0) return { are: 'rows' };
  const [first, another] = dimensions;
  if (another || !first || (homeDataset && homeDataset !== first.path)) return { are: 'unknown' };
  return findCountSubjectBy(lens, first.path, first.field);
}

const findCountSubjectBy = (lens: Lens, path: string, field: string): CountSubject => {
  const dataset = lens.datasets.find(({ name }) => name === path);
  if (!dataset) return { are: 'unknown' };
  return isDeepStrictEqual(dataset.primaryKey, [field]) ? { are: 'rows' } : { are: 'things', home: path, key: field };
};

/**
 * Returns the entities that the measure counts, each of them once. Returns null if the measure isn't a distinct count.
 */
function findDistinctCount(lens: Lens, measure: Measure): CountSubject | null {
  if (measure.fn === 'count_distinct' && !measure.where)
    return findCountSubjectBy(lens, measure.field.path, measure.field.field);
  if (measure.fn === 'metric' && !measure.where) {
    const metric = lens.metrics.find(({ name }) => name === measure.metric);
    const distinctField = metric && findDistinctField(metric);
    if (distinctField) return findCountSubjectBy(lens, distinctField.path, distinctField.field);
    return metric && containsDistinctCount(lens, metric.name) ? { are: 'unknown' } : null;
  }
  if (isBaseMeasure(measure) && !measure.where) return null;
  const isCounted = listBaseMeasures(measure).some(
    (base) => findDistinctCount(lens, { ...base, where: undefined }) !== null,
  );
  return isCounted ? { are: 'unknown' } : null;
}
const containsDistinctCount = (lens: Lens, name: string, seenNames = new Set<string>()): boolean => {
  const metric = lens.metrics.find((metric) => metric.name === name);
  if (!metric || seenNames.has(name)) return false;
  seenNames.add(name);
  return (
    countsDistinct(metric) || metric.references.metrics.some((metric) => containsDistinctCount(lens, metric, seenNames))
  );
};

/**
 * Returns true if each filter has the same result for all rows of an entity, because the entity's key determines the
 * filtered field.
 */
export const isSameForAllRows = (lens: Lens, countSubject: CountSubject, filters: readonly Filter[]): boolean =>
  countSubject.are === 'things' &&
  filters.every(
    (filter) =>
      'field' in filter &&
      lens.relationships.some(
        ({ role, from }) =>
          role === filter.field.path &&
          from.dataset === countSubject.home &&
          isDeepStrictEqual(from.columns, [countSubject.key]),
      ),
  );
