// Pairs of statements over the workshop: a right one with its plan, and one with a common mistake. `wrong` describes
// the mistake.

import { caseRows } from '../support/case-rows.ts';
import type { Plan } from './stage.ts';

export interface Trap {
  name: string;
  kind:
    | 'double_count'
    | 'average_of_averages'
    | 'ratio'
    | 'missing_groups'
    | 'many_side_filter'
    | 'not_additive'
    | 'same_names'
    | 'nulls'
    | 'dates';
  plan: Plan;
  right: string;
  wrong: string;
}

export const TRAPS: readonly Trap[] = caseRows(import.meta.dirname, 'traps.jsonl');
