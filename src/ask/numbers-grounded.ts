// Every number in model-written prose must be a number of the rows, of the question's own scope, or the count of rows.
import type { JsonValue } from '../contract/ask.ts';
import { significantDigits } from './fetch-rows.ts';
import type { FetchedRows } from './outcome.ts';

const NUMBER = /(?<![\w.-])-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?|\d+(?:\.\d+)?/gi;
// Spelled out, scaled or in the digits of another script, a number cannot be held against a cell.
const SPELLED =
  /\b(?:\d+(?:\.\d+)?\s?(?:k|m|bn|million|billion|thousand|hundred|dozen)|(?:zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|dozens?|half|twice|double|triple|third|quarter))\b/gi;

const FOREIGN = /[^\P{N}0-9]+/gu;

/** The numbers in the prose that nothing accounts for; empty when it is grounded. */
export function ungroundedNumbers(prose: string, fetched: FetchedRows): string[] {
  const grounded = new Set<string>();
  const cells: string[] = [];
  const admit = (value: JsonValue) => {
    if (value === null) return;
    cells.push(String(value).toLowerCase());
    for (const found of String(value).match(NUMBER) ?? []) grounded.add(plainNumber(found));
  };
  for (const row of fetched.rows) for (const value of Object.values(row)) admit(value);
  admit(fetched.rows.length);
  for (const filter of fetched.plan.scope.filters) for (const value of filter.values) admit(value);
  const { time } = fetched.plan.scope;
  if (time)
    for (const day of [time.from, lastDay(time.to)])
      for (const part of day.match(/\d+/g) ?? []) grounded.add(plainNumber(part));
  const spelled = [...(prose.match(SPELLED) ?? []), ...(prose.match(FOREIGN) ?? [])].filter(
    (word) => !cells.some((cell) => cell.includes(word.toLowerCase())),
  );
  return [...(prose.match(NUMBER) ?? []).filter((text) => !grounded.has(plainNumber(text))), ...spelled];
}

/** The window is half-open: the day that it ends before is not in it. */
const lastDay = (end: string): string => new Date(Date.parse(end) - 1).toISOString().slice(0, 10);

/** "187,480.180" and "187480.18" are one number; rounding or dropping the sign makes another. */
export function plainNumber(text: string): string {
  const bare = text.replaceAll(',', '');
  if (significantDigits(bare) > 15) return bare.includes('.') ? bare.replace(/\.?0+$/, '') : bare;
  return String(Number(bare));
}
