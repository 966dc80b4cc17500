// Statements as people write them, and the plan that each equals; near ones that look so and mean something else.

import { caseRows } from '../support/case-rows.ts';
import type { PlanInput } from './stage.ts';

export interface Everyday {
  about: string;
  sql: string;
  plan: PlanInput;
}
export interface NearMiss {
  about: string;
  sql: string;
  /** What a careless reader would take it for: another statement, whose rows are others. */
  looksLike: string;
}

const rowsOf = <Row>(heading: string) => caseRows<Row>(import.meta.dirname, 'everyday-statements.jsonl', heading);
export const EVERYDAY: readonly Everyday[] = rowsOf('equal to a plan');
export const NEAR_MISSES: readonly NearMiss[] = rowsOf('near misses');
