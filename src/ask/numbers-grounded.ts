// Every number in model-written prose must be a number of the rows, of the question's own scope, or the count of rows.
import type { JsonValue } from '../contract/ask.ts';
import { significantDigits } from './fetch-rows.ts';
import type { FetchedRows } from './outcome.ts';

const NUMBER = /(?<![\w.-])-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?|\d+(?:\.\d+)?/gi;
// Spelled out or scaled, a number cannot be held against a cell.
const SPELLED =
  /\b(?:\d+(?:\.\d+)?\s?(?:k|m|bn|million|billion|thousand|hundred|dozen)|(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|half|twice|double|triple|third|quarter))\b/gi;

/** The numbers in the prose that nothing accounts for; empty when it is grounded. */
export function ungroundedNumbers(prose: string, fetched: FetchedRows): string[] {
  const grounded = new Set<string>();
  const cells: string[] = [];
  const admit = (value: JsonValue) => {
    if (value === null) return;
    cells.push(String(value).toLowerCase());
    for (const found of String(value).match(NUMBER) ?? []) grounded.add(plain(found));
  };
  for (const row of fetched.rows) for (const value of Object.values(row)) admit(value);
  admit(fetched.rows.length);
  for (const filter of fetched.plan.scope.filters) for (const value of filter.values) admit(value);
  const { time } = fetched.plan.scope;
  if (time)
    for (const bound of [time.from, time.to]) for (const part of bound.match(/\d+/g) ?? []) grounded.add(plain(part));
  const spelled = (prose.match(SPELLED) ?? []).filter(
    (word) => !cells.some((cell) => cell.includes(word.toLowerCase())),
  );
  return [...(prose.match(NUMBER) ?? []).filter((text) => !grounded.has(plain(text))), ...spelled];
}

/** "187,480.180" and "187480.18" are one number; rounding or dropping the sign makes another. */
function plain(text: string): string {
  const bare = text.replaceAll(',', '');
  if (significantDigits(bare) > 15) return bare.includes('.') ? bare.replace(/\.?0+$/, '') : bare;
  return String(Number(bare));
}
