// Sample questions of a draft, in a person's words: rows by the smallest category, a measure by it, and the number of
// rows.
import { plural } from '../../../lens/model/singular.ts';

export interface SampleSubject {
  thing: string;
  /** The field to group by, in words. Null if there is none. */
  category: string | null;
  measure: string | null;
}
const MAX_SAMPLES = 4;

export function sampleQuestions(tables: readonly SampleSubject[]): string[] {
  const grouped = tables.flatMap(({ thing, category, measure }) =>
    category
      ? [
          `How many ${plural(thing)} are there by ${category}?`,
          ...(measure ? [`What is the average ${measure} of ${plural(thing)} by ${category}?`] : []),
        ]
      : [],
  );
  return [...grouped, ...tables.map(({ thing }) => `How many ${plural(thing)} are there?`)].slice(0, MAX_SAMPLES);
}
