// Measures and the fields that adjectives compare, bound to what the lens holds.
import type { Aggregate, MetricUse } from '../../lens/model/intent.ts';
import type { LensField, LensMetric } from '../../lens/model/lens.ts';
import { singular } from '../../lens/model/singular.ts';
import { isNumeric, isTemporal } from '../words/datatypes.ts';
import { metricComputing, metricsSpelling } from '../words/governed.ts';
import { AMOUNT_WORDS, COMPARED, type Compared, SELLING_VERBS, SOLD_WORDS } from '../words/lexicon.ts';
import { phraseKey, words } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import type { MeasureDraft } from './draft.ts';
import { isKey } from './read-things.ts';
import { askWhich, choose, refuse } from './resolve.ts';

export const metricOf = (c: Cursor, metrics: LensMetric[], text: string): LensMetric => {
  if (metrics.length === 1) return metrics[0]!;
  return askWhich(
    c,
    text,
    metrics.map((metric) => ({ key: metric.name, field: { description: metric.description } as LensField, metric })),
  ).metric;
};

/** "spent", "money": the one metric or field that is the money of the thing asked about. */
const moneyOf = (c: Cursor, home: string | null, text: string): MetricUse | Aggregate => {
  const sold = c.draft.verbs.find((verb) => SELLING_VERBS.has(verb.text));
  const wanted = sold ? SOLD_WORDS : AMOUNT_WORDS;
  const isMoney = (name: string): boolean => words(name).some((word) => wanted.has(singular(word)));
  const metrics = c.vocabulary.lens.metrics.filter(
    (metric) =>
      metric.references.aggregates.join() === 'sum' &&
      [metric.name, ...metric.synonyms].some((name) => isMoney(name) || (!sold && /spen[dt]/.test(name))),
  );
  if (metrics.length > 0) return { kind: 'metric', name: metricOf(c, metrics, sold?.text ?? text).name };
  if (sold) return refuse(sold.text);
  // What somebody earns is not what others paid in their name.
  const earned = c.draft.verbs.find((verb) => /^earn/.test(verb.text));
  if (earned) return refuse(earned.text, `Say which number "${earned.text}" is about.`);
  const totals = c.vocabulary.lens.datasets.flatMap((dataset) =>
    dataset.fields
      .filter(
        (field) =>
          isNumeric(field.datatype) &&
          !field.masked &&
          words(field.name).some((word) => ['total', 'amount'].includes(word)),
      )
      .filter(() => !home || c.vocabulary.graph.distance(dataset.name, home) < 9)
      .map((field) => ({ dataset: dataset.name, field })),
  );
  if (totals.length === 1)
    return { kind: 'aggregate', fn: 'sum', path: totals[0]!.dataset, field: totals[0]!.field.name };
  return refuse(text);
};

/** The governed metric that the words spell ("the average flight delay" is average_delay, whatever that computes), else one
 *  that computes the same as a plain aggregate: preferred for its approval and one wording of SQL. */
const governed = (c: Cursor, aggregate: Aggregate, text: string): MetricUse | Aggregate => {
  const { fn, path, field } = aggregate;
  const spelled = metricsSpelling(c.vocabulary, aggregate);
  if (spelled.length > 0) return { kind: 'metric', name: metricOf(c, spelled, text).name };
  const key = c.vocabulary.dataset(path).primaryKey;
  const forms = field
    ? [fn === 'count_distinct' ? `count(distinct${path}.${field})` : `${fn}(${path}.${field})`]
    : ['count(*)', ...(key.length === 1 ? [`count(${path}.${key[0]})`] : [])];
  const computing = metricComputing(c.vocabulary, path, forms);
  return computing ? { kind: 'metric', name: computing.name } : aggregate;
};

export const measureOf = (c: Cursor, draft: MeasureDraft, hint: string | null): MetricUse | Aggregate => {
  const measure = plainMeasure(c, draft, hint);
  return measure.kind === 'aggregate' ? governed(c, measure, draft.text) : measure;
};
const plainMeasure = (c: Cursor, draft: MeasureDraft, hint: string | null): MetricUse | Aggregate => {
  if (draft.kind === 'metric') return { kind: 'metric', name: metricOf(c, draft.metrics!, draft.text).name };
  if (draft.kind === 'count') return { kind: 'aggregate', fn: 'count', path: draft.dataset! };
  if (draft.kind === 'money') return moneyOf(c, hint, draft.text);
  const slot = draft.slot!;
  // "average age for each type of pet": of what leads to a type of pet.
  const by = c.draft.groups.flatMap((group) =>
    'candidates' in group
      ? [group.bound ? [group.bound] : group.candidates.map((one) => one.dataset)]
      : 'dataset' in group
        ? [[group.dataset]]
        : [],
  );
  const led = slot.candidates.filter((one) =>
    by.every((datasets) => datasets.some((dataset) => c.vocabulary.graph.paths(one.dataset, dataset).length > 0)),
  );
  const chosen = choose(
    c,
    slot,
    (led.length > 0 ? led : slot.candidates).map((one) => ({ ...one, field: one.fields[0]! })),
    hint,
  );
  return { kind: 'aggregate', fn: draft.fn!, path: chosen.dataset, field: chosen.field.name };
};
export const measureHome = (c: Cursor, measure: MetricUse | Aggregate): string | null =>
  measure.kind === 'aggregate'
    ? measure.path
    : (c.vocabulary.lens.metrics.find((metric) => metric.name === measure.name)?.home ?? null);

