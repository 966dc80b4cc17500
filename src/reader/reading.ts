// The result of reading a question: a plan, a clarification or a refusal. Reading does no I/O and doesn't use the
// system clock.
import type { Clarification } from '../contract/ask.ts';
import type { Lens } from '../lens/model/lens.ts';
import type { LensPlan } from '../plan/lens-plan.ts';

export interface WordUse {
  text: string;
  /** The meaning of the words: metric, dimension, value, time, comparison, filler, … */
  as: string;
}

export type Reading =
  | {
      kind: 'plan';
      plan: LensPlan;
      /** An entry for each word of the question. */
      words: WordUse[];
      sentence: string;
      /** The words whose meaning the caller gave in `choices`. */
      meant?: { term: string; meaning: string }[];
      /** The applied definitions, for citations. */
      definitions: { term: string; meaning: string | null }[];
      notes: string[];
      /**
       * The reason why the reading may be wrong: a limit from the conversation, or a date that the question doesn't
       * name.
       */
      doubt: string | null;
      /** The question, and the earlier questions that it continues. */
      asked: readonly string[];
    }
  | { kind: 'clarification'; clarification: Clarification; words: WordUse[] }
  | {
      kind: 'refused';
      /** Words that no reading explains. */
      words: string[];
      message: string;
      /** True if the message gives a reason instead of only these words. */
      isExplained: boolean;
    };

export interface PlannerInput {
  question: string;
  /** Earlier turns of the user, oldest first (chat). */
  context?: string[];
  lens: Lens;
  choices: Record<string, string>;
  now: Date;
  /**
   * True if the question has "only", "never", "all" or a similar word, even if `question` no longer contains such
   * words.
   */
  restricted?: boolean;
  /** True if the question has "not", "without" or a similar word. */
  negated?: boolean;
}
export type QuestionReader = (input: PlannerInput) => Reading;
