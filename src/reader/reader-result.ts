// The result of interpreting a question: a plan, a clarification or a refusal. The reader does no I/O and doesn't use
// the system clock.
import type { Clarification } from '../contract/ask.ts';
import type { Lens } from '../lens/model/lens.ts';
import type { LensPlan } from '../plan/lens-plan.ts';

export interface WordUse {
  text: string;
  /** The kind of meaning: metric, dimension, value, time, comparison, filler, … */
  as: string;
}

export type ReaderResult =
  | {
      kind: 'plan';
      plan: LensPlan;
      /** An entry for each word of the question. */
      words: WordUse[];
      sentence: string;
      /** The words whose meaning the caller stated in `choices`. */
      meant?: { term: string; meaning: string }[];
      /** The applied definitions, for citations. */
      definitions: { term: string; meaning: string | null }[];
      notes: string[];
      /**
       * The reason why the interpretation may be wrong, or null. An example is a date that the question doesn't name.
       */
      doubt: string | null;
      /** The earlier questions that the question continues, followed by the question itself. */
      asked: readonly string[];
    }
  | { kind: 'clarification'; clarification: Clarification; words: WordUse[] }
  | {
      kind: 'refused';
      /** Words that no interpretation explains. */
      words: string[];
      message: string;
      /** True if the message gives a reason and not only these words. */
      isExplained: boolean;
    };

export interface ReaderInput {
  question: string;
  /** Earlier questions of the conversation, oldest first (chat). */
  context?: string[];
  lens: Lens;
  choices: Record<string, string>;
  now: Date;
  /**
   * True if the original question contained "only", "never", "all" or a similar word. svc may have removed such words
   * from `question`.
   */
  restricted?: boolean;
  /** True if the original question contained "not", "without" or a similar word. */
  negated?: boolean;
}
export type QuestionReader = (input: ReaderInput) => ReaderResult;
