// Checks that every number in text from a model is in the rows or in the question's scope, or is the number
// of rows.
import type { JsonValue } from '../../../contract/ask.ts';
import { atOnce } from '../../../platform/schedule/in-turns.ts';
import type { FetchedRows } from '../../outcome.ts';
import { KnownNames } from '../known-names.ts';
import { plainNumber, spokenNumber, timesHundred } from '../number-format.ts';
import { periodNames, windowGrain } from '../period-names.ts';
import { holdsNumber, readNumbers } from './read-numbers.ts';

const ALL_NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}/;

/**
 * The numbers of the text that have no source. A number inside a text or date of the rows counts only if the
 * whole text or date appears; a rounded, scaled or spelled number doesn't count.
 */
export function ungroundedNumbers(prose: string, { rows, plan: { scope } }: FetchedRows): string[] {
  const grounded = new Set<string>([String(rows.length)]);
  const percentages = new Set<string>();
  const names = new KnownNames();
  const admit = (value: JsonValue) => {
    if (value === null || value === '') return;
    const text = String(value);
    if (ALL_NUMBER.test(text)) grounded.add(plainNumber(text)).add(plainNumber(String(spokenNumber(text))));
    else if (holdsNumber(text)) names.add(text);
    if (!ISO_DATE.test(text)) return;
    grounded.add(text.slice(0, 4));
    for (const length of [7, 10]) names.add(text.slice(0, length));
  };
  for (const row of rows)
    for (const value of Object.values(row)) {
      admit(value);
      if (value === null || !ALL_NUMBER.test(String(value))) continue;
      // A share of one can be written in percent.
      for (const share of [timesHundred(String(value)), spokenNumber(timesHundred(String(value)))])
        percentages.add(plainNumber(String(share)));
    }
  for (const filter of scope.filters) for (const value of filter.values) admit(value);
  if (scope.time) {
    for (const day of [scope.time.from, lastDay(scope.time.to)]) admit(day);
    const grain = windowGrain(scope.time);
    for (const name of grain === 'quarter' ? periodNames(scope.time.from, grain) : []) names.add(name);
  }
  return atOnce(readNumbers(prose, names))
    .filter(({ value, digits, percent, worded }) => {
      if (value === null || worded) return true;
      const plain = plainNumber(digits);
      return !grounded.has(plain) && !(percent && percentages.has(plain));
    })
    .map(({ text }) => text);
}

/** The window excludes its end. */
export const lastDay = (end: string): string => new Date(Date.parse(end) - 1).toISOString().slice(0, 10);
