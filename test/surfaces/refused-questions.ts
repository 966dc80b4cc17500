// Questions of people and agents that svc can't answer directly: misspelled, with other names, about missing data, or
// vague.
import { caseRows } from '../support/case-rows.ts';

export interface RefusedQuestion {
  lens: 'superstore' | 'flights' | 'billing';
  q: string;
  /** The unknown words that the refusal names, and no others. If this member is absent, svc may answer. */
  unplaced?: string[];
  /** Names close to an unknown word. If svc doesn't answer, it must offer one of these names. */
  near?: Record<string, string[]>;
  /** The proposed plan. Null if the rest would be a different question. */
  plan?: object | null;
  /** True if svc asks for clarification, or the first option of the clarification. */
  asks?: true | string;
  /** True if svc answers, because the question has one meaning in this lens. */
  answered?: boolean;
}

export const refusedQuestions: RefusedQuestion[] = caseRows(import.meta.dirname, 'refused-questions.jsonl');
