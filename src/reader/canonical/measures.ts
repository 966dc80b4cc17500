// Writes counts, sums, ratios and comparisons in the words of a question.
import type { Having, Measure } from '../../lens/model/intent.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { COMPARED, filtersText } from './conditions.ts';
import { groupText } from './groups.ts';
import { fieldName, metricName, noSentence, thingName, thingsName } from './names-of.ts';
import { periodText } from './periods.ts';

const AGGREGATED = { sum: 'total', avg: 'average', min: 'lowest', max: 'highest', median: 'median' } as const;

/** The dataset whose rows are measured. */
export const homeOf = (vocabulary: Vocabulary, measure: Measure): string => {
  switch (measure.kind) {
    case 'metric':
      return vocabulary.lens.metrics.find(({ name }) => name === measure.name)?.home ?? noSentence();
    case 'aggregate':
    case 'amount':
    case 'listed':
      return measure.path;
    case 'combined':
      return homeOf(vocabulary, measure.left);
    default:
      return homeOf(vocabulary, measure.of);
  }
};

export const measureText = (vocabulary: Vocabulary, measure: Measure): string => {
  const own = (one: Measure): string => measureText(vocabulary, one);
  switch (measure.kind) {
    case 'metric':
      return metricName(vocabulary, measure.name);
    case 'aggregate': {
      const { fn, path, field } = measure;
      if (field === undefined) return fn === 'count' ? `number of ${thingsName(vocabulary, path)}` : noSentence();
      const { primaryKey } = vocabulary.dataset(vocabulary.graph.datasetOf(path) ?? noSentence());
      if (fn === 'count_distinct' && primaryKey.join() === field) return `number of ${thingsName(vocabulary, path)}`;
      const called = fieldName(vocabulary, { path, field });
      if (fn === 'count_distinct') return `number of distinct ${called}`;
      return fn === 'count' ? noSentence() : `${AGGREGATED[fn]} ${called}`;
    }
    case 'combined':
      if (measure.percent || measure.fn === 'total') return noSentence();
      return measure.fn === 'ratio'
        ? `ratio of ${own(measure.left)} to ${own(measure.right)}`
        : `difference between ${own(measure.left)} and ${own(measure.right)}`;
    case 'restricted':
      return `${own(measure.of)} ${filtersText(vocabulary, measure.where, homeOf(vocabulary, measure.of))}`;
    case 'part':
      return `${measure.percent ? 'percentage' : 'share'} of ${partOf(vocabulary, measure.of)} ${filtersText(vocabulary, measure.where, homeOf(vocabulary, measure.of))}`;
    case 'windowed':
      if (measure.within) return noSentence();
      if (measure.fn === 'running_total') return `running total of ${own(measure.of)}`;
      return measure.fn === 'percent_change' ? `growth of ${own(measure.of)}` : noSentence();
    case 'change': {
      const { fn, of, earlier, later } = measure;
      const [from, to] = [periodText(earlier), periodText(later)].map((one) => one.replace(/^in /, ''));
      return fn === 'percent' ? `growth of ${own(of)} from ${from} to ${to}` : noSentence();
    }
    case 'averaged': {
      const { fn = 'avg', of, over, having, every } = measure;
      const [only, more] = over;
      if (having || every || more || !only || fn === 'count' || fn === 'sum') return noSentence();
      const each = only.field
        ? groupText(vocabulary, { ...only, field: only.field })
        : thingName(vocabulary, only.path);
      return isRows(of)
        ? `${AGGREGATED[fn]} ${own(of)} per ${each}`
        : `${AGGREGATED[fn]} of ${own(of)} of each ${each}`;
    }
    case 'amount':
    case 'listed':
    case 'rounded':
    case 'filled':
      return noSentence();
    case 'scaled':
      if (measure.divides) return noSentence();
      return measure.of.kind === 'combined' && measure.of.fn === 'ratio' && isRows(measure.of.right)
        ? `${own(measure.of.left)} per ${measure.by} ${thingsName(vocabulary, measure.of.right.path)}`
        : noSentence();
  }
};
const isRows = (one: Measure): one is Extract<Measure, { kind: 'aggregate' }> =>
  one.kind === 'aggregate' && one.fn === 'count' && one.field === undefined;
const partOf = (vocabulary: Vocabulary, of: Measure): string =>
  isRows(of) ? thingsName(vocabulary, of.path) : measureText(vocabulary, of);

export const havingText = (vocabulary: Vocabulary, { measure, op, values, than }: Having): string =>
  than || op === 'between' || op === '!='
    ? noSentence()
    : `with ${measureText(vocabulary, measure)} ${COMPARED[op]} ${values[0]}`;
