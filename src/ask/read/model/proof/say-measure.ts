// How what is measured is said. A measure that is not here can't be proven to be what was asked.
import type { PlanMeasure } from '../../../../contract/plan.ts';
import type { Lens } from '../../../../lens/lens.ts';
import { fieldOf, sayDataset, sayField, sayMetric } from './say-names.ts';
import { inTurn, listed, nothing, perhaps, type Saying, words } from './sayings.ts';

const TAKEN: Readonly<Record<string, string>> = {
  avg: 'average,avg,mean',
  sum: 'total,sum',
  min: 'minimum,min,lowest,smallest',
  max: 'maximum,max,highest,largest,biggest,greatest',
  median: 'median',
};
const taken = (fn: string): Saying => inTurn(words(TAKEN[fn] ?? ''), perhaps(words('of')));
const COUNT = words('how many,number of,count of');
const DIFFERENT = words('distinct,different,unique');
const FOR_EACH = words('per,by,for each,for every,of each,of every,across');

export function sayMeasure(lens: Lens, measure: PlanMeasure): Saying {
  if (typeof measure === 'string') return metricNamed(lens, measure);
  switch (measure.fn) {
    case 'metric':
      return measure.where ? nothing : metricNamed(lens, measure.metric);
    case 'count':
      return measure.rows === undefined || measure.field !== undefined || measure.where
        ? nothing
        : inTurn(COUNT, sayDataset(measure.rows));
    case 'count_distinct': {
      const field = fieldOf(lens, measure.field);
      return !field || measure.where ? nothing : inTurn(COUNT, DIFFERENT, sayField(lens, field));
    }
    case 'sum':
    case 'avg':
    case 'min':
    case 'max':
    case 'median': {
      const field = fieldOf(lens, measure.field);
      return !field || field.grain || measure.where ? nothing : inTurn(taken(measure.fn), sayField(lens, field));
    }
    case 'over_groups': {
      const { by, per, every, having, take, of } = measure;
      const groups = (by ?? []).map((one) => (typeof one === 'string' ? fieldOf(lens, one) : null));
      if (per || every !== undefined || having || groups.length === 0 || groups.some((one) => !one || one.grain))
        return nothing;
      return inTurn(taken(take), sayMeasure(lens, of), FOR_EACH, listed(groups.map((one) => sayField(lens, one!))));
    }
    default:
      return nothing;
  }
}

function metricNamed(lens: Lens, name: string): Saying {
  const metric = lens.metrics.find((one) => one.name === name);
  return metric ? sayMetric(metric) : nothing;
}

/** Of whose rows it is measured; null: of several, or it can't be told. */
export function homeOfMeasure(lens: Lens, measure: PlanMeasure): string | null {
  if (typeof measure === 'string') return lens.metrics.find(({ name }) => name === measure)?.home ?? null;
  switch (measure.fn) {
    case 'metric':
      return homeOfMeasure(lens, measure.metric);
    case 'count':
      return measure.rows ?? null;
    case 'over_groups':
      return homeOfMeasure(lens, measure.of);
    default:
      return 'field' in measure && measure.field !== undefined
        ? (fieldOf(lens, measure.field)?.dataset.name ?? null)
        : null;
  }
}

/** The date of what is measured, where all of it has one and the same. */
export function usualDate(lens: Lens, measures: readonly PlanMeasure[]): string | null {
  const dates = measures.map((measure) => {
    const name = typeof measure === 'string' ? measure : measure.fn === 'metric' ? measure.metric : null;
    const own = lens.metrics.find((metric) => metric.name === name)?.timeField;
    if (own) return `${own.dataset}.${own.field}`;
    const home = lens.datasets.find((dataset) => dataset.name === homeOfMeasure(lens, measure));
    return home?.timeField ? `${home.name}.${home.timeField}` : null;
  });
  return new Set(dates).size === 1 ? dates[0]! : null;
}
