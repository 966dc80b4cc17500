// Converts the dates and times in a plan to the form in which their field stores them.
import { DateTime } from 'luxon';
import type { Datatype } from '../../contract/warehouse.ts';
import type { Grain } from '../../lens/model/lens.ts';
import { Problem } from '../../platform/problem.ts';

const UTC_ZONE = { zone: 'utc' };
const SECONDS_FORMAT = 'yyyy-MM-dd HH:mm:ss';
const MIDNIGHT_PATTERN = /^\d{4}-\d{2}-\d{2}(T00:00(:00(\.0+)?)?)?$/;

interface ValueRange {
  from: string;
  /** The exclusive end. Null if `from` is a single value of the field and not the start of a period. */
  to: string | null;
}

export function parseValueRange(text: string, grain: Grain | null, datatype: Datatype): ValueRange {
  const wholeDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  if (!grain && !wholeDay) {
    if (!DateTime.fromISO(text.replace(' ', 'T')).isValid || !/^\d{4}-\d{2}-\d{2}[T ]/.test(text))
      throw createInvalidDateProblem(text);
    return { from: text, to: null };
  }
  if (!grain && datatype === 'date') {
    if (!DateTime.fromISO(text).isValid) throw createInvalidDateProblem(text);
    return { from: text, to: null };
  }
  const unit = grain ?? 'day';
  const quarter = /^(\d{4})-?Q([1-4])$/i.exec(text);
  const start = quarter
    ? DateTime.utc(Number(quarter[1]), Number(quarter[2]) * 3 - 2)
    : DateTime.fromISO(text, UTC_ZONE);
  if (!start.isValid) throw createInvalidDateProblem(text);
  const from = start.startOf(unit);
  return { from: from.toISODate()!, to: from.plus({ [unit]: 1 }).toISODate()! };
}
const createInvalidDateProblem = (text: string): Problem =>
  new Problem(
    'invalid',
    `"${text.slice(0, 40)}" is not a date. Write 2016-01-31, 2016-01-31T12:30:00, today or yesterday.`,
  );

const hasOffset = (text: string): boolean => /[T ].*(?:Z|[+-]\d{2}(?::?\d{2})?)$/i.test(text);
/** The decimal point and the digits after it. Luxon keeps only milliseconds. */
const getFraction = (text: string): string => /\.\d+/.exec(text)?.[0] ?? '';

/** Converts a time to the form that the field stores: a date, a local time, or an instant in UTC. */
export function toStoredTime(time: string, datatype: Datatype, zone: string): [string, Datatype] {
  const text = time.replace(' ', 'T');
  if (datatype === 'datetimetz') {
    const seconds = readInstant(text, zone).toUTC().toFormat(SECONDS_FORMAT);
    return [`${seconds}${getFraction(text)}+00`, 'datetimetz'];
  }
  const localText = hasOffset(text) ? toLocalText(text, zone) : text;
  if (datatype === 'date' && MIDNIGHT_PATTERN.test(localText)) return [localText.slice(0, 10), 'date'];
  return [localText.length === 10 ? `${localText} 00:00:00` : localText.replace('T', ' '), 'datetime'];
}

/** A day starts at its first instant, even if the clocks change at midnight. */
function readInstant(text: string, zone: string): DateTime {
  const instant = DateTime.fromISO(text, { zone });
  if (!instant.isValid) throw createInvalidDateProblem(text);
  if (hasOffset(text)) return instant;
  const [first, second] = instant.getPossibleOffsets().sort((a, b) => a.toMillis() - b.toMillis());
  if (MIDNIGHT_PATTERN.test(text)) return first!;
  if (second)
    throw new Problem(
      'invalid',
      `In ${zone}, ${text} occurs twice, because the clocks go back. Add the offset from UTC: ${text}${first!.toFormat('ZZ')} or ${text}${second.toFormat('ZZ')}.`,
    );
  const clock = "yyyy-MM-dd'T'HH:mm:ss";
  const written = DateTime.fromISO(text, UTC_ZONE).toFormat(clock);
  if (instant.toFormat(clock) !== written)
    throw new Problem(
      'invalid',
      `In ${zone}, the clocks go forward and skip ${text}. Write another time, such as ${instant.toFormat(clock)}.`,
    );
  return instant;
}

function toLocalText(text: string, zone: string): string {
  const local = DateTime.fromISO(text, { zone });
  if (local.getPossibleOffsets().length > 1)
    throw new Problem(
      'invalid',
      `The field has no time zone, and the local time of ${text} occurs twice in ${zone}, because the clocks go back. Write a local time without an offset.`,
    );
  return `${local.toFormat("yyyy-MM-dd'T'HH:mm:ss")}${getFraction(text)}`;
}

/** Compares two times. If neither has an offset, both are on the same clock. */
export function isEarlier(time: string, otherTime: string, zone: string): boolean {
  const areLocal = ![time, otherTime].some(hasOffset);
  const [key, otherKey] = [time, otherTime].map((text) => {
    const instant = DateTime.fromISO(text.replace(' ', 'T'), { zone: areLocal ? 'utc' : zone }).toUTC();
    return `${instant.toFormat(SECONDS_FORMAT)}${getFraction(text).padEnd(7, '0')}`;
  });
  return key! < otherKey!;
}
