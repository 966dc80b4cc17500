// Estimates whether a key contains all values of a column by accident. Small numbers occur in every key that counts
// from one, but strings and sparse numbers don't. A real reference to such a key usually also uses the key's higher
// values.
import type { ColumnProfile } from '../ports.ts';

/** none: not an accident. possible: the data doesn't decide. likely: a real reference would use more of the key. */
export type Chance = 'none' | 'possible' | 'likely';

const MAX_CHANCE = 0.001;
const MIN_TEXTS = 5; // this many distinct strings don't match by accident
const MIN_ROWS = 20;
const MIN_REACH = 0.5; // share of the highest key; if all values of many rows are lower, they count something else

export function chanceOf(
  many: ColumnProfile | undefined,
  profile: ColumnProfile | undefined,
  values: readonly [checked: number, held: number] | null,
): Chance {
  const [checked = 0, matched = 0] = values ?? [];
  if (!many || !profile || checked === 0) return 'possible';
  const [high, first, last] = [wholeNumber(many.max), wholeNumber(profile.min), wholeNumber(profile.max)];
  if (high === null || first === null || last === null || last < first)
    return checked >= MIN_TEXTS ? 'none' : 'possible';
  const filled = many.rows - many.nulls;
  const kinds = profile.distinct ?? profile.rows;
  const density = Math.min(1, kinds / Math.max(1, last - first + 1));
  if (density ** matched < MAX_CHANCE) return 'none';
  const reached = (high - first) / Math.max(1, last - first);
  return filled >= MIN_ROWS && kinds > MIN_TEXTS && reached < MIN_REACH ? 'likely' : 'possible';
}
const wholeNumber = (text: string | null): number | null =>
  text !== null && /^-?\d{1,15}$/.test(text) ? Number(text) : null;
