// Indexes the words and phrases of English by their function in a question.
import {
  CREATION_VERBS,
  LINKING_VERBS,
  POLITE_WORDS,
  RANKING_ADJECTIVES,
  RELATING_VERBS,
  RESTRICTING_VERBS,
  STOP_WORDS,
  WORD_CLASSES,
} from '../english/words.ts';
import { createWord, type Term } from '../meaning/terms.ts';

type Meaning = Readonly<{ cat: string; term: Term }>;
const meaningsByPhrase = new Map<string, Meaning[]>();
const addPhraseMeanings = (phrases: Iterable<string>, cat: string, term: Term): void => {
  for (const phrase of phrases) meaningsByPhrase.set(phrase, [...(meaningsByPhrase.get(phrase) ?? []), { cat, term }]);
};
for (const { cat, value, features, said } of WORD_CLASSES)
  addPhraseMeanings(said.split('|'), cat, createWord(value, features));
for (const [index, { said }] of RANKING_ADJECTIVES.entries())
  addPhraseMeanings(said.split('|'), 'ranking', createWord(String(index)));
for (const verb of new Set([...RELATING_VERBS, ...CREATION_VERBS, ...LINKING_VERBS.keys()]))
  addPhraseMeanings([verb], 'link', createWord(verb, [RESTRICTING_VERBS.has(verb) ? 'active' : 'valued']));

export const findPhraseMeanings = (phrase: string): readonly Meaning[] => meaningsByPhrase.get(phrase) ?? [];
export const PHRASE_WORDS: ReadonlySet<string> = new Set(
  [...meaningsByPhrase.keys()].flatMap((phrase) => phrase.split(' ')),
);
/** The word "in" means Indiana only in capitals. */
export const isFunctionWord = (norm: string): boolean =>
  STOP_WORDS.has(norm) || POLITE_WORDS.has(norm) || findPhraseMeanings(norm).some(({ cat }) => cat === 'prep');
