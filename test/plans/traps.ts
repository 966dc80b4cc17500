// Pairs of a right statement and the wrong one that is easily written instead, over the workshop, with the plan of the right
// one. `wrong` names what is wrong with it, for whoever judges statements.

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
