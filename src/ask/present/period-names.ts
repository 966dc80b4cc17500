// Names a month, quarter or year for people, given its first day.
import { formatPeriodName } from '../../plan/period-name.ts';

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

export function listPeriodNames(firstDay: string, grain: 'month' | 'quarter' | 'year'): string[] {
  const [year, month] = firstDay.split('-').map(Number) as [number, number];
  if (grain === 'year') return [String(year)];
  if (grain === 'quarter') return [`q${Math.ceil(month / 3)} ${year}`, `q${Math.ceil(month / 3)} of ${year}`];
  const name = MONTHS[month - 1]!;
  return [`${name} ${year}`, `${name} of ${year}`, `${name}, ${year}`, firstDay.slice(0, 7)];
}

/** Returns the names of a row label whose column contains periods, such as `order_date_month`. */
export function listLabelNames(column: string, label: string): string[] {
  const grain = /_(month|quarter|year)$/.exec(column)?.[1] as 'month' | 'quarter' | 'year' | undefined;
  return grain && /^\d{4}-\d\d-\d\d/.test(label) ? [label, ...listPeriodNames(label, grain)] : [label];
}

/** The grain of a time window that is exactly one year, quarter or month, otherwise null. */
export function findWindowGrain({ from, to }: { from: string; to: string }): 'month' | 'quarter' | 'year' | null {
  const { unit } = formatPeriodName({ from: from.slice(0, 10), to: to.slice(0, 10) });
  return unit === 'day' ? null : unit;
}
