// Caches the interpretation of a question for each lens, wording and day. The question reader gets the start of the
// current day in the lens's time zone, so an interpretation can't depend on the time of day.
import { DateTime } from 'luxon';
import { readWithoutFillerWords } from '../../domain/lenses/read-without-filler-words.ts';
import type { Lens } from '../../lens/model/lens.ts';
import { memoize } from '../../platform/memoize.ts';
import type { ReaderInput, ReaderResult } from '../../reader/reader-result.ts';

const MAX_CACHED_READINGS = 200; // cached interpretations for each lens
const getReadingCache = memoize<Lens, ReaderResult>(MAX_CACHED_READINGS);

interface CurrentDay {
  start: Date;
  end: Date;
}
/**
 * Caches the current day of each time zone, because computing it with luxon takes longer than finding a cached
 * interpretation.
 */
const currentDays = new Map<string, CurrentDay>();

function findStartOfDay(now: Date, zone: string): Date {
  const currentDay = currentDays.get(zone);
  if (currentDay && currentDay.start <= now && now < currentDay.end) return currentDay.start;
  const day = DateTime.fromJSDate(now, { zone }).startOf('day');
  const start = day.toJSDate();
  currentDays.set(zone, { start, end: day.plus({ days: 1 }).startOf('day').toJSDate() });
  return start;
}

export function readWithCache({ question, lens, choices, context = [], now }: ReaderInput): ReaderResult {
  const today = findStartOfDay(now, lens.timezone);
  const key = JSON.stringify([today.getTime(), question, context, Object.entries(choices).sort()]);
  return getReadingCache(lens, key, () => readWithoutFillerWords({ question, lens, choices, context, now: today }));
}
