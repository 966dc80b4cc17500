// Converts numbers in conditions such as "above 20 %" on a field that stores fractions or percentages. Unless the lens
// declares which of the two the field stores, svc doesn't convert the number.
import { toUnitKey } from '../words/units.ts';

const FRACTION_DESCRIPTION_PATTERN =
  /\b(?:from |between )?(?:0|zero)(?:\.0)? ?(?:to|and|-|–|\.\.) ?(?:1|one)(?:\.0)?\b(?!\.?\d)|\bfraction\b/i;

export const isPercent = (unit: string | null | undefined): boolean => Boolean(unit) && toUnitKey(unit!) === '%';

/**
 * Returns the factor from a stored number to a percentage. Returns null if the lens doesn't declare whether the field
 * stores fractions or percentages.
 */
export const findPercentFactor = (unit: string | null, description: string | null): 1 | 100 | null => {
  if (unit !== null) return isPercent(unit) ? 1 : /^(?:ratio|fraction|share|proportion)$/i.test(unit) ? 100 : null;
  return FRACTION_DESCRIPTION_PATTERN.test(description ?? '') ? 100 : null;
};
