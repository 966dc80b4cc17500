// If filler words of the lens are the only obstacle, removes them and reads the question again.

import { readQuestion } from '../../reader/read-question.ts';
import type { ReaderInput, ReaderResult } from '../../reader/reader-result.ts';
import { tokenizeQuestion } from '../../reader/words/tokens.ts';

export function readWithoutFillerWords(input: ReaderInput): ReaderResult {
  const reading = readQuestion(input);
  const fillers = new Set(input.lens.fillerWords?.map((word) => word.toLowerCase()));
  const unreadFillers =
    reading.kind === 'refused' ? reading.words.filter((word) => fillers.has(word.toLowerCase())) : [];
  if (unreadFillers.length === 0) return reading;
  const question = replaceWords(input.question, unreadFillers);
  const shorterReading = question === input.question ? reading : readWithoutFillerWords({ ...input, question });
  if (shorterReading.kind === 'refused') return reading;
  return {
    ...shorterReading,
    words: [...shorterReading.words, ...unreadFillers.map((text) => ({ text, as: 'filler' }))],
  };
}

/** Leaves text in quotes unchanged. */
export function replaceWords(question: string, words: readonly string[], replacement = ''): string {
  const replacedWords = new Set(words.map((word) => word.toLowerCase()));
  const { text, tokens: list } = tokenizeQuestion(question);
  return list
    .filter((token) => token.kind === 'word' && replacedWords.has(token.text.toLowerCase()))
    .toReversed()
    .reduce((remaining, { start, end }) => `${remaining.slice(0, start)}${replacement}${remaining.slice(end)}`, text)
    .replaceAll(/\s+/g, ' ')
    .trim();
}
