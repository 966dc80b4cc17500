// Names a month, quarter or year for people, given its first day.
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
export function findWindowGrain(window: { from: string; to: string }): 'month' | 'quarter' | 'year' | null {
  const [from, to] = [window.from, window.to].map((day) => new Date(`${day.slice(0, 10)}T00:00:00Z`)) as [Date, Date];
  if (Number.isNaN(from.getTime()) || Number.isNaN(to.getTime())) return null;
  if (from.getUTCDate() !== 1 || to.getUTCDate() !== 1) return null;
  const month = from.getUTCMonth();
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - month;
  if (months === 12 && month === 0) return 'year';
  if (months === 3 && month % 3 === 0) return 'quarter';
  return months === 1 ? 'month' : null;
}
