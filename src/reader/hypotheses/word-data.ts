// Indexes the words and phrases of English by their function in a question.
import {
  creationVerbs,
  linkingVerbs,
  politeWords,
  rankingAdjectives,
  relatingVerbs,
  restrictingVerbs,
  stopWords,
  wordClasses,
} from '../english/words.ts';
import { createWord, type Term } from '../meaning/terms.ts';

type Meaning = Readonly<{ cat: string; term: Term }>;
const meaningsByPhrase = new Map<string, Meaning[]>();
const addPhraseMeanings = (phrases: Iterable<string>, cat: string, term: Term): void => {
  for (const phrase of phrases) meaningsByPhrase.set(phrase, [...(meaningsByPhrase.get(phrase) ?? []), { cat, term }]);
};
for (const { cat, value, features, said } of wordClasses)
  addPhraseMeanings(said.split('|'), cat, createWord(value, features));
for (const [index, { said }] of rankingAdjectives.entries())
  addPhraseMeanings(said.split('|'), 'ranking', createWord(String(index)));
for (const verb of new Set([...relatingVerbs, ...creationVerbs, ...linkingVerbs.keys()]))
  addPhraseMeanings([verb], 'link', createWord(verb, [restrictingVerbs.has(verb) ? 'active' : 'valued']));

export const findPhraseMeanings = (phrase: string): readonly Meaning[] => meaningsByPhrase.get(phrase) ?? [];
export const phraseWords: ReadonlySet<string> = new Set(
  [...meaningsByPhrase.keys()].flatMap((phrase) => phrase.split(' ')),
);
/** The word "in" means Indiana only in capitals. */
export const isFunctionWord = (norm: string): boolean =>
  stopWords.has(norm) || politeWords.has(norm) || findPhraseMeanings(norm).some(({ cat }) => cat === 'prep');
