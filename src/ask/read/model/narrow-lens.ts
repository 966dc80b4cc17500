// Selects the datasets of a large lens that a question can need: the datasets whose names, fields or values the
// question mentions, and the datasets that connect these.
import type { Lens, LensDataset } from '../../../lens/model/lens.ts';
import { phraseKey } from '../../../reader/words/phrase-key.ts';
import { vocabularyOf } from '../../../reader/words/vocabulary.ts';
import { lensText, tableText } from './lens-text.ts';

/** The maximum length of a lens's description in characters, about 3,000 tokens. */
const MAX_DESCRIPTION_LENGTH = 12_000;

export function* selectDatasets(lens: Lens, question: string | null): Generator<void, LensDataset[]> {
  if (question === null || lensText(lens, lens.datasets).length <= MAX_DESCRIPTION_LENGTH) return lens.datasets;
  const scores = yield* scoreDatasets(lens, question);
  const rankedDatasets = lens.datasets.toSorted((a, b) => (scores.get(b.name) ?? 0) - (scores.get(a.name) ?? 0));
  const shownNames = new Set<string>();
  let remainingLength = MAX_DESCRIPTION_LENGTH - lensText(lens, []).length;
  for (const dataset of rankedDatasets) {
    const size = tableText(dataset, null).length;
    if (shownNames.size > 0 && size > remainingLength) break;
    shownNames.add(dataset.name);
    remainingLength -= size;
  }
  return lens.datasets.filter(({ name }) => shownNames.has(name));
}

/**
 * A name in the question scores three times as much as a word in a description. A joined dataset has half the score.
 */
function* scoreDatasets(lens: Lens, question: string): Generator<void, Map<string, number>> {
  const questionWords = phraseKey(question).split(' ').filter(Boolean);
  const scores = new Map<string, number>();
  const add = (dataset: string, weight: number) => scores.set(dataset, (scores.get(dataset) ?? 0) + weight);
  const { phrases, values, maxPhraseWords: maxPhraseLength } = vocabularyOf(lens);
  for (let from = 0; from < questionWords.length; from++) {
    yield;
    for (let to = from + 1; to <= Math.min(questionWords.length, from + maxPhraseLength); to++) {
      const phrase = questionWords.slice(from, to).join(' ');
      for (const term of phrases.get(phrase) ?? [])
        for (const dataset of datasetsOf(term)) add(dataset, 3 * (to - from));
      for (const { folded, dataset } of values.get(questionWords[from]!) ?? [])
        if (phraseKey(folded) === phrase) add(dataset, 3 * (to - from));
    }
  }
  for (const { name, description, fields } of lens.datasets) {
    yield;
    const describedWords = new Set(
      phraseKey([description, ...fields.map((field) => field.description)].join(' ')).split(' '),
    );
    add(name, questionWords.filter((word) => describedWords.has(word)).length);
  }
  const spreadScores = new Map(scores);
  for (const { from, to } of lens.relationships)
    for (const [a, b] of [
      [from.dataset, to.dataset],
      [to.dataset, from.dataset],
    ] as const)
      spreadScores.set(a, Math.max(spreadScores.get(a) ?? 0, (scores.get(b) ?? 0) / 2));
  return spreadScores;
}

type Term = NonNullable<ReturnType<ReturnType<typeof vocabularyOf>['phrases']['get']>>[number];
function datasetsOf(term: Term): string[] {
  switch (term.kind) {
    case 'metric':
      return term.metric.references.fields.map(({ dataset }) => dataset);
    case 'definition':
      return [];
    default:
      return [term.dataset];
  }
}
