// Lists the synonyms and stored values of the lens that a question uses. svc sends the model a lens without its lists
// of synonyms and values, and adds only the words that the question uses.
import type { Lens } from '../../../lens/model/lens.ts';
import { phraseKey, splitWords } from '../../../reader/words/phrase-key.ts';
import type { Term } from '../../../reader/words/term.ts';
import { foldValue } from '../../../reader/words/tokens.ts';
import { vocabularyOf } from '../../../reader/words/vocabulary.ts';
import { isUninformative } from './lens-text.ts';

const MAX_WORDS = 20;
const MAX_MEANINGS = 4;

/** A generator, so that a long question doesn't block other requests. */
export function* namedWords(lens: Lens, question: string): Generator<void, string[]> {
  const { phrases, values, maxPhraseWords: maxPhraseLength } = vocabularyOf(lens);
  const questionWords = splitWords(question);
  const meaningsByText = new Map<string, Set<string>>();
  for (let from = 0; from < questionWords.length && meaningsByText.size < MAX_WORDS; from++) {
    yield;
    for (let to = Math.min(questionWords.length, from + maxPhraseLength); to > from; to--) {
      const text = questionWords.slice(from, to).join(' ');
      const names = (phrases.get(phraseKey(text)) ?? []).flatMap((term) => describeTerm(term, text));
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

/** Returns nothing if the question uses the name itself. */
function describeTerm(term: Term, text: string): string[] {
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
