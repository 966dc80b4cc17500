// Writes a period in words, as a year, quarter, month or day, or otherwise with both ends.
import { formatPeriodName } from '../period-name.ts';
import { throwNoSentence } from './names.ts';

export const describePeriod = ({ from, to }: { from: string | null; to: string | null }): string => {
  if (from === null) return to === null ? throwNoSentence() : `before ${to}`;
  if (to === null) return `since ${from}`;
  const { name, unit } = formatPeriodName({ from, to });
  return `${unit === null ? 'from' : unit === 'day' ? 'on' : 'in'} ${name}`;
};
/** Writes two periods for a comparison. */
export const describePeriodRange = (...periods: { from: string; to: string }[]): string => {
  const [from, to] = periods.map((period) => describePeriod(period).replace(/^(?:in|on) /, ''));
  return `from ${from} to ${to}`;
};
