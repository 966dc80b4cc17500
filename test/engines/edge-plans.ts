// Plans over edge cases of every type, with the expected result from PostgreSQL. Floats are compared by their first
// digits, other values by every digit.
import type { Plan } from '../plans/stage.ts';
import { caseRows } from '../support/case-rows.ts';

export interface EdgePlan {
  name: string;
  plan: Plan;
  sql: string;
}

export const EDGE_PLANS: readonly EdgePlan[] = caseRows(import.meta.dirname, 'edge-plans.jsonl');
