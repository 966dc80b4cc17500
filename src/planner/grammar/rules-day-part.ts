// Parts of days and weeks that come again: "revenue by day of the week", "rides on weekends", "orders by hour".
import type { DayPart } from '../../lens/model/intent.ts';
import type { Cursor } from './cursor.ts';
import { peekField } from './read-things.ts';
import type { Rule } from './rule.ts';

const PARTS: [RegExp, DayPart][] = [
  [/(?:days? of (?:the )?week|weekdays?|week day)/, 'weekday'],
  [/hours?(?: of (?:the )?day)?/, 'hour'],
];
const BY = /(?:by|per|for each|for every|in each|on each|each|every|and|,)(?: (?:the|each))?/;

export const dayPart: Rule = (c) => {
  const length = c.match(BY);
  if (length === 0) return false;
  const joins = /^(?:and|,)$/.test(c.norm());
  if (joins && c.draft.groups.length === 0) return false;
  const part = PARTS.find(([pattern]) => c.match(pattern, length) > 0);
  if (!part || peekField(c, length)?.candidates.some((one) => one.loose === 0)) return false;
  const { at } = c;
  const per = c.norm() === 'per';
  if (per) c.draft.per = true;
  const text = c.accept(length + c.match(part[0], length), 'grain', part[1]);
  c.draft.groups.push({ grain: part[1], at, text, per });
  return true;
};

const WEEK = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const daysAt = (c: Cursor, offset: number): string[] => {
  const said = c.norm(offset);
  if (said === 'weekends') return WEEK.slice(5);
  if (said === 'weekdays') return WEEK.slice(0, 5);
  // "on Monday", "over the weekend" is one of them, and nobody says which.
  return WEEK.filter((day) => `${day.toLowerCase()}s` === said);
};
export const onDays: Rule = (c) => {
  const length = c.match(/(?:only )?(?:on|during|at|over)(?: (?:the|all))?/);
  const first = length > 0 ? daysAt(c, length) : [];
  if (first.length === 0 || c.values(length).length > 0 || c.draft.days) return false;
  const { at } = c;
  const negated = c.clause.negated;
  c.accept(length + 1, 'time');
  const days = [...first];
  for (
    let joiner = c.match(/(?:, and|, or|,|and|or)(?: on)?/);
    joiner > 0;
    joiner = c.match(/(?:, and|, or|,|and|or)(?: on)?/)
  ) {
    const more = daysAt(c, joiner);
    if (more.length === 0) break;
    c.accept(joiner + 1, 'time');
    days.push(...more);
  }
  c.draft.days = { days: [...new Set(days)], at, text: c.textOf(at, c.at - at), clause: c.clause };
  if (negated) c.draft.faults.push(c.draft.days.text);
  return true;
};
