// Finds the meaningful words of a question, so that svc can compare two questions. Omits polite words and pauses.
// Writes nouns in the singular, numbers by value, and dates in one format.

import { findStem } from './english/inflection.ts';
import { isFillerWord } from './words/filler-words.ts';
import { findMonth, MONTHS } from './words/time-expressions.ts';
import type { QuestionToken } from './words/token.ts';
import { tokenizeQuestion } from './words/tokens.ts';

export interface QuestionWord {
  norm: string;
  token: QuestionToken;
}

/** Punctuation around sentences. All other signs, such as "%", "€" or "/", have a meaning. */
const SENTENCE_PUNCTUATION_PATTERN = /^(?:[.,;:?!'"()¿¡…–—-]|'s)$/;
const isSentencePunctuation = (token: QuestionToken): boolean =>
  token.kind === 'punct' && SENTENCE_PUNCTUATION_PATTERN.test(token.norm);

/** Returns true for a word in capitals. For example, "US" is a name, but "us" is a polite word. */
const isUppercase = ({ text }: QuestionToken): boolean => text.length > 1 && text === text.toUpperCase();

const POLITE_PHRASE_PATTERN =
  /^(?:(?:i|we) would|i'd|we'd|i|we) (?:like|want|need|wish) to (?:see|know|have|get|find out)\b/;
/** Returns the number of tokens in an introduction such as "I would like to see …". */
const countPoliteTokens = (list: readonly QuestionToken[], index: number): number => {
  if (index > 0 && !isSentencePunctuation(list[index - 1]!)) return 0;
  const words = list.slice(index, index + 6).map(({ norm }) => norm);
  return POLITE_PHRASE_PATTERN.exec(words.join(' '))?.[0].split(' ').length ?? 0;
};

const isYearToken = (token: QuestionToken | undefined): boolean => /^(?:19|20)\d\d$/.test(token?.text ?? '');

const normalizeWord = (token: QuestionToken, index: number, list: readonly QuestionToken[]): string => {
  const [before, after] = [list[index - 1], list[index + 1]];
  // Converts "five" to 5 and "1,500" to 1500. Doesn't change "007", "1.10" and "$5", which can be codes or amounts.
  if (token.kind === 'number' && /^(?:[a-z].*|\d{1,3}(?:,\d{3})+)$/i.test(token.text)) return String(token.value);
  if (token.kind !== 'word') return token.norm;
  const offset = after?.norm === 'the' ? 2 : 1;
  const isDated = isYearToken(list[index + offset + (list[index + offset]?.norm === 'year' ? 1 : 0)]);
  if (token.norm === 'during' && isDated) return 'in';
  const leadToken = before?.norm === 'the' ? list[index - 2] : before;
  if (token.norm === 'year' && isYearToken(after) && /^(?:in|during|for|of)$/.test(leadToken?.norm ?? '')) return '';
  const month = isYearToken(after) ? findMonth(token.norm) : null;
  return month ? MONTHS[month - 1]! : findStem(token.norm);
};

export const findQuestionWords = (text: string): QuestionWord[] => {
  const { tokens: list } = tokenizeQuestion(text);
  const words: QuestionWord[] = [];
  const hasLowercase = list.some(({ kind, text }) => kind === 'word' && text !== text.toUpperCase());
  for (let index = 0; index < list.length; index++) {
    const token = list[index]!;
    const politeLength = countPoliteTokens(list, index);
    if (politeLength > 0) index += politeLength - 1;
    else if (
      !isSentencePunctuation(token) &&
      !(token.kind === 'word' && isFillerWord(token.norm) && !(hasLowercase && isUppercase(token)))
    ) {
      const norm = normalizeWord(token, index, list);
      if (norm) words.push({ norm, token });
    }
  }
  return words;
};
