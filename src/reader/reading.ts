// The reader's result for a question: a plan, a clarification or a refusal. Pure: no I/O and no clock of
// its own.
import type { Clarification } from '../contract/ask.ts';
import type { Lens } from '../lens/model/lens.ts';
import type { LensPlan } from '../plan/lens-plan.ts';

export interface WordUse {
  /** The words as asked. */
  text: string;
  /** What they were read as: metric, dimension, value, time, comparison, filler, … */
  as: string;
}

export type Reading =
  | {
      kind: 'plan';
      plan: LensPlan;
      /** Each word of the question, accounted for. */
      words: WordUse[];
      /** The reading in one sentence. */
      sentence: string;
      /** The applied definitions, for citations. */
      definitions: { term: string; meaning: string | null }[];
      notes: string[];
      /** Why the reading may be wrong: limits of a conversation, or a date that the question doesn't name. */
      doubt: string | null;
      /** The question, and the earlier ones that it continues. */
      asked: readonly string[];
    }
  | { kind: 'clarification'; clarification: Clarification; words: WordUse[] }
  | {
      kind: 'refused';
      /** Words that no reading accounts for. */
      words: string[];
      message: string;
      /** The message says more than which words these are. */
      explained: boolean;
    };

export interface PlannerInput {
  question: string;
  /** Earlier user turns, oldest first (chat). */
  context?: string[];
  lens: Lens;
  choices: Record<string, string>;
  now: Date;
  /** The question has "only", "never", "all" or similar, even if such words were removed from `question`. */
  restricted?: boolean;
  /** The question has "not", "without" or similar. */
  negated?: boolean;
}
export type ReadQuestion = (input: PlannerInput) => Reading;
