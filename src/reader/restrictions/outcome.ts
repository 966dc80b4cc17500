// The result for a word: the part of the plan that expresses it, a plan with such a part, a clarification, or
// nothing.
import type { Clarification } from '../../contract/ask.ts';
import type { LensPlan } from '../../plan/lens-plan.ts';

export type Outcome = { says: string } | { plan: LensPlan } | { ask: Clarification } | null;
