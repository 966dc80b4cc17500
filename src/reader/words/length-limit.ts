// The longest question that svc reads. svc refuses a longer question, because reading blocks the event loop.
import { tokenizeQuestion } from './tokens.ts';

/** The limit on characters. */
export const MAX_QUESTION_LENGTH = 2000;
export const MAX_WORDS = 120;

export const TOO_LONG_MESSAGE = `Ask one question in plain words, at most ${MAX_QUESTION_LENGTH} characters and ${MAX_WORDS} words. Split a longer question.`;

/** Each word has at least one character, so svc doesn't need to count the words of such a question. */
const SHORT_QUESTION_PATTERN = new RegExp(`^[ -~]{0,${MAX_WORDS}}$`);

/** Returns true if svc refuses to read the question. */
export const isTooLong = (question: string): boolean =>
  !SHORT_QUESTION_PATTERN.test(question) &&
  (question.length > MAX_QUESTION_LENGTH || tokenizeQuestion(question).tokens.length > MAX_WORDS);

const MAX_TURNS = 20;
/** The latest turns, up to the maximum length of one question in total, because reading blocks the event loop. */
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
