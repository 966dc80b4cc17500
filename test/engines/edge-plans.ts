// Plans over the edges of every type, beside what PostgreSQL says by hand. Floats are compared by their first digits,
// everything else by every digit.
import type { Plan } from '../plans/stage.ts';
import { caseRows } from '../support/case-rows.ts';

export interface EdgePlan {
  name: string;
  plan: Plan;
  sql: string;
}

export const EDGE_PLANS: readonly EdgePlan[] = caseRows(import.meta.dirname, 'edge-plans.jsonl');
