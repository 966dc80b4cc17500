// Questions that invite a wrong reading, with SQL by hand: dates that nobody named, over joins and among several; levels
// that are not added up; ranks, averages and comparisons of what is coarser than its rows; two periods at once; ties; rows
// that a policy hides. No gold: no reading is certain enough to be graded verified.
import { caseRows } from '../support/case-rows.ts';

export type LensName = 'trade' | 'grid' | 'plans' | 'drafted' | 'resort' | 'curated';
export interface WrongReading {
  lens: LensName;
  q: string;
  /** Each a reading that may be graded verified. */
  gold: string[];
  /** What each option of the question asked back comes to. */
  settled?: Record<string, string>;
  /** Asked by someone who sees the rows of one region. */
  region?: string;
}

export const wrongReadings = (): WrongReading[] => caseRows(import.meta.dirname, 'wrong-readings.jsonl');
