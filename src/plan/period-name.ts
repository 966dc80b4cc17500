// Names a period as a year, quarter, month or day, or otherwise by both ends.
import { DateTime } from 'luxon';

const UTC_ZONE = { zone: 'utc' };
const PERIOD_UNITS = ['year', 'quarter', 'month', 'day'] as const;

export interface NamedPeriod {
  name: string;
  /** Null if the period isn't a whole year, quarter, month or day. */
  unit: (typeof PERIOD_UNITS)[number] | null;
}

export function formatPeriodName({ from, to }: { from: string; to: string }): NamedPeriod {
  const [start, end] = [DateTime.fromISO(from, UTC_ZONE), DateTime.fromISO(to, UTC_ZONE)];
  if (!start.isValid || !end.isValid || from.length !== 10 || to.length !== 10 || end <= start)
    return { name: `${from} up to ${to}`, unit: null };
  const unit =
    PERIOD_UNITS.find((unit) => +start.startOf(unit) === +start && +start.plus({ [unit]: 1 }) === +end) ?? null;
  switch (unit) {
    case 'year':
      return { name: start.toFormat('yyyy'), unit };
    case 'quarter':
      return { name: `Q${start.quarter} ${start.toFormat('yyyy')}`, unit };
    case 'month':
      return { name: start.toFormat('LLLL yyyy', { locale: 'en' }), unit };
    case 'day':
      return { name: from, unit };
    case null:
      return { name: `${from} to ${end.minus({ day: 1 }).toISODate()}`, unit };
  }
}
