// Writes counts and aggregates in words, without conditions.
import { findField } from '../../lens/model/lens.ts';
import { toPlural } from '../../lens/model/singular.ts';
import type { BaseMeasure } from '../lens-plan.ts';
import { describeValue } from '../sql/row-value.ts';
import { requireDataset, type SentenceNames } from './names.ts';

export const AGGREGATE_WORDS = {
  sum: 'total',
  avg: 'average',
  min: 'lowest',
  max: 'highest',
  median: 'median',
} as const;

export function describeBaseMeasure(names: SentenceNames, measure: BaseMeasure): string {
  if (measure.fn === 'metric') return names.metric(measure.metric);
  if ('rows' in measure) return `number of ${names.plural(measure.rows)}`;
  const describeWithFallback = (render: () => string): string => names.describeIfAllowed(render);
  if ('value' in measure)
    return describeWithFallback(() => `${AGGREGATE_WORDS[measure.fn]} ${describeValue(measure.value, names.field)}`);
  const { path, field } = measure.field;
  const fieldName = names.field({ path, field });
  if (measure.fn === 'list') {
    const { distinct, separator } = measure;
    return describeWithFallback(
      () =>
        `list of ${distinct ? 'distinct ' : ''}${fieldName}${separator === ', ' ? '' : ` joined by "${separator}"`}`,
    );
  }
  const dataset = requireDataset(names, path);
  switch (measure.fn) {
    case 'count':
      return describeWithFallback(() => `number of ${fieldName} values`);
    case 'count_distinct':
      return dataset.primaryKey.join() === field
        ? `number of ${names.plural(path)}`
        : `number of distinct ${toPlural(fieldName)}`;
    default:
      return findField(dataset, field)?.datatype.startsWith('date') && measure.fn !== 'median'
        ? `${measure.fn === 'max' ? 'latest' : 'earliest'} ${fieldName}`
        : `${AGGREGATE_WORDS[measure.fn]} ${fieldName}`;
  }
}
