// Sums and means that compile well and yet say nothing: over several currencies, over days of what is a level, over rates.
import type { Aggregate, Filter, Intent, Measure, MetricUse } from './intent.ts';
import { datasetOfPath } from './join-paths.ts';
import { findDataset, findField, type Lens, type LensDataset, type LensField } from './lens.ts';

const CURRENCY = /(?:^|[_ ])(?:currency|curr|ccy)(?:$|[_ ])/i;
const LEVEL =
  /(?:^|[_ ])(?:balances?|stock|inventory|levels?|on[_ ]hand|outstanding|holdings?|headcount|spares?|available|backlog|snapshots?)(?:$|[_ ])/i;
const RATE =
  /(?:^|[_ ])(?:rate|ratio|percent|percentage|pct|temperature|temp|humidity|avg|average|mean|age|year|latitude|longitude|lat|lng|unit[_ ](?:price|prc|cost))(?:$|[_ ])/i;
const NOT_MONEY =
  /(?:^|[_ ])(?:qty|quantity|count|units?$|rate|ratio|percent|pct|score|rating|stars|points|weight|kg|km|distance|hours?|minutes?|seconds?|days|months?|years?|age|number|no|id|discount)(?:$|[_ ])/i;
const NUMERIC = ['integer', 'decimal', 'float'];

interface Used {
  fn: string;
  dataset: LensDataset;
  field: LensField;
  approved: boolean;
  /** A unit stands for everything that is added up. */
  unit: string | null;
}

export function doubtfulMeasures(lens: Lens, intent: Intent): string[] {
  const bases = [...intent.measures, ...intent.having.map(({ measure }) => measure)].flatMap(baseOf);
  const used = bases.flatMap((base) => usedBy(lens, base));
  const said = used.flatMap((one) => [mixed(lens, intent, one), level(lens, intent, one), rate(one)]);
  return [...new Set(said.filter((one) => one !== null))];
}

const baseOf = (measure: Measure): (MetricUse | Aggregate)[] =>
  measure.kind === 'metric' || measure.kind === 'aggregate'
    ? [measure]
    : measure.kind === 'combined'
      ? [measure.left, measure.right]
      : 'of' in measure
        ? [measure.of]
        : [];

function usedBy(lens: Lens, base: MetricUse | Aggregate): Used[] {
  if (base.kind === 'aggregate') {
    const dataset = datasetOfPath(lens, base.path);
    const field = base.field && dataset ? findField(dataset, base.field) : undefined;
    return dataset && field && NUMERIC.includes(field.datatype)
      ? [{ fn: base.fn, dataset, field, approved: false, unit: field.unit }]
      : [];
  }
  const metric = lens.metrics.find(({ name }) => name === base.name);
  if (!metric) return [];
  const fns = metric.references.aggregates.map((fn) => fn.toLowerCase());
  return [
    ...metric.references.metrics.flatMap((name) => usedBy(lens, { kind: 'metric', name })),
    ...metric.references.fields.flatMap(({ dataset: name, field: own }): Used[] => {
      const dataset = findDataset(lens, name);
      const field = dataset && findField(dataset, own);
      if (!dataset || !field || !NUMERIC.includes(field.datatype)) return [];
      return fns.length === 1 ? [{ fn: fns[0]!, dataset, field, approved: true, unit: metric.unit ?? field.unit }] : [];
    }),
  ];
}

const ADDS = ['sum', 'avg', 'min', 'max'];
/** Amounts whose currency stands beside them, added up or compared whatever it is. */
function mixed(lens: Lens, intent: Intent, { fn, dataset, field, unit }: Used): string | null {
  if (!ADDS.includes(fn) || unit || NOT_MONEY.test(field.name)) return null;
  const found = currencyOf(lens, dataset);
  if (!found || (found.field.dictionary?.complete && found.field.dictionary.values.length < 2)) return null;
  const { path, field: currency } = found;
  const pinned =
    fixes(intent.filters, path, currency.name) ||
    intent.dimensions.some((ref) => ref.path === path && ref.field === currency.name);
  return pinned
    ? null
    : `${plain(field.name)} is in several currencies (${path}.${currency.name}), taken together here as if they were one; name one, or group by it.`;
}

function currencyOf(lens: Lens, dataset: LensDataset): { path: string; field: LensField } | null {
  let here = [{ path: dataset.name, dataset }];
  for (let hops = 0; hops < 3 && here.length > 0; hops++) {
    for (const step of here) {
      const field = step.dataset.fields.find(
        ({ name, synonyms, datatype }) =>
          datatype === 'string' && [name, ...synonyms].some((one) => CURRENCY.test(one)),
      );
      if (field) return { path: step.path, field };
    }
    here = here.flatMap((step) =>
      lens.relationships.flatMap(({ from, to, role, named }) => {
        const target = from.dataset === step.dataset.name ? findDataset(lens, to.dataset) : undefined;
        return target && hops < 2 ? [{ path: named ? role : target.name, dataset: target }] : [];
      }),
    );
  }
  return null;
}

/** What stands in stock each day is not a multiple of itself after a month. */
function level(lens: Lens, intent: Intent, { fn, dataset, field }: Used): string | null {
  const days = dataset.fields.filter(({ datatype }) => ['date', 'datetime', 'datetimetz'].includes(datatype));
  const day =
    days.find(({ name }) => dataset.primaryKey.length > 1 && dataset.primaryKey.includes(name)) ??
    (LEVEL.test(dataset.name) ? days.find(({ name }) => name === dataset.timeField) : undefined);
  const names = [field.name, ...field.synonyms, dataset.name];
  if (fn !== 'sum' || !day || !names.some((name) => LEVEL.test(name))) return null;
  const own = (ref: { path: string; field: string }) =>
    datasetOfPath(lens, ref.path)?.name === dataset.name && ref.field === day.name;
  const { time } = intent;
  const oneDay = time && own(time.field) && Date.parse(time.to) - Date.parse(time.from) <= 86_400_000;
  const daily = intent.dimensions.some((ref) => own(ref) && (!ref.grain || ref.grain === 'day'));
  return oneDay || daily || fixes(intent.filters, dataset.name, day.name)
    ? null
    : `${plain(field.name)} is a level of each day (${dataset.name}.${day.name}); added up over days it counts the same again. Name one day, or group by day.`;
}

function rate({ fn, field, approved, dataset }: Used): string | null {
  if (fn !== 'sum' || approved || !isRate(field)) return null;
  return `${plain(field.name)} of ${plain(dataset.name)} added up says nothing; an average may be meant.`;
}

export const isRate = ({ name, unit }: Pick<LensField, 'name' | 'unit'>): boolean =>
  RATE.test(name) || /^(?:%|percent|°[CF]|celsius|fahrenheit)$/i.test(unit ?? '');

/** A condition that leaves one value of the field. */
const fixes = (filters: Filter[], path: string, field: string): boolean =>
  filters.some((filter) =>
    filter.kind === 'condition'
      ? filter.field.path === path &&
        filter.field.field === field &&
        !filter.field.grain &&
        (filter.op === '=' || filter.op === 'in') &&
        filter.values.length === 1
      : filter.kind === 'all' && fixes(filter.of, path, field),
  );

const plain = (name: string): string => name.replaceAll('_', ' ');
