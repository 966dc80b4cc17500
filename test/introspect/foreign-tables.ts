// Eight tables of eight trades, as foreign as they come: what in them adds up, and what never does. Written before anybody
// looked at what a draft makes of them.
import { caseRows } from '../support/case-rows.ts';

export interface ForeignTable {
  name: string;
  /** What an answer is split by. */
  by: string;
  ddl: string;
  /** Fields, each with the words by which people ask for it. */
  notSummed: Record<string, string>;
  summed: Record<string, string>;
}

export const FOREIGN_TABLES: ForeignTable[] = caseRows(import.meta.dirname, 'foreign-tables.jsonl');
