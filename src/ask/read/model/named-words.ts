// Selects the parts of a lens that svc sends to a model for a question: the synonyms and stored values in the question.
// In a large lens, also selects the datasets that the question mentions, and the datasets that connect them.
import type { Lens, LensDataset } from '../../../lens/model/lens.ts';
import { splitWords, toPhraseKey } from '../../../reader/words/phrase-key.ts';
import { foldValue } from '../../../reader/words/tokens.ts';
import { getVocabulary } from '../../../reader/words/vocabulary.ts';
import type { VocabularyTerm } from '../../../reader/words/vocabulary-term.ts';
import { isUninformative, writeDataset, writeLensForModel } from './lens-text.ts';

const MAX_WORDS = 20;
const MAX_MEANINGS = 4;

/** Yields between steps, so that a long question doesn't block other requests. */
export function* describeNamedWords(lens: Lens, question: string): Generator<void, string[]> {
  const { phrases, values, maxPhraseWords: maxPhraseLength } = getVocabulary(lens);
  const questionWords = splitWords(question);
  const meaningsByText = new Map<string, Set<string>>();
  for (let from = 0; from < questionWords.length && meaningsByText.size < MAX_WORDS; from++) {
    yield;
    for (let to = Math.min(questionWords.length, from + maxPhraseLength); to > from; to--) {
      const text = questionWords.slice(from, to).join(' ');
      const names = (phrases.get(toPhraseKey(text)) ?? []).flatMap((term) => describeTerm(term, text));
      const storedTerms = (values.get(questionWords[from]!) ?? []).flatMap(({ folded, dataset, field, value }) =>
        splitWords(folded).join(' ') === text && !field.masked && !isUninformative(value)
          ? [`'${value}' in ${dataset}.${field.name}`]
          : [],
      );
      const knownMeanings = meaningsByText.get(text) ?? new Set();
      for (const item of [...names, ...storedTerms].slice(0, MAX_MEANINGS)) knownMeanings.add(item);
      if (knownMeanings.size > 0) meaningsByText.set(text, knownMeanings);
    }
  }
  return [...meaningsByText].map(
    ([text, meanings]) => `“${text}” is ${[...meanings].slice(0, MAX_MEANINGS).join(' or ')}`,
  );
}

/** Returns no synonym if the question uses the name itself. */
function describeTerm(term: VocabularyTerm, text: string): string[] {
  const describeUnlessNamed = (name: string, description: string) =>
    foldValue(name.replaceAll('_', ' ')) === text ? [] : [description];
  switch (term.kind) {
    case 'metric':
      return describeUnlessNamed(term.metric.name, `metric ${term.metric.name}`);
    case 'field':
      return term.loose === 2 || term.field.masked
        ? []
        : describeUnlessNamed(term.field.name, `${term.role ?? term.dataset}.${term.field.name}`);
    case 'dataset':
      return describeUnlessNamed(term.dataset, `table ${term.dataset}`);
    case 'definition':
      return describeUnlessNamed(term.definition.term, `term "${term.definition.term}"`);
    case 'names':
      return [];
  }
}

/** The maximum length of a lens's description in characters, about 3,000 tokens. */
const MAX_DESCRIPTION_LENGTH = 12_000;

export function* selectRelevantDatasets(lens: Lens, question: string | null): Generator<void, LensDataset[]> {
  if (question === null || writeLensForModel(lens, lens.datasets).length <= MAX_DESCRIPTION_LENGTH)
    return lens.datasets;
  const scores = yield* scoreDatasetRelevance(lens, question);
  const rankedDatasets = lens.datasets.toSorted((a, b) => (scores.get(b.name) ?? 0) - (scores.get(a.name) ?? 0));
  const shownNames = new Set<string>();
  let remainingLength = MAX_DESCRIPTION_LENGTH - writeLensForModel(lens, []).length;
  for (const dataset of rankedDatasets) {
    const size = writeDataset(dataset, null).length;
    if (shownNames.size > 0 && size > remainingLength) break;
    shownNames.add(dataset.name);
    remainingLength -= size;
  }
  return lens.datasets.filter(({ name }) => shownNames.has(name));
}

/**
 * Scores each dataset. A name in the question counts three times as much as a word in a description. A joined dataset
 * gets half the score.
 */
function* scoreDatasetRelevance(lens: Lens, question: string): Generator<void, Map<string, number>> {
  const questionWords = toPhraseKey(question).split(' ').filter(Boolean);
  const scores = new Map<string, number>();
  const add = (dataset: string, weight: number) => scores.set(dataset, (scores.get(dataset) ?? 0) + weight);
  const { phrases, values, maxPhraseWords: maxPhraseLength } = getVocabulary(lens);
  for (let from = 0; from < questionWords.length; from++) {
    yield;
    for (let to = from + 1; to <= Math.min(questionWords.length, from + maxPhraseLength); to++) {
      const phrase = questionWords.slice(from, to).join(' ');
      for (const term of phrases.get(phrase) ?? [])
        for (const dataset of listTermDatasets(term)) add(dataset, 3 * (to - from));
      for (const { folded, dataset } of values.get(questionWords[from]!) ?? [])
        if (toPhraseKey(folded) === phrase) add(dataset, 3 * (to - from));
    }
  }
  for (const { name, description, fields } of lens.datasets) {
    yield;
    const describedWords = new Set(
      toPhraseKey([description, ...fields.map((field) => field.description)].join(' ')).split(' '),
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

function listTermDatasets(term: VocabularyTerm): string[] {
  switch (term.kind) {
    case 'metric':
      return term.metric.references.fields.map(({ dataset }) => dataset);
    case 'definition':
      return [];
    default:
      return [term.dataset];
  }
}
