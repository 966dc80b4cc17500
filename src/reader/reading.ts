// What the planner makes of a question: an intent, a question back, or an honest no. Pure: no I/O, no clock of its own.
import type { Clarification } from '../contract/ask.ts';
import type { Intent } from '../lens/model/intent.ts';
import type { Lens } from '../lens/model/lens.ts';

export interface WordUse {
  /** The words as asked. */
  text: string;
  /** What they were taken for: metric, dimension, value, time, comparison, filler, … */
  as: string;
  /** The lens name they resolved to, when they did. */
  name?: string;
}

/** The question and those before it that it carries on, with what was answered to questions back. */
export interface AskedWords {
  texts: readonly string[];
  choices: Readonly<Record<string, string>>;
}

export type Reading =
  | {
      kind: 'intent';
      intent: Intent;
      /** Each word of the question, accounted for. */
      words: WordUse[];
      /** The reading in one sentence. */
      sentence: string;
      /** Definitions and synonyms that were applied, for citations and warnings ("Nord was read as North by synonym"). */
      used: { kind: 'definition' | 'metric' | 'field' | 'value'; name: string; text: string | null }[];
      notes: string[];
      /** Why it may not mean what was asked: limits of a conversation, a date that nobody named. */
      doubt: string | null;
      /** Filter values to be proven before the answer may be served, when the dictionary cannot prove them. */
      unproven: { path: string; field: string; value: string }[];
      asked: AskedWords;
    }
  | { kind: 'clarification'; clarification: Clarification; words: WordUse[] }
  | {
      kind: 'refused';
      /** Words nothing accounts for. */
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
  /** The question says "only", "never", "all" or their like, also where such words were taken out of `question`. */
  restricted?: boolean;
  /** The question says "not", "without" or their like. */
  negated?: boolean;
}
export type ReadQuestion = (input: PlannerInput) => Reading;
