// Statements that equal a plan, and near ones that mean something else. `miss`: what a careless reader would take for the
// same. Dates are compared as texts, which every engine reads.
import { caseRows } from '../support/case-rows.ts';

export interface LiftCase {
  about: string;
  sql: string;
  /** Names of metrics that the plan must have. */
  metrics?: string[];
  miss?: string;
  /** The near one is a plan of its own, or none. */
  without?: 'mysql' | 'duckdb';
}
export const LIFTED: readonly LiftCase[] = caseRows(import.meta.dirname, 'lifted-statements.jsonl');
