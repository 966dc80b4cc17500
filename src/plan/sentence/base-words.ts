// Writes counts and aggregates in words, without conditions.
import { findField } from '../../lens/model/lens.ts';
import { plural } from '../../lens/model/singular.ts';
import type { Base } from '../lens-plan.ts';
import { valueWords } from '../sql/row-value.ts';
import { datasetAt, type Names } from './names.ts';

export const AGGREGATED = { sum: 'total', avg: 'average', min: 'lowest', max: 'highest', median: 'median' } as const;

export function baseWords(names: Names, measure: Base): string {
  if (measure.fn === 'metric') return names.metric(measure.metric);
  if ('rows' in measure) return `number of ${names.many(measure.rows)}`;
  const general = (render: () => string): string => names.otherwise(render);
  if ('value' in measure) return general(() => `${AGGREGATED[measure.fn]} ${valueWords(measure.value, names.field)}`);
  const { path, field } = measure.field;
  const called = names.field({ path, field });
  if (measure.fn === 'list') {
    const { distinct, separator } = measure;
    return general(
      () => `list of ${distinct ? 'distinct ' : ''}${called}${separator === ', ' ? '' : ` joined by "${separator}"`}`,
    );
  }
  const dataset = datasetAt(names, path);
  switch (measure.fn) {
    case 'count':
      return general(() => `number of ${called} values`);
    case 'count_distinct':
      return dataset.primaryKey.join() === field
        ? `number of ${names.many(path)}`
        : `number of distinct ${plural(called)}`;
    default:
      return findField(dataset, field)?.datatype.startsWith('date') && measure.fn !== 'median'
        ? `${measure.fn === 'max' ? 'latest' : 'earliest'} ${called}`
        : `${AGGREGATED[measure.fn]} ${called}`;
  }
}
