// "above 20 %" of what is kept as a share of 1, or in percent. Where the lens does not say which, no number is taken for
// another.
import { unitKey } from '../words/lexicon.ts';

const OF_ONE =
  /\b(?:from |between )?(?:0|zero)(?:\.0)? ?(?:to|and|-|–|\.\.) ?(?:1|one)(?:\.0)?\b(?!\.?\d)|\bfraction\b/i;

export const isPercent = (unit: string | null | undefined): boolean => Boolean(unit) && unitKey(unit!) === '%';

/** By what a number of the lens becomes a percentage; null where the lens does not say. */
export const keptAs = (unit: string | null, description: string | null): 1 | 100 | null => {
  if (unit !== null) return isPercent(unit) ? 1 : /^(?:ratio|fraction|share|proportion)$/i.test(unit) ? 100 : null;
  return OF_ONE.test(description ?? '') ? 100 : null;
};
