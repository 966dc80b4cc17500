// Adjectives of stored values: "successful" for the value success, "European" for Europe.
import type { Token } from '../words/token.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { WORD_DATA } from './word-data.ts';

const MIN_LETTERS = 4;
/** The value that an unknown word is made of. */
export const correctToken = (
  token: Token,
  { knownWords, values, language }: Vocabulary,
  known: ReadonlySet<string>,
): Token => {
  const { kind, norm, stem: root } = token;
  const isKnown = [norm, root].some((one) =>
    [knownWords, known, WORD_DATA.phraseWords, WORD_DATA.empty, values].some((all) => all.has(one)),
  );
  if (kind !== 'word' || isKnown) return token;
  const [meant, other] = language.adjectival
    .split(' ')
    .filter((ending) => norm.endsWith(ending) && norm.length - ending.length >= MIN_LETTERS)
    .map((ending) => norm.slice(0, -ending.length))
    .filter((stored) => values.get(stored)?.some(({ folded }) => folded === stored));
  return meant && !other ? { ...token, norm: meant, stem: language.inflection.stem(meant) } : token;
};
