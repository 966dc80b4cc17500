// Writes a period in the words of a question: a year, quarter, month or day, otherwise both ends.
import { DateTime } from 'luxon';
import { noSentence } from './names-of.ts';

const UTC = { zone: 'utc' };
export const periodText = ({ from, to }: { from: string | null; to: string | null }): string => {
  if (from === null) return to === null ? noSentence() : `before ${to}`;
  if (to === null) return `since ${from}`;
  const [start, end] = [DateTime.fromISO(from, UTC), DateTime.fromISO(to, UTC)];
  if (!start.isValid || !end.isValid || from.length !== 10 || to.length !== 10 || end <= start) return noSentence();
  const named = (['year', 'quarter', 'month', 'day'] as const).find(
    (unit) => +start.startOf(unit) === +start && +start.plus({ [unit]: 1 }) === +end,
  );
  switch (named) {
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
