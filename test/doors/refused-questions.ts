// What a business person or an agent asks and doesn't get at once: misspelled, named otherwise, not there, or not said
// exactly enough. Written before the doors were tried with it.
import { caseRows } from '../support/case-rows.ts';

export interface RefusedQuestion {
  lens: 'superstore' | 'flights' | 'billing';
  q: string;
  /** What can't be placed; nothing else may be named. Absent: it may well be answered. */
  unplaced?: string[];
  /** The nearest thing for a word; one of them has to be offered where it isn't answered. */
  near?: Record<string, string[]>;
  /** What is proposed: all else. Null: what is left would be another question. */
  plan?: object | null;
  /** It is asked back. */
  asks?: boolean;
  /** It has one meaning here, and an answer. */
  answered?: boolean;
}

export const refusedQuestions: RefusedQuestion[] = caseRows(import.meta.dirname, 'refused-questions.jsonl');
