// Finds the stored values that a string matches. Case, white space and accents never matter. Hyphens and British or
// American spelling matter only if both forms are stored.
import { distance } from 'fastest-levenshtein';
import type { Dictionary } from '../../../lens/model/lens.ts';
import { toLooseSpelling } from '../../../reader/words/spelling.ts';

const MAX_OFFERED_VALUES = 50;

export const foldValue = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();

export function findSpellings(storedValues: readonly string[], text: string): string[] {
  const foldedText = foldValue(text);
  const matches = storedValues.filter((value) => foldValue(value) === foldedText);
  if (matches.length > 0) return matches;
  const spelling = toLooseSpelling(foldedText);
  return storedValues.filter((value) => toLooseSpelling(foldValue(value)) === spelling);
}

/** The values that match directly, otherwise those that match through a declared synonym. */
export function findMatchingValues({ values }: Dictionary, text: string): string[] {
  const spellings = findSpellings(
    values.map(({ value }) => value),
    text,
  );
  if (spellings.length > 0) return spellings;
  return values.filter(({ synonyms }) => findSpellings(synonyms, text).length > 0).map(({ value }) => value);
}

export function sortByDistance(values: readonly string[], text: string): string[] {
  const foldedText = foldValue(text);
  const number = Number(text);
  const distanceOf = (value: string): number =>
    Number.isFinite(number) && Number.isFinite(Number(value))
      ? Math.abs(Number(value) - number)
      : distance(foldValue(value), foldedText);
  return values
    .map((value) => ({ value, distance: distanceOf(value) }))
    .sort((a, b) => a.distance - b.distance || (a.value < b.value ? -1 : 1))
    .slice(0, MAX_OFFERED_VALUES)
    .map(({ value }) => value);
}
