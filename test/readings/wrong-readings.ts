// Questions that invite misinterpretation, with reference SQL: dates without a name, over joins or among several;
// levels that don't add up; ranks, averages and comparisons above the grain of the rows; two periods; ties; rows that a
// policy hides. Without `gold`, no reading may be graded verified.
import { caseRows } from '../support/case-rows.ts';

export type LensName = 'trade' | 'grid' | 'plans' | 'drafted' | 'resort' | 'curated' | 'counter';
export interface WrongReading {
  lens: LensName;
  q: string;
  /** SQL of each interpretation that may be graded verified. */
  gold: string[];
  /** The reference SQL for each option of the clarification. */
  settled?: Record<string, string>;
  /** The caller sees only the rows of this region. */
  region?: string;
}

export const wrongReadings = (): WrongReading[] => caseRows(import.meta.dirname, 'wrong-readings.jsonl');
