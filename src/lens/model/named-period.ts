// Converts named periods to half-open date ranges in the lens's time zone: "2024-Q2", "last 7 days", "this year so
// far".
import { DateTime } from 'luxon';
import { GRAINS, type Grain } from './lens.ts';

export interface Period {
  from: string;
  to: string;
}
export const PERIOD_FORMS =
  '2024, 2024-Q2, 2024-03, 2024-03-15, today, yesterday, this month, this year so far, previous quarter, last 7 days, last 7 days from today, last 7 days including today';

export function parseNamedPeriod(text: string, now: Date, zone: string): Period | null {
  const phrase = text.trim().toLowerCase().replace(/\s+/g, ' ');
  const today = DateTime.fromJSDate(now, { zone }).startOf('day');
  const tomorrow = today.plus({ day: 1 });
  const calendarPeriod = parseCalendarPeriod(phrase);
  if (calendarPeriod) return calendarPeriod;
  if (phrase === 'today') return toPeriod(today, tomorrow);
  if (phrase === 'yesterday') return toPeriod(today.minus({ day: 1 }), today);
  const currentMatch = /^(?:this|current) (\w+)( so far)?$/.exec(phrase) ?? /^(\w+)( to date)$/.exec(phrase);
  const currentUnit = parseGrain(currentMatch?.[1]);
  if (currentUnit) {
    const start = today.startOf(currentUnit);
    return toPeriod(start, currentMatch![2] ? tomorrow : start.plus({ [currentUnit]: 1 }));
  }
  const pastMatch =
    /^(?:last|previous|past|prior)(?: (\d{1,4}))? (\w+)( from today| (?:including|inclusive of) today)?$/.exec(phrase);
  const unit = parseGrain(pastMatch?.[2]);
  if (!pastMatch || !unit || (pastMatch[3] && !pastMatch[1])) return null;
  const count = Number(pastMatch[1] ?? 1);
  if (count === 0) return null;
  if (pastMatch[3])
    return toPeriod((pastMatch[3] === ' from today' ? today : tomorrow).minus({ [unit]: count }), tomorrow);
  const end = today.startOf(unit);
  return toPeriod(end.minus({ [unit]: count }), end);
}

/** Converts "today", "yesterday" and other names of one day to its date. Returns null for any other text. */
export function parseNamedDay(text: string, now: Date, zone: string): string | null {
  const period = parseNamedPeriod(text, now, zone);
  return period && DateTime.fromISO(period.from).plus({ day: 1 }).toISODate() === period.to ? period.from : null;
}

function parseCalendarPeriod(phrase: string): Period | null {
  const [, year = '', quarter, date = ''] = /^(\d{4})(?:-?q([1-4])|(-\d{2}(?:-\d{2})?))?$/.exec(phrase) ?? [];
  if (year === '') return null;
  const unit: Grain = quarter ? 'quarter' : date === '' ? 'year' : date.length === 3 ? 'month' : 'day';
  const start = quarter
    ? DateTime.utc(Number(year), Number(quarter) * 3 - 2)
    : DateTime.fromISO(`${year}${date}`, { zone: 'utc' });
  return start.isValid ? toPeriod(start, start.plus({ [unit]: 1 })) : null;
}

const parseGrain = (word: string | undefined): Grain | null =>
  GRAINS.find((grain) => grain === word || `${grain}s` === word) ?? null;
const toPeriod = (from: DateTime, to: DateTime): Period => ({ from: from.toISODate()!, to: to.toISODate()! });

export const isMoment = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})?)?$/.test(text) &&
  DateTime.fromISO(text.replace(' ', 'T')).isValid;
