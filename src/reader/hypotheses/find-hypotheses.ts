// Finds all hypotheses about the words of a question: names, values, periods, numbers and function words. This module
// doesn't choose between hypotheses. A word that svc doesn't know has no hypothesis.

import { PAUSE_MARKS, POLITE_WORDS, STOP_WORDS } from '../english/words.ts';
import { createValue } from '../meaning/terms.ts';
import { splitWords } from '../words/phrase-key.ts';
import type { QuestionToken } from '../words/token.ts';
import { tokenizeQuestion } from '../words/tokens.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { findFunctionWordHypotheses } from './function-words.ts';
import { findNameHypotheses } from './names.ts';
import { findNumberHypotheses } from './numbers.ts';
import { findValueHypotheses } from './values.ts';
import { joinTokenTexts, type WordHypothesis } from './word-hypothesis.ts';

export interface QuestionHypotheses {
  tokens: readonly QuestionToken[];
  forms: ReadonlySet<string>[];
  emptyFlags: boolean[];
  leaves: WordHypothesis[];
}

export function findHypotheses(
  question: string,
  vocabulary: Vocabulary,
  context: { now: Date; timezone: string },
  constructionWords: ReadonlySet<string>,
): QuestionHypotheses {
  const { tokens, folded } = tokenizeQuestion(question);
  const leaves: WordHypothesis[] = [];
  for (const start of tokens.keys()) {
    leaves.push(
      ...findFunctionWordHypotheses(tokens, start, vocabulary),
      ...findNameHypotheses(tokens, start, vocabulary),
      ...findValueHypotheses(tokens, start, folded, vocabulary),
      ...findNumberHypotheses(tokens, start, context),
    );
  }
  // An unknown word can be a misspelled or missing value, as in "the Nort region" or "segment Hom Office".
  const isUnknown = tokens.map(
    ({ kind, norm, stem, capital }, position) =>
      position > 0 &&
      kind === 'word' &&
      capital &&
      !constructionWords.has(norm) &&
      !constructionWords.has(stem) &&
      !isFillerWord(norm) &&
      !leaves.some(({ from, to }) => from <= position && position < to),
  );
  for (let from = isUnknown.indexOf(true); from >= 0; ) {
    const end = isUnknown.indexOf(false, from);
    const to = end < 0 ? tokens.length : end;
    const text = joinTokenTexts(tokens, from, to);
    leaves.push({ from, to, cat: 'value', term: createValue(text, [{ text, options: [] }]) });
    from = isUnknown.indexOf(true, to);
  }
  return {
    tokens,
    forms: tokens.map(({ kind, norm }) => new Set(kind === 'quoted' || kind === 'number' ? [] : [norm])),
    emptyFlags: flagFillerWords(tokens, leaves),
    leaves: leaves.filter(
      (leaf) =>
        !(
          leaf.cat === 'value' &&
          leaves.some((name) => isExactName(name) && (isWithin(leaf, name) || isValueOfField(leaf, name)))
        ),
    ),
  };
}

/**
 * A name of a field excludes other hypotheses within it. For example, "credit limit" is the field with that name, not a
 * limit on a value "credit".
 */
const isExactName = ({ cat, term }: WordHypothesis): boolean =>
  cat === 'measure' || (term.t === 'field' && term.options.some(({ loose }) => loose === 0));
const isWithin = (part: WordHypothesis, outer: WordHypothesis): boolean =>
  outer.from <= part.from && part.to <= outer.to && outer.to - outer.from > part.to - part.from;

/**
 * A name of a field excludes a value before a shorter name. For example, "st cd" is the field with that name, not the
 * value "st" of another field whose name ends in "cd".
 */
const isValueOfField = ({ from, to, term }: WordHypothesis, name: WordHypothesis): boolean =>
  from === name.from && to === name.to && term.t === 'value' && splitWords(term.text).length < to - from;

const isFillerWord = (norm: string): boolean => STOP_WORDS.has(norm) || POLITE_WORDS.has(norm);
/** Returns for each word whether it is an empty word. A word that is a stored value isn't an empty word. */
const flagFillerWords = (tokens: readonly QuestionToken[], leaves: readonly WordHypothesis[]): boolean[] => {
  const openingIndex = tokens.findIndex(({ norm }) => !isFillerWord(norm) && !PAUSE_MARKS.has(norm));
  return tokens.map(({ kind, norm }, position) => {
    if (
      leaves.some(
        ({ cat, from, to }) => (cat === 'value' || cat === 'unclear') && from === position && to === position + 1,
      )
    )
      return false;
    return kind === 'word'
      ? STOP_WORDS.has(norm) || (POLITE_WORDS.has(norm) && (position < openingIndex || norm === 'please'))
      : PAUSE_MARKS.has(norm);
  });
};
