// The nearest plan to a question that has no reading: of a part of it that the grammar reads in one way.
import type { z } from 'zod';
import { plan as planShape } from '../../contract/plan.ts';
import { intentSentence } from '../../lens/intent-sentence.ts';
import { planOfIntent } from '../../lens/plan-of-intent.ts';
import { partialReadings } from '../decide/decide.ts';
import type { PlannerInput } from '../grammar/reading.ts';
import { compiled, type PlacedPlan } from './placed-plan.ts';

export type Plan = z.infer<typeof planShape>;
interface PartialPlan {
  plan: Plan;
  sentence: string;
  /** The words of the question that are this plan. */
  placed: string;
  left: string[];
}

export const partialPlan = (input: PlannerInput): PartialPlan | null => {
  for (const { intent, placed, left } of partialReadings(input)) {
    const written = planOfIntent(intent);
    const plan = written && planShape.parse(written);
    const again = plan && compiled(input.lens, plan, input.now);
    if (plan && again) return { plan, sentence: intentSentence(input.lens, again), placed, left };
  }
  return null;
};

const partsOf = (plan: object): number =>
  Object.values(plan).reduce((sum: number, one) => sum + (Array.isArray(one) ? one.length : 1), 0);
/** It measures all that the other does, and says more: what is told apart, restricted, put in order. */
export const saysMore = (plan: Plan, than: PlacedPlan): boolean =>
  (than.metrics ?? []).every((name) => plan.metrics?.includes(name)) && partsOf(plan) > partsOf(than);

/** What a plan of a part says of the rest. */
export const leavingOut = (sentence: string, left: readonly string[]): string =>
  left.length === 0
    ? sentence
    : `${sentence} This leaves out ${[...new Set(left)].map((one) => `"${one}"`).join(', ')}.`;
