// Finds text columns that contain dates or numbers in a special format. Warehouses can't interpret these formats, so
// the draft reports the columns.
import type { ColumnProfile } from '../../ports.ts';

const FORMATTED_DATE =
  /^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./]\d{1,2}[./]\d{1,2}|[A-Z][a-z]{2,8}\.? \d{1,2},? \d{4}|\d{1,2}[. -]{1,2}[A-Z][a-z]{2,8}[ -]\d{2,4})(?: \d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?)?$/;
const FORMATTED_NUMBER = /^[+-]?\d{1,3}(?:[.,]\d{3})*[.,]\d+$/;

/** Checks all known values, or only the minimum and maximum if there are too many values. */
export function isFormattedText(profile: ColumnProfile | undefined): boolean {
  const sampleTexts = (profile?.values ?? [profile?.min, profile?.max]).filter(
    (value) => typeof value === 'string' && value !== '',
  );
  return (
    sampleTexts.length > 0 &&
    [FORMATTED_DATE, FORMATTED_NUMBER].some((pattern) => sampleTexts.every((item) => pattern.test(item!.trim())))
  );
}
