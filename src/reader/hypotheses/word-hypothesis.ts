// A hypothesis about the meaning of a span of words.
import type { Term } from '../meaning/terms.ts';
import type { QuestionToken } from '../words/token.ts';

export interface WordHypothesis {
  from: number;
  to: number;
  cat: string;
  term: Term;
}
export const joinTokenTexts = (tokens: readonly QuestionToken[], from: number, to: number): string =>
  tokens
    .slice(from, to)
    .map((token) => token.text)
    .join(' ');
