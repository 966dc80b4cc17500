// Sample questions of a draft, in everyday words. They ask for rows by the smallest category, a measure by that
// category, and the number of rows.
import { toPlural } from '../../../lens/model/singular.ts';

export interface SampleSubject {
  thing: string;
  /** The field to group by, in words. Null if there is none. */
  category: string | null;
  measure: string | null;
}
const MAX_SAMPLES = 4;

export function writeSampleQuestions(tables: readonly SampleSubject[]): string[] {
  const groupQuestions = tables.flatMap(({ thing, category, measure }) =>
    category
      ? [
          `How many ${toPlural(thing)} are there by ${category}?`,
          ...(measure ? [`What is the average ${measure} of ${toPlural(thing)} by ${category}?`] : []),
        ]
      : [],
  );
  return [...groupQuestions, ...tables.map(({ thing }) => `How many ${toPlural(thing)} are there?`)].slice(
    0,
    MAX_SAMPLES,
  );
}
