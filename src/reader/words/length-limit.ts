// The longest question that svc reads. svc refuses a longer question, because reading blocks the event loop.
import { tokenizeQuestion } from './tokens.ts';

/** The limit on characters. */
export const MAX_QUESTION_LENGTH = 2000;
export const MAX_WORDS = 120;

export const TOO_LONG_MESSAGE = `Ask one question in plain words, at most ${MAX_QUESTION_LENGTH} characters and ${MAX_WORDS} words. Split a longer one.`;

/** True for a question that svc refuses to read. */
export const isTooLong = (question: string): boolean =>
  question.length > MAX_QUESTION_LENGTH || tokenizeQuestion(question).list.length > MAX_WORDS;
