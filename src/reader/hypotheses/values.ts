// Finds stored values.
import { findStem } from '../english/inflection.ts';
import { POLITE_WORDS } from '../english/words.ts';
import { createValue, createWord, type ValueCandidate } from '../meaning/terms.ts';
import { splitWords } from '../words/phrase-key.ts';
import type { QuestionToken } from '../words/token.ts';
import { foldValue } from '../words/tokens.ts';
import { findFirstWord, type Vocabulary } from '../words/vocabulary.ts';
import { findPhraseMeanings, isFunctionWord } from './phrase-meanings.ts';
import { joinTokenTexts, type WordHypothesis } from './word-hypothesis.ts';

/** Finds stored values by their own or a declared spelling, and quoted strings that no field stores. */
export const findValueHypotheses = (
  tokens: readonly QuestionToken[],
  start: number,
  folded: string,
  vocabulary: Vocabulary,
): WordHypothesis[] => {
  const token = tokens[start]!;
  const leaves: WordHypothesis[] = [];
  const addLeaf = (to: number, phrase: string, options: ValueCandidate[]): void => {
    leaves.push({
      from: start,
      to,
      cat: 'value',
      term: createValue(phrase, [{ text: phrase, options }], undefined, token.kind === 'word' && !token.capital),
    });
  };
  if (token.kind === 'quoted') {
    const exact = vocabulary.valuesSpelled(token.norm);
    addLeaf(start + 1, token.text, exact);
    if (exact.length > 0) addLeaf(start + 1, token.text, []);
    return leaves;
  }
  if (token.kind === 'punct') return leaves;
  const isAggregate = findPhraseMeanings(token.norm).some(({ cat }) => cat === 'agg'); // "total" in lowercase isn't the name of a site
  const isLowercaseFunctionWord =
    token.kind === 'word' && !token.capital && (isFunctionWord(token.norm) || isAggregate);
  if (isLowercaseFunctionWord && POLITE_WORDS.has(token.norm) && vocabulary.valuesSpelled(token.norm).length > 0)
    leaves.push({ from: start, to: start + 1, cat: 'unclear', term: createWord(token.norm) });
  const byEnd = new Map<number, ValueCandidate[]>();
  for (const entry of vocabulary.values.get(findFirstWord(token.norm)) ?? []) {
    const end = token.start + entry.folded.length;
    const to = tokens.findIndex((other, index) => index >= start && other.end === end);
    const isSameText =
      folded.startsWith(entry.folded, token.start) || (to === start && foldValue(token.norm) === entry.folded);
    if (to >= start && isSameText && (to > start || !isLowercaseFunctionWord))
      byEnd.set(to + 1, [...(byEnd.get(to + 1) ?? []), entry]);
  }
  if (isLowercaseFunctionWord) {
    for (const [to, options] of byEnd) addLeaf(to, joinTokenTexts(tokens, start, to), options);
    return leaves;
  }
  // Finds values by their singular or plural, such as "chair" for Chairs. A participle such as "published" has no
  // singular or plural.
  for (const form of [token.stem, `${token.norm}s`]) {
    const entries = vocabulary.valuesSpelled(form);
    if (!byEnd.has(start + 1) && entries.length > 0) byEnd.set(start + 1, entries);
  }
  for (const [to, options] of byEnd) {
    addLeaf(to, joinTokenTexts(tokens, start, to), options);
    // Includes a noun that only names the field of the value. An example is "Italian food" for a value of food_type.
    const nextStem = tokens[to]?.stem;
    const namedOptions = options.filter(
      ({ field: valueField }) =>
        nextStem !== undefined &&
        splitWords(valueField.name).length > 1 &&
        splitWords(valueField.name).map(findStem).includes(nextStem),
    );
    if (namedOptions.length > 0) addLeaf(to + 1, joinTokenTexts(tokens, start, to), namedOptions);
  }
  return leaves;
};
