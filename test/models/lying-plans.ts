// Valid plans over the shop that answer a different question, built from words of the question.
import { caseRows } from '../support/case-rows.ts';

export const LYING_PLANS: readonly (readonly [question: string, plan: object])[] = caseRows(
  import.meta.dirname,
  'lying-plans.jsonl',
);
