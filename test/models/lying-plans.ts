// Plans over the shop that are right by their form and another question, each made of words that the question has.
import { caseRows } from '../support/case-rows.ts';

export const LYING_PLANS: readonly (readonly [question: string, plan: object])[] = caseRows(
  import.meta.dirname,
  'lying-plans.jsonl',
);
