// Questions that a lens answers: for each of its datasets one of every kind, made from plans and their
// sentences.

import type { Lens, LensDataset } from '../../lens/model/lens.ts';
import { without } from '../../plan/filters.ts';
import {
  type Exists,
  emptyPlan,
  type Filter,
  type Grouping,
  type LensPlan,
  type Measure,
} from '../../plan/lens-plan.ts';
import { slices } from '../../platform/schedule/in-turns.ts';
import { canonicalSentence } from '../canonical/sentence.ts';
import { meantBy } from '../decide/complete-reading.ts';
import { readingsLeft } from '../decide/readings.ts';
import { isNumeric } from '../words/datatypes.ts';
import { type Vocabulary, vocabularyOf } from '../words/vocabulary.ts';

export interface Phrase {
  /** The dataset whose rows are counted, measured or listed. */
  about: string;
  sentence: string;
}

/** Only questions that read back as their plan. Reading takes milliseconds each, so it runs in slices. */
export async function phrasesOf(lens: Lens, datasets: readonly LensDataset[], now: Date): Promise<Phrase[]> {
  const found: Phrase[] = [];
  const slice = slices();
  for (const dataset of datasets) {
    const sentences = new Set<string>();
    for (const plan of plansOf(vocabularyOf(lens), dataset, now)) {
      await slice();
      const sentence = canonicalSentence(lens, plan);
      if (sentence !== null && readsBack(lens, sentence, plan, now)) sentences.add(sentence);
    }
    found.push(...[...sentences].map((sentence) => ({ about: dataset.name, sentence })));
  }
  return found;
}

const readsBack = (lens: Lens, question: string, plan: LensPlan, now: Date): boolean => {
  const left = readingsLeft({ question, lens, choices: {}, now });
  return left.length > 0 && left.every(({ meant }) => meant === meantBy(plan));
};

interface Parts {
  home: string;
  measures: Measure[];
  kinds: Grouping[];
  values: Filter[];
  grain: Grouping | null;
  period: Filter[];
  thing: { told: Grouping[]; key: string; given: Filter } | null;
  related: string | null;
}
const MEASURES = 3;

const partsOf = (vocabulary: Vocabulary, { name: home, fields, timeField }: LensDataset, now: Date): Parts => {
  const { lens, graph } = vocabulary;
  const near = [...graph.reach(home).values()].filter(({ ambiguous }) => !ambiguous);
  const placed = near.flatMap(({ path, dataset }) =>
    vocabulary
      .dataset(dataset)
      .fields.filter(({ masked, dictionary }) => !masked && dictionary?.values.length)
      .map((field) => ({ path, field })),
  );
  const amount = fields.find(
    ({ name, datatype, masked }) => !masked && isNumeric(datatype) && !/(?:^|_)(?:id|key|year)$/.test(name),
  );
  const of = near.find(
    ({ path, dataset, hops }) => hops > 0 && path === dataset && vocabulary.display(dataset).length > 0,
  );
  const key = of && vocabulary.dataset(of.dataset).primaryKey[0];
  const year = now.getUTCFullYear();
  const time = timeField === null ? null : { path: home, field: timeField };
  return {
    home,
    measures: [
      ...lens.metrics.filter((one) => one.home === home).map(({ name }): Measure => ({ fn: 'metric', metric: name })),
      { fn: 'count', rows: home } as const,
      ...(amount ? [{ fn: 'avg', field: { path: home, field: amount.name } } as const] : []),
    ].slice(0, MEASURES),
    kinds: placed.map(({ path, field }) => ({ path, field: field.name })),
    values: placed.map(({ path, field }) => ({
      field: { path, field: field.name },
      op: '=',
      values: [field.dictionary!.values[0]!.value],
    })),
    grain: time && { ...time, grain: 'month' },
    period: time
      ? [
          { field: time, op: '>=', values: [`${year - 1}-01-01`] },
          { field: time, op: '<', values: [`${year}-01-01`] },
        ]
      : [],
    thing:
      of && key && !vocabulary.display(of.dataset).some(({ name }) => name === key)
        ? {
            told: vocabulary.display(of.dataset).map(({ name }) => ({ path: of.path, field: name })),
            key: of.path,
            given: { field: { path: of.path, field: key }, op: 'is_not_null', values: [] },
          }
        : null,
    related: lens.datasets.find(({ name }) => name !== home && graph.paths(name, home).length === 1)?.name ?? null,
  };
};

const plansOf = (vocabulary: Vocabulary, dataset: LensDataset, now: Date): LensPlan[] => {
  const { home, measures, kinds, values, grain, period, thing, related } = partsOf(vocabulary, dataset, now);
  const plan = (parts: Partial<LensPlan>): LensPlan => ({ ...emptyPlan(), ...parts });
  const [first] = measures;
  const [kind] = kinds;
  const [value] = values;
  const rows = vocabulary.display(home).filter(({ masked }) => !masked);
  const listed = { rows: home, dimensions: rows.map(({ name }) => ({ path: home, field: name })) };
  const exists: Exists = { exists: related ?? '' };
  return [
    ...measures.map((one) => plan({ measures: [one] })),
    ...measures.flatMap((one) => (kind ? [plan({ measures: [one], dimensions: [kind] })] : [])),
    ...(first && grain
      ? [
          plan({ measures: [first], dimensions: [grain] }),
          plan({ measures: [first], filters: period }),
          plan({ measures: [{ fn: 'change', of: first, percent: true }], dimensions: [grain] }),
        ]
      : []),
    ...(first && value && kind
      ? [
          plan({ measures: [first], filters: [value] }),
          plan({ measures: [first], filters: [{ ...value, op: '!=', or_null: true } as Filter] }),
          plan({ measures: [{ fn: 'share_of_total', of: first }], dimensions: [kind] }),
        ]
      : []),
    ...(first && thing
      ? [
          plan({
            measures: [first],
            dimensions: thing.told,
            per: [thing.key],
            filters: [thing.given],
            order_by: [{ measure: first, direction: 'desc' }],
            limit: 5,
          }),
        ]
      : []),
    ...(rows.length > 0 && value ? [plan({ ...listed, filters: [value] })] : []),
    ...(rows.length > 0 && related
      ? [plan({ ...listed, filters: [{ ...exists, at_least: 6 }] }), plan({ ...listed, filters: [without(exists)] })]
      : []),
  ];
};
