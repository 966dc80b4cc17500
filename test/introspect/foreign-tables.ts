// Eight tables from eight industries, with fields that add up and fields that never do.
import { caseRows } from '../support/case-rows.ts';

export interface ForeignTable {
  name: string;
  /** The column to group by. */
  by: string;
  ddl: string;
  /** Fields, each with the words that people use for it. */
  notSummed: Record<string, string>;
  summed: Record<string, string>;
}

export const FOREIGN_TABLES: ForeignTable[] = caseRows(import.meta.dirname, 'foreign-tables.jsonl');
