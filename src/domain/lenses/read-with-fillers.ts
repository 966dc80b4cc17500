// Reads a question with a lens. If filler words of the lens are the only obstacle, removes them and reads again.

import { readQuestion } from '../../reader/read-question.ts';
import type { PlannerInput, Reading } from '../../reader/reading.ts';
import { tokenise } from '../../reader/words/tokens.ts';

export function readWithFillers(input: PlannerInput): Reading {
  const reading = readQuestion(input);
  const fillers = new Set(input.lens.fillerWords?.map((word) => word.toLowerCase()));
  const left = reading.kind === 'refused' ? reading.words.filter((word) => fillers.has(word.toLowerCase())) : [];
  if (left.length === 0) return reading;
  const question = replaceWords(input.question, left);
  const rest = question === input.question ? reading : readWithFillers({ ...input, question });
  if (rest.kind === 'refused') return reading;
  return { ...rest, words: [...rest.words, ...left.map((text) => ({ text, as: 'filler' }))] };
}

/** Replaces these words in the question by `by`. Text in quotes doesn't change. */
export function replaceWords(question: string, words: readonly string[], by = ''): string {
  const struck = new Set(words.map((word) => word.toLowerCase()));
  const { text, list } = tokenise(question);
  return list
    .filter((token) => token.kind === 'word' && struck.has(token.text.toLowerCase()))
    .toReversed()
    .reduce((rest, { start, end }) => `${rest.slice(0, start)}${by}${rest.slice(end)}`, text)
    .replaceAll(/\s+/g, ' ')
    .trim();
}
