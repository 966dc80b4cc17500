// Writes counts, sums, ratios and comparisons in the words of a question.
import type { Having, Measure } from '../../lens/model/intent.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { fieldCalled, metricCalled, thingCalled, thingsCalled, unsaid } from './called.ts';
import { COMPARED, filtersSaid } from './conditions.ts';
import { groupSaid } from './groups.ts';
import { periodSaid } from './periods.ts';

const AGGREGATED = { sum: 'total', avg: 'average', min: 'lowest', max: 'highest', median: 'median' } as const;

/** The dataset whose rows are measured. */
export const homeOf = (vocabulary: Vocabulary, measure: Measure): string => {
  switch (measure.kind) {
    case 'metric':
      return vocabulary.lens.metrics.find(({ name }) => name === measure.name)?.home ?? unsaid();
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

export const measureSaid = (vocabulary: Vocabulary, measure: Measure): string => {
  const own = (one: Measure): string => measureSaid(vocabulary, one);
  switch (measure.kind) {
    case 'metric':
      return metricCalled(vocabulary, measure.name);
    case 'aggregate': {
      const { fn, path, field } = measure;
      if (field === undefined) return fn === 'count' ? `number of ${thingsCalled(vocabulary, path)}` : unsaid();
      const { primaryKey } = vocabulary.dataset(vocabulary.graph.datasetOf(path) ?? unsaid());
      if (fn === 'count_distinct' && primaryKey.join() === field) return `number of ${thingsCalled(vocabulary, path)}`;
      const called = fieldCalled(vocabulary, { path, field });
      if (fn === 'count_distinct') return `number of distinct ${called}`;
      return fn === 'count' ? unsaid() : `${AGGREGATED[fn]} ${called}`;
    }
    case 'combined':
      if (measure.percent || measure.fn === 'total') return unsaid();
      return measure.fn === 'ratio'
        ? `ratio of ${own(measure.left)} to ${own(measure.right)}`
        : `difference between ${own(measure.left)} and ${own(measure.right)}`;
    case 'restricted':
      return `${own(measure.of)} ${filtersSaid(vocabulary, measure.where, homeOf(vocabulary, measure.of))}`;
    case 'part':
      return `${measure.percent ? 'percentage' : 'share'} of ${partOf(vocabulary, measure.of)} ${filtersSaid(vocabulary, measure.where, homeOf(vocabulary, measure.of))}`;
    case 'windowed':
      if (measure.within) return unsaid();
      if (measure.fn === 'running_total') return `running total of ${own(measure.of)}`;
      return measure.fn === 'percent_change' ? `growth of ${own(measure.of)}` : unsaid();
    case 'change': {
      const { fn, of, earlier, later } = measure;
      const [from, to] = [periodSaid(earlier), periodSaid(later)].map((one) => one.replace(/^in /, ''));
      return fn === 'percent' ? `growth of ${own(of)} from ${from} to ${to}` : unsaid();
    }
    case 'averaged': {
      const { fn = 'avg', of, over, having, every } = measure;
      const [only, more] = over;
      if (having || every || more || !only || fn === 'count' || fn === 'sum') return unsaid();
      const each = only.field
        ? groupSaid(vocabulary, { ...only, field: only.field })
        : thingCalled(vocabulary, only.path);
      return isRows(of)
        ? `${AGGREGATED[fn]} ${own(of)} per ${each}`
        : `${AGGREGATED[fn]} of ${own(of)} of each ${each}`;
    }
    case 'amount':
    case 'listed':
    case 'rounded':
    case 'filled':
      return unsaid();
    case 'scaled':
      if (measure.divides) return unsaid();
      return measure.of.kind === 'combined' && measure.of.fn === 'ratio' && isRows(measure.of.right)
        ? `${own(measure.of.left)} per ${measure.by} ${thingsCalled(vocabulary, measure.of.right.path)}`
        : unsaid();
  }
};
const isRows = (one: Measure): one is Extract<Measure, { kind: 'aggregate' }> =>
  one.kind === 'aggregate' && one.fn === 'count' && one.field === undefined;
const partOf = (vocabulary: Vocabulary, of: Measure): string =>
  isRows(of) ? thingsCalled(vocabulary, of.path) : measureSaid(vocabulary, of);

export const havingSaid = (vocabulary: Vocabulary, { measure, op, values, than }: Having): string =>
  than || op === 'between' || op === '!='
    ? unsaid()
    : `with ${measureSaid(vocabulary, measure)} ${COMPARED[op]} ${values[0]}`;
