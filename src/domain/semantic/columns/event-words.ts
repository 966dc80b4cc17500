// Names for dates of events: date_arrived is the arrival date, hired_on the hire date.
const EVENT_NOUNS: Readonly<Record<string, string>> = {
  adopted: 'adoption',
  approved: 'approval',
  arrived: 'arrival',
  cancelled: 'cancellation',
  closed: 'closing',
  completed: 'completion',
  created: 'creation',
  delivered: 'delivery',
  departed: 'departure',
  died: 'death',
  discharged: 'discharge',
  enrolled: 'enrollment',
  ended: 'end',
  expired: 'expiry',
  finished: 'finish',
  founded: 'founding',
  hired: 'hire',
  issued: 'issue',
  joined: 'joining',
  left: 'leaving',
  modified: 'modification',
  opened: 'opening',
  ordered: 'order',
  paid: 'payment',
  published: 'publication',
  purchased: 'purchase',
  received: 'receipt',
  registered: 'registration',
  released: 'release',
  returned: 'return',
  shipped: 'shipping',
  started: 'start',
  updated: 'update',
};

const EVENT_DATE_NAME = /^(?:date (?:of )?(.+)|(.+) (?:date|on|at))$/;

/** Returns other names for a date column, given the column's name in words. */
export function eventNamesOf(name: string): string[] {
  const [, suffix, prefix] = EVENT_DATE_NAME.exec(name) ?? [];
  const event = suffix ?? prefix;
  if (!event) return [];
  const noun = Object.hasOwn(EVENT_NOUNS, event) ? EVENT_NOUNS[event] : undefined;
  const gerund = noun && /ed$/.test(event) ? event.replace(/(?:([^aeiou])\1)?ed$/, '$1ing') : null;
  return [
    `${event} date`,
    ...(noun ? [`${noun} date`, `date of ${noun}`] : []),
    ...(gerund && gerund !== noun ? [`${gerund} date`] : []),
  ].filter((form) => form !== name);
}
