// Misspelled words.

import { edits } from '../words/spelling.ts';
import type { Token } from '../words/token.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { WORD_DATA } from './word-data.ts';

const TYPO_FROM = 4; // letters
const NEAR_FROM = 5; // letters of the intended word
const STORED_FROM = 4; // letters
/**
 * Corrects an unknown word that differs by one letter, or by two swapped letters, from exactly one word of
 * the lens or of English.
 */
export const mend = (
  token: Token,
  { knownWords, values, language }: Vocabulary,
  known: ReadonlySet<string>,
  mended: { text: string; as: string }[],
): Token => {
  const { empty, phraseWords } = WORD_DATA;
  const { kind, norm, stem: root } = token;
  if (kind !== 'word' || norm.length < TYPO_FROM || /\d/.test(norm)) return token;
  const knows = (one: string): boolean =>
    knownWords.has(one) || known.has(one) || phraseWords.has(one) || empty.has(one);
  if (knows(norm) || knows(root) || values.has(norm) || values.has(root)) return token;
  // "successful" for the value success, "European" for Europe.
  const [meant, other] = language.adjectival
    .split(' ')
    .filter((ending) => norm.endsWith(ending) && norm.length - ending.length >= STORED_FROM)
    .map((ending) => norm.slice(0, -ending.length))
    .filter((stored) => values.get(stored)?.some(({ folded }) => folded === stored));
  if (meant && !other) {
    mended.push({ text: token.text, as: meant });
    return { ...token, norm: meant, stem: language.inflection.stem(meant) };
  }
  const near = new Set<string>();
  for (const words of [knownWords, known, phraseWords, values.keys()])
    for (const one of words)
      if (
        one.length >= NEAR_FROM &&
        Math.abs(one.length - root.length) <= 1 &&
        one[0] === root[0] &&
        (edits(one, root) === 1 || edits(one, norm) === 1)
      )
        near.add(one);
  const { isParticiple, derives, verbRoot, stem } = language.inflection;
  const [root_, more] = new Set([...near].map(stem));
  if (root_ === undefined || more) return token;
  // The intended form, if a word is similar to several.
  const only = [...near].sort((one, other) => edits(one, norm) - edits(other, norm))[0]!;
  // "released" refers to the release date and isn't misspelled.
  if (isParticiple(norm) && derives(only, verbRoot(norm))) return token;
  mended.push({ text: token.text, as: only });
  return { ...token, norm: only, stem: stem(only) };
};
