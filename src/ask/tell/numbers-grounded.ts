// Every number in model-written prose must be a number of the rows, of the question's own scope, or the count of rows.
import type { JsonValue, Scope } from '../../contract/ask.ts';
import type { FetchedRows } from '../outcome.ts';
import { significantDigits } from '../run/fetch-rows.ts';
import { spokenNumber, timesHundred } from './number-format.ts';

const NUMBER = /(?<![\w.-])-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?|\d+(?:\.\d+)?/gi;
// Spelled out, scaled or in the digits of another script, a number cannot be held against a cell.
const SPELLED =
  /\b(?:\d+(?:\.\d+)?\s?(?:k|m|bn|million|billion|thousand|hundred|dozen)|(?:zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|dozens?|half|twice|double|triple|third|quarter))\b/gi;

const ALL_NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}/;
const FOREIGN = /[^\P{N}0-9]+/gu;

/** The numbers in the prose that nothing accounts for; empty when it is grounded. A number inside a text or a date of
 *  the rows is grounded only where that text or date stands whole. */
export function ungroundedNumbers(prose: string, fetched: FetchedRows): string[] {
  return numbersApart(prose, fetched.rows, fetched.plan.scope);
}

export function numbersApart(
  prose: string,
  rows: readonly Record<string, JsonValue>[],
  scope: Pick<Scope, 'filters' | 'time'>,
): string[] {
  const grounded = new Set<string>([String(rows.length)]);
  const percentages = new Set<string>();
  const texts = new Set<string>();
  const admit = (value: JsonValue) => {
    if (value === null || value === '') return;
    const text = String(value);
    if (ALL_NUMBER.test(text)) grounded.add(plainNumber(text)).add(plainNumber(String(spokenNumber(text))));
    else if (/\d/.test(text) || text.match(SPELLED)) texts.add(text.toLowerCase());
    if (ISO_DATE.test(text)) {
      grounded.add(text.slice(0, 4));
      texts.add(text.slice(0, 10)).add(text.slice(0, 7));
    }
  };
  for (const row of rows)
    for (const value of Object.values(row)) {
      admit(value);
      if (value === null || !ALL_NUMBER.test(String(value))) continue;
      // A share of one is said in percent.
      for (const share of [timesHundred(String(value)), spokenNumber(timesHundred(String(value)))])
        percentages.add(plainNumber(String(share)));
    }
  for (const filter of scope.filters) for (const value of filter.values) admit(value);
  const { time } = scope;
  if (time) for (const day of [time.from, lastDay(time.to)]) admit(day);
  let rest = prose.toLowerCase();
  for (const text of [...texts].sort((one, other) => other.length - one.length))
    if (rest.includes(text)) rest = rest.replaceAll(text, ' · ');
  rest = rest.replace(/(-?\d[\d,]*(?:\.\d+)?) ?%/g, (all, number) =>
    percentages.has(plainNumber(number)) ? ' ' : all,
  );
  const spelled = [...(rest.match(SPELLED) ?? []), ...(rest.match(FOREIGN) ?? [])];
  return [...(rest.match(NUMBER) ?? []).filter((text) => !grounded.has(plainNumber(text))), ...spelled];
}

/** The window is half-open: the day that it ends before is not in it. */
const lastDay = (end: string): string => new Date(Date.parse(end) - 1).toISOString().slice(0, 10);

/** "187,480.180" and "187480.18" are one number; rounding or dropping the sign makes another. */
export function plainNumber(text: string): string {
  const bare = text.replaceAll(',', '');
  if (significantDigits(bare) > 15) return bare.includes('.') ? bare.replace(/\.?0+$/, '') : bare;
  return String(Number(bare));
}
