// Statements as they are written for a question, each beside the one that looks as good and counts otherwise.
// `check`: what must not pass of the wrong one.
import { caseRows } from '../support/case-rows.ts';

export interface Pair {
  about: string;
  right: string;
  wrong: string;
  check: 'no_fan_out' | 'joins_declared' | 'measures_additive' | 'values_known';
}

export const PAIRS: readonly Pair[] = caseRows(import.meta.dirname, 'statement-pairs.jsonl');
