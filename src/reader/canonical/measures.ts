// Writes counts, sums, ratios and comparisons in the words of a question.

import { commonHome } from '../../lens/model/join-paths.ts';
import {
  type Base,
  countsRows,
  fieldsOf,
  type Having,
  isBase,
  type Measure,
  type RowCount,
} from '../../plan/lens-plan.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { COMPARED, filtersText } from './conditions.ts';
import { groupText } from './groups.ts';
import { fieldName, metricName, noSentence, pluralName, singularName } from './names-of.ts';
import { periodText } from './periods.ts';

const AGGREGATED = { sum: 'total', avg: 'average', min: 'lowest', max: 'highest', median: 'median' } as const;

/** The dataset whose rows are measured. */
export const homeOf = (vocabulary: Vocabulary, measure: Measure): string => {
  if (!isBase(measure)) return homeOf(vocabulary, Array.isArray(measure.of) ? measure.of[0]! : measure.of);
  if (measure.fn === 'metric')
    return vocabulary.lens.metrics.find(({ name }) => name === measure.metric)?.home ?? noSentence();
  if ('value' in measure)
    return commonHome(vocabulary.lens, [...new Set(fieldsOf(measure.value).map(({ path }) => path))]) ?? noSentence();
  return 'rows' in measure ? measure.rows : measure.field.path;
};

export const measureText = (vocabulary: Vocabulary, measure: Measure): string => {
  const own = (one: Measure): string => measureText(vocabulary, one);
  if (isBase(measure)) {
    const said = baseText(vocabulary, measure);
    return measure.where ? `${said} ${filtersText(vocabulary, measure.where, homeOf(vocabulary, measure))}` : said;
  }
  switch (measure.fn) {
    case 'ratio':
    case 'difference': {
      const [left, right] = measure.of.map(own);
      if (measure.percent) return noSentence();
      return measure.fn === 'ratio' ? `ratio of ${left} to ${right}` : `difference between ${left} and ${right}`;
    }
    case 'share':
      return `${measure.percent ? 'percentage' : 'share'} of ${partOf(vocabulary, measure.of)} ${filtersText(vocabulary, measure.where, homeOf(vocabulary, measure.of))}`;
    case 'running_total':
      return `running total of ${own(measure.of)}`;
    case 'change': {
      if (!measure.percent) return noSentence();
      const of = `growth of ${own(measure.of)}`;
      if (!measure.from) return of;
      const [from, to] = [measure.from, measure.to].map((one) => periodText(one).replace(/^in /, ''));
      return `${of} from ${from} to ${to}`;
    }
    case 'over_groups': {
      const { take, of, by = [], per = [], having, every } = measure;
      const [each, more] = [
        ...by.map((one) => groupText(vocabulary, one)),
        ...per.map((path) => singularName(vocabulary, path)),
      ];
      if (having || every || more || !each || take === 'sum') return noSentence();
      return allRows(of)
        ? `${AGGREGATED[take]} ${own(of)} per ${each}`
        : `${AGGREGATED[take]} of ${own(of)} of each ${each}`;
    }
    default:
      return noSentence();
  }
};
function baseText(vocabulary: Vocabulary, measure: Base): string {
  if (measure.fn === 'metric') return metricName(vocabulary, measure.metric);
  if ('rows' in measure) return `number of ${pluralName(vocabulary, measure.rows)}`;
  if ('value' in measure || measure.fn === 'list' || measure.fn === 'count') return noSentence();
  const { fn, field } = measure;
  const { primaryKey } = vocabulary.dataset(vocabulary.graph.datasetOf(field.path) ?? noSentence());
  if (fn === 'count_distinct' && primaryKey.join() === field.field)
    return `number of ${pluralName(vocabulary, field.path)}`;
  const called = fieldName(vocabulary, { path: field.path, field: field.field });
  return fn === 'count_distinct' ? `number of distinct ${called}` : `${AGGREGATED[fn]} ${called}`;
}
const allRows = (one: Measure): one is RowCount => countsRows(one) && !one.where;
const partOf = (vocabulary: Vocabulary, of: Measure): string =>
  allRows(of) ? pluralName(vocabulary, of.rows) : measureText(vocabulary, of);

export const havingText = (vocabulary: Vocabulary, { measure, op, values, than }: Having): string =>
  than || op === 'between' || op === '!='
    ? noSentence()
    : `with ${measureText(vocabulary, measure)} ${COMPARED[op]} ${values[0]}`;
