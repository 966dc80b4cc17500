// Which stored values a text means. Case, white space and accents never tell values apart; what joins words and which
// English they are written in does so only where both are stored.
import { distance } from 'fastest-levenshtein';
import type { Dictionary } from '../../../lens/model/lens.ts';
import { looselySpelled } from '../../../reader/words/spelling.ts';

const OFFERED = 50; // contract: at most 50 options

export const foldValue = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();

/** The stored spellings of it; empty: none. */
export function spellingsIn(stored: readonly string[], wanted: string): string[] {
  const folded = foldValue(wanted);
  const same = stored.filter((value) => foldValue(value) === folded);
  if (same.length > 0) return same;
  const loose = looselySpelled(folded);
  return stored.filter((value) => looselySpelled(foldValue(value)) === loose);
}

/** The values that it names by themselves, else by a declared synonym. */
export function namedIn({ values }: Dictionary, wanted: string): string[] {
  const own = spellingsIn(
    values.map(({ value }) => value),
    wanted,
  );
  if (own.length > 0) return own;
  return values.filter(({ synonyms }) => spellingsIn(synonyms, wanted).length > 0).map(({ value }) => value);
}

export function nearestFirst(values: readonly string[], wanted: string): string[] {
  const folded = foldValue(wanted);
  const number = Number(wanted);
  const away = (value: string): number =>
    Number.isFinite(number) && Number.isFinite(Number(value))
      ? Math.abs(Number(value) - number)
      : distance(foldValue(value), folded);
  return values
    .map((value) => ({ value, away: away(value) }))
    .sort((a, b) => a.away - b.away || (a.value < b.value ? -1 : 1))
    .slice(0, OFFERED)
    .map(({ value }) => value);
}
