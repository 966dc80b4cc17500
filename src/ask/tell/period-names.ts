// A period by the names that people give it: the first day of a month, a quarter or a year, as a row or a window holds it.
const MONTHS = 'january february march april may june july august september october november december'.split(' ');

export function periodNames(firstDay: string, grain: 'month' | 'quarter' | 'year'): string[] {
  const [year, month] = firstDay.split('-').map(Number) as [number, number];
  if (grain === 'year') return [String(year)];
  if (grain === 'quarter') return [`q${Math.ceil(month / 3)} ${year}`, `q${Math.ceil(month / 3)} of ${year}`];
  const name = MONTHS[month - 1]!;
  return [`${name} ${year}`, `${name} of ${year}`, `${name}, ${year}`, firstDay.slice(0, 7)];
}

/** The names of a row's own label, where its column holds periods: `order_date_month`. */
export function labelNames(column: string, label: string): string[] {
  const grain = /_(month|quarter|year)$/.exec(column)?.[1] as 'month' | 'quarter' | 'year' | undefined;
  return grain && /^\d{4}-\d\d-\d\d/.test(label) ? [label, ...periodNames(label, grain)] : [label];
}
