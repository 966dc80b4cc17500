// Text that holds dates or numbers in a way of its own: no warehouse reads them as such, so the draft says so.
import type { ColumnProfile } from '../../ports.ts';

const DATE =
  /^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./]\d{1,2}[./]\d{1,2}|[A-Z][a-z]{2,8}\.? \d{1,2},? \d{4}|\d{1,2}[. -]{1,2}[A-Z][a-z]{2,8}[ -]\d{2,4})(?: \d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?)?$/;
const NUMBER = /^[+-]?\d{1,3}(?:[.,]\d{3})*[.,]\d+$/;

/** All values that are known, or the two at the ends where there are many. */
export function looksWritten(profile: ColumnProfile | undefined): boolean {
  const known = (profile?.values ?? [profile?.min, profile?.max]).filter(
    (one) => typeof one === 'string' && one !== '',
  );
  return known.length > 0 && [DATE, NUMBER].some((pattern) => known.every((one) => pattern.test(one!.trim())));
}
