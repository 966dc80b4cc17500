// Writes a period in words: a year, quarter, month or day, otherwise both ends.
import { DateTime } from 'luxon';
import { throwNoSentence } from './names.ts';

const UTC = { zone: 'utc' };
export const periodWords = ({ from, to }: { from: string | null; to: string | null }): string => {
  if (from === null) return to === null ? throwNoSentence() : `before ${to}`;
  if (to === null) return `since ${from}`;
  const [start, end] = [DateTime.fromISO(from, UTC), DateTime.fromISO(to, UTC)];
  if (!start.isValid || !end.isValid || from.length !== 10 || to.length !== 10 || end <= start)
    return `from ${from} up to ${to}`;
  const wholeUnit = (['year', 'quarter', 'month', 'day'] as const).find(
    (unit) => +start.startOf(unit) === +start && +start.plus({ [unit]: 1 }) === +end,
  );
  switch (wholeUnit) {
    case 'year':
      return `in ${start.toFormat('yyyy')}`;
    case 'quarter':
      return `in Q${start.quarter} ${start.toFormat('yyyy')}`;
    case 'month':
      return `in ${start.toFormat('LLLL yyyy', { locale: 'en' })}`;
    case 'day':
      return `on ${from}`;
    default:
      return `from ${from} to ${end.minus({ day: 1 }).toISODate()}`;
  }
};
export const periodName = (period: { from: string; to: string }): string =>
  periodWords(period).replace(/^(?:in|on|from) /, '');
/** Writes two periods for a comparison. */
export const betweenWords = (...periods: { from: string; to: string }[]): string => {
  const [from, to] = periods.map((period) => periodWords(period).replace(/^(?:in|on) /, ''));
  return `from ${from} to ${to}`;
};
