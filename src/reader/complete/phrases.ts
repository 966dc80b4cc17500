// Questions that a lens answers: for each of its datasets one of every kind, made of names and read.

import type { Lens, LensDataset } from '../../lens/model/lens.ts';
import { NoSentence } from '../../plan/sentence/names.ts';
import { slices } from '../../platform/schedule/in-turns.ts';
import { fieldName, metricName, pluralName, valueText } from '../canonical/names-of.ts';
import { canonicalSentence } from '../canonical/sentence.ts';
import { preferredInterpretations } from '../decide/interpret.ts';
import { isNumeric } from '../words/datatypes.ts';
import { type Vocabulary, vocabularyOf } from '../words/vocabulary.ts';

export interface Phrase {
  /** The dataset whose rows are counted, measured or listed. */
  about: string;
  sentence: string;
}

/** Only questions that are read as one plan, in the words of its sentence. Reading takes milliseconds each, so it runs in slices. */
export async function phrasesOf(lens: Lens, datasets: readonly LensDataset[], now: Date): Promise<Phrase[]> {
  const found: Phrase[] = [];
  const slice = slices();
  for (const dataset of datasets) {
    const sentences = new Set<string>();
    for (const question of questionsOf(vocabularyOf(lens), dataset, now)) {
      await slice();
      const [reading, ...others] = preferredInterpretations({ question, lens, choices: {}, now });
      const isOne = reading?.declined === null && others.every(({ meant }) => meant === reading.meant);
      const sentence = isOne ? canonicalSentence(lens, reading.plan) : null;
      if (sentence !== null) sentences.add(sentence);
    }
    found.push(...[...sentences].map((sentence) => ({ about: dataset.name, sentence })));
  }
  return found;
}

const MEASURES = 3;
const isAmount = ({ name, datatype, masked }: LensDataset['fields'][number]): boolean =>
  !masked && isNumeric(datatype) && !/(?:^|_)(?:id|key|year)$/.test(name);

/** Names that only mean what is meant; what has no such name is left out. */
const named = (names: readonly (() => string)[]): string[] =>
  names.flatMap((name) => {
    try {
      return [name()];
    } catch (fault) {
      if (fault instanceof NoSentence) return [];
      throw fault;
    }
  });

function questionsOf(vocabulary: Vocabulary, dataset: LensDataset, now: Date): string[] {
  const { lens, graph } = vocabulary;
  const { name: home, fields, timeField } = dataset;
  const near = [...graph.reach(home).values()].filter(({ ambiguous }) => !ambiguous);
  const amount = fields.find(isAmount);
  const measures = named([
    ...lens.metrics.filter((one) => one.home === home).map((one) => () => metricName(vocabulary, one.name)),
    () => `number of ${pluralName(vocabulary, home)}`,
    ...(amount ? [() => `average ${fieldName(vocabulary, { path: home, field: amount.name })}`] : []),
  ]).slice(0, MEASURES);
  const [kind] = near.flatMap(({ path, dataset: name }) =>
    vocabulary.dataset(name).fields.flatMap(({ name: field, masked, dictionary }) => {
      const [value] = (!masked && dictionary?.values) || [];
      const [said] = value ? named([() => fieldName(vocabulary, { path, field })]) : [];
      return said && value ? [{ said, value: valueText(value.value) }] : [];
    }),
  );
  const other = near.find(({ path, dataset: name, hops }) => hops > 0 && path === name && vocabulary.display(name)[0]);
  const related = lens.datasets.find(({ name }) => name !== home && graph.paths(name, home).length === 1);
  const [first] = measures;
  const [rows] = named([() => pluralName(vocabulary, home)]);
  const [things] = other ? named([() => pluralName(vocabulary, other.path)]) : [];
  const [parts] = related ? named([() => pluralName(vocabulary, related.name)]) : [];
  const isKind = kind ? `where ${kind.said} is ${kind.value}` : '';
  return [
    ...measures,
    ...(kind ? measures.map((one) => `${one} per ${kind.said}`) : []),
    ...(first && timeField
      ? [`${first} per month`, `${first} in ${now.getUTCFullYear() - 1}`, `growth of ${first} per month`]
      : []),
    ...(first && kind
      ? [
          `${first} ${isKind}`,
          `${first} excluding ${kind.said} ${kind.value}`,
          `share of each ${kind.said} in ${first}`,
        ]
      : []),
    ...(first && things ? [`top 5 ${things} by ${first}`] : []),
    ...(rows && kind ? [`${rows} ${isKind}`] : []),
    ...(rows && parts ? [`${rows} with more than 5 ${parts}`, `${rows} without ${parts}`] : []),
  ];
}
