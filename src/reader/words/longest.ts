// How long a question may be that is read: what is read is read at once, and others wait meanwhile.
import { tokenise } from './tokens.ts';

/** Signs. */
export const LONGEST = 2000;
export const MAX_WORDS = 120;

export const TOO_LONG = `Ask one question in plain words, at most ${LONGEST} characters and ${MAX_WORDS} words. Split a longer one.`;

/** A question that is refused before anything reads it. */
export const isTooLong = (question: string): boolean =>
  question.length > LONGEST || tokenise(question).list.length > MAX_WORDS;
