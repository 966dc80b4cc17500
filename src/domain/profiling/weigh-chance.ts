// Estimates whether a key contains all values of a column by accident. Small numbers occur in every key that counts
// from one, but strings and sparse numbers don't. A real reference to a key that counts from one usually also uses the
// key's higher values.
import type { ColumnProfile } from '../ports.ts';

/**
 * none: the match is not an accident. possible: the data doesn't show whether the match is an accident. likely: a real
 * reference would use more of the key's values.
 */
export type Coincidence = 'none' | 'possible' | 'likely';

const MAX_COINCIDENCE_CHANCE = 0.001;
const MIN_TEXTS = 5; // this many distinct strings don't match by accident
const MIN_ROWS = 20;
const MIN_RANGE_SHARE = 0.5; // the smallest share of the key's range that a plausible reference uses

export function estimateCoincidence(
  manyProfile: ColumnProfile | undefined,
  profile: ColumnProfile | undefined,
  values: readonly [checked: number, matched: number] | null,
): Coincidence {
  const [checkedCount = 0, matchedCount = 0] = values ?? [];
  if (!manyProfile || !profile || checkedCount === 0) return 'possible';
  const [maxValue, firstKey, lastKey] = [
    toWholeNumber(manyProfile.max),
    toWholeNumber(profile.min),
    toWholeNumber(profile.max),
  ];
  if (maxValue === null || firstKey === null || lastKey === null || lastKey < firstKey)
    return checkedCount >= MIN_TEXTS ? 'none' : 'possible';
  const filledRows = manyProfile.rows - manyProfile.nulls;
  const keyCount = profile.distinct ?? profile.rows;
  const density = Math.min(1, keyCount / Math.max(1, lastKey - firstKey + 1));
  if (density ** matchedCount < MAX_COINCIDENCE_CHANCE) return 'none';
  const reachedShare = (maxValue - firstKey) / Math.max(1, lastKey - firstKey);
  return filledRows >= MIN_ROWS && keyCount > MIN_TEXTS && reachedShare < MIN_RANGE_SHARE ? 'likely' : 'possible';
}
const toWholeNumber = (text: string | null): number | null =>
  text !== null && /^-?\d{1,15}$/.test(text) ? Number(text) : null;
