// Statements that are equivalent to a plan, and similar statements with another meaning. `miss`: the name of the
// equivalent statement that a similar statement resembles. Dates are compared as text, which every engine reads.
import { caseRows } from '../support/case-rows.ts';

export interface LiftCase {
  about: string;
  sql: string;
  /** Names of metrics that the plan must have. */
  metrics?: string[];
  miss?: string;
  /** The engine that doesn't support this statement. */
  without?: 'mysql' | 'duckdb';
}
export const LIFTED: readonly LiftCase[] = caseRows(import.meta.dirname, 'lifted-statements.jsonl');
