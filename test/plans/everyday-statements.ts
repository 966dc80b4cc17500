// Statements as people write them, each with its equivalent plan, and similar statements with another meaning.

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
  /** A similar statement that returns other rows. */
  looksLike: string;
}

const rowsOf = <Row>(heading: string) => caseRows<Row>(import.meta.dirname, 'everyday-statements.jsonl', heading);
export const EVERYDAY: readonly Everyday[] = rowsOf('equal to a plan');
export const NEAR_MISSES: readonly NearMiss[] = rowsOf('near misses');