/** The field that an adjective compares: duration, date of birth, price. */
export const fieldsAbout = (c: Cursor, dataset: string, about: Compared): LensField[] => {
  const { fields, timeField } = c.vocabulary.dataset(dataset);
  const open = fields.filter((field) => !field.masked);
  const numeric = open.filter((field) => isNumeric(field.datatype) && !isKey(c, dataset, field));
  const dates = open.filter((field) => isTemporal(field.datatype));
  const named = (list: LensField[], wanted: ReadonlySet<string>): LensField[] => {
    const own = list.filter((field) => words(field.name).some((word) => wanted.has(singular(word))));
    return own.length > 0
      ? own
      : list.filter((field) => field.synonyms.some((name) => words(name).some((word) => wanted.has(singular(word)))));
  };
  if (about === 'date') return timeField ? dates.filter((field) => field.name === timeField) : dates;
  if (about === 'tenure') return named(dates, COMPARED.tenure);
  if (about === 'birth') {
    const born = [...named(dates, COMPARED.birth), ...named(numeric, COMPARED.age)];
    return born;
  }
  return named(numeric, COMPARED[about] ?? new Set());
};
export const fieldAbout = (c: Cursor, dataset: string, about: Compared, text: string): LensField => {
  let found = fieldsAbout(c, dataset, about);
  // "oldest": by birth where there is one, else by date.
  if (about === 'birth' && found.length === 0 && c.vocabulary.dataset(dataset).timeField)
    found = fieldsAbout(c, dataset, 'date');
  // "the amount of the largest transaction": by what is asked of it. Alone it may be the largest either way.
  if (about === 'size' && found.length === 0)
    found = fieldsAbout(c, dataset, 'amount').filter((field) =>
      c.draft.shown.some(({ slot }) => slot?.candidates.some(({ fields }) => fields[0] === field)),
    );
  if (found.length === 1) return found[0]!;
  // "the age of the oldest": what is asked for says what is compared.
  const asked = found.filter((field) =>
    c.draft.shown.some(({ slot }) =>
      slot?.candidates.some((one) => one.dataset === dataset && one.fields[0] === field),
    ),
  );
  if (asked.length === 1) return asked[0]!;
  if (found.length > 1)
    return askWhich(
      c,
      text,
      found.map((field) => ({ key: `${dataset}.${field.name}`, field })),
    ).field;
  return refuse(text);
};

/** "number of students per course", where students and courses meet in enrolments: distinct students among those rows. */
export const overLink = (c: Cursor, measure: MetricUse | Aggregate, home: string): MetricUse | Aggregate => {
  if (measure.kind !== 'aggregate' || measure.fn !== 'count' || measure.path === home) return measure;
  const { graph, dataset } = c.vocabulary;
  const step = graph.paths(home, measure.path)[0];
  if (step?.hops !== 1) return measure;
  const columns = step.via[0]!.from.columns;
  const field = columns.length === 1 ? dataset(home).fields.find((one) => one.name === columns[0]) : undefined;
  if (field) return { kind: 'aggregate', fn: 'count_distinct', path: home, field: field.name };
  // Told apart by their own key, where the rows in between do not show theirs; but "items in each order" may be order items.
  const lines = c.tokens.find(
    ({ stem }) =>
      [home, ...dataset(home).synonyms].some((title) => phraseKey(title).endsWith(` ${stem}`)) &&
      c.vocabulary.phrases.get(stem)?.some((term) => term.kind === 'dataset' && term.dataset === measure.path),
  );
  if (lines) refuse(lines.text, `"${lines.text}" could be ${home.replaceAll('_', ' ')} or ${measure.path}; say which.`);
  return dataset(measure.path).primaryKey.length === 1 ? measure : refuse(measure.path);
};
