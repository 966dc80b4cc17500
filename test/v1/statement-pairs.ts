// Pairs of a right statement for a question and a similar wrong one. `check`: the check that detects the wrong
// statement.
import { caseRows } from '../support/case-rows.ts';

export interface Pair {
  about: string;
  right: string;
  wrong: string;
  check: 'no_fan_out' | 'joins_declared' | 'measures_additive' | 'values_known';
}

export const PAIRS: readonly Pair[] = caseRows(import.meta.dirname, 'statement-pairs.jsonl');
