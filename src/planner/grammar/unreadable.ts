// There is no single reading: what could not be placed, or what to ask back.
import type { Clarification } from '../../contract/ask.ts';

/** Thrown inside an assembly: there is no single reading. */
export class Unreadable extends Error {
  readonly clarification: Clarification | null;
  readonly words: string[];
  constructor(clarification: Clarification | null, words: string[], message = 'unreadable') {
    super(message);
    this.clarification = clarification;
    this.words = words;
  }
}
