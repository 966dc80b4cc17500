// The maximum length of a question. svc refuses a longer question, because the reader blocks the event loop.
import { tokenizeQuestion } from './tokens.ts';

/** The maximum number of characters. */
export const MAX_QUESTION_LENGTH = 2000;
export const MAX_WORDS = 120;

export const TOO_LONG_MESSAGE = `Ask one question in plain words, at most ${MAX_QUESTION_LENGTH} characters and ${MAX_WORDS} words. Split a longer question.`;

/** Matches a question that is short enough without counting its words, because each word has at least one character. */
const SHORT_QUESTION_PATTERN = new RegExp(`^[ -~]{0,${MAX_WORDS}}$`);

/** Returns true if svc refuses the question because of its length. */
export const isTooLong = (question: string): boolean =>
  !SHORT_QUESTION_PATTERN.test(question) &&
  (question.length > MAX_QUESTION_LENGTH || tokenizeQuestion(question).tokens.length > MAX_WORDS);

const MAX_TURNS = 20;
/**
 * Returns the latest turns, up to the maximum length of one question in total, because the reader blocks the event
 * loop.
 */
export const keepRecentTurns = (context: readonly string[]): string[] => {
  let remainingLength = MAX_QUESTION_LENGTH;
  let firstIndex = context.length;
  while (
    firstIndex > 0 &&
    context.length - firstIndex < MAX_TURNS &&
    context[firstIndex - 1]!.length <= remainingLength
  )
    remainingLength -= context[--firstIndex]!.length;
  return context.slice(firstIndex);
};
