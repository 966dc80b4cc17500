// What comes of a word: the part of the plan that says it, the plan with such a part, a question back, or nothing.
import type { Clarification } from '../../contract/ask.ts';
import type { Intent } from '../../lens/model/intent.ts';

export type Outcome = { says: string } | { intent: Intent } | { ask: Clarification } | null;
