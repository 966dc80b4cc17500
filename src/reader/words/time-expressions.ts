// Dates as people write them, as half-open periods of whole units in the lens's time zone. Invalid dates
// (February 30) and ambiguous ones (a month without a year, 3/4/2016) are reported, never guessed.
import { DateTime, type DateTimeUnit } from 'luxon';
import type { Grain } from '../../lens/model/lens.ts';
import { ordinal } from '../english/number-words.ts';
import type { Token } from './token.ts';

export interface TimeMention {
  length: number;
  /** Inclusive. Null: open. */
  from: string | null;
  /** Exclusive. Null: open. */
  to: string | null;
  /** A number alone that may also be the year in an integer field. */
  year?: number;
  /** The unit that was named, for comparisons and for "each". */
  unit?: Grain;
  /** The two periods of a range with ends of the same unit: "from 2016 to 2017". */
  ends?: [{ from: string; to: string }, { from: string; to: string }];
  fault?: string;
}
interface Span {
  length: number;
  start: DateTime;
  end: DateTime;
  year?: number;
  unit?: Grain;
  fault?: string;
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
export const monthOf = (word: string | undefined): number | null => {
  if (!word || word.length < 3) return null;
  const short = word === 'sept' ? 'sep' : word;
  const at = MONTHS.findIndex((month) => month === short || (short.length === 3 && month.startsWith(short)));
  return at < 0 ? null : at + 1;
};
const WEEKDAYS = new Set('monday tuesday wednesday thursday friday saturday sunday'.split(' '));
const WHEN = new Set('in on during since before after until till from by of for this last next every each'.split(' '));
/** "in May", "on Monday": the calendar meaning of the last word without a year or a date. */
export const calendarWord = (before: string | undefined, word: string): 'month' | 'day of the week' | null =>
  !WHEN.has(before ?? '') ? null : MONTHS.includes(word) ? 'month' : WEEKDAYS.has(word) ? 'day of the week' : null;
const monthOfYear = (year: number, month: number, zone: string): Pick<Span, 'start' | 'end' | 'unit'> => {
  const start = DateTime.fromObject({ year, month }, { zone });
  return { start, end: start.plus({ month: 1 }), unit: 'month' };
};
const UNITS: Record<string, Grain> = { day: 'day', week: 'week', month: 'month', quarter: 'quarter', year: 'year' };
export const unitOf = (stem: string | undefined): Grain | null =>
  stem && Object.hasOwn(UNITS, stem) ? UNITS[stem]! : null;

const yearOf = (token: Token | undefined): number | null =>
  token?.kind === 'number' && /^(19|20)\d\d$/.test(token.text) ? token.value! : null;
const iso = (time: DateTime): string => time.toISODate()!;
const span = (start: DateTime, unit: Grain, length: number, count = 1): Span => ({
  length,
  start,
  end: start.plus({ [unit]: count }),
  unit: count === 1 ? unit : undefined,
});

export interface TimeContext {
  now: Date;
  timezone: string;
}
const days = new WeakMap<TimeContext, DateTime>();
/** Cached, because it is needed at each word of a question. */
const todayIn = (context: TimeContext): DateTime => {
  const today = days.get(context) ?? DateTime.fromJSDate(context.now, { zone: context.timezone }).startOf('day');
  days.set(context, today);
  return today;
};

/** A date, month, quarter, year or relative span that starts at `at`, without prepositions. */
const spanAt = (tokens: readonly Token[], start: number, context: TimeContext): Span | null => {
  const zone = context.timezone;
  const today = todayIn(context);
  let at = start;
  const norm = (offset: number): string | undefined => tokens[at + offset]?.norm;
  if (norm(0) === 'the') at++;
  const made = (found: Span | null): Span | null => (found ? { ...found, length: found.length + (at - start) } : null);
  const date = (year: number, month: number, day: number, length: number): Span => {
    const found = DateTime.fromObject({ year, month, day }, { zone });
    if (!found.isValid) return { length, start: today, end: today, fault: 'there is no such date' };
    return span(found, 'day', length);
  };

  const isoDate = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(norm(0) ?? '');
  if (isoDate) {
    const [, year, month, day] = isoDate.map(Number);
    if (isoDate[3]) return made(date(year!, month!, day!, 1));
    if (month! < 1 || month! > 12)
      return made({ length: 1, start: today, end: today, fault: 'there is no such month' });
    return made(span(DateTime.fromObject({ year, month }, { zone }), 'month', 1));
  }
  if (norm(1) === '/' && norm(3) === '/' && [0, 2, 4].every((offset) => tokens[at + offset]?.kind === 'number')) {
    const [one, two, year] = [0, 2, 4].map((offset) => tokens[at + offset]!.value!);
    if (one! <= 12 && two! <= 12 && one !== two)
      return made({
        length: 5,
        start: today,
        end: today,
        fault: 'day and month cannot be told apart; write 2016-03-15',
      });
    return made(one! > 12 ? date(year!, two!, one!, 5) : date(year!, one!, two!, 5));
  }

  // "the month of March 2016", "the year 2016", "calendar year 2016"
  if (norm(0) === 'calendar' && norm(1) === 'year') at++;
  if (
    (norm(0) === 'year' || norm(0) === 'month' || norm(0) === 'quarter') &&
    norm(1) === 'of' &&
    (yearOf(tokens[at + 2]) || monthOf(norm(2)))
  )
    at += 2;
  else if (tokens[at]?.stem === 'year' && yearOf(tokens[at + 1])) at++;

  const month = monthOf(norm(0));
  if (month && norm(0) !== 'may' && norm(0) !== 'mar') {
    return made(monthSpan(tokens, at, month, date, zone, today));
  }
  if (month) {
    const found = monthSpan(tokens, at, month, date, zone, today);
    if (!found.fault) return made(found);
  }
  const day = tokens[at]?.kind === 'number' ? tokens[at]!.value! : ordinal(norm(0) ?? '');
  if (day && Number.isInteger(day) && day <= 31) {
    const skip = norm(1) === 'of' ? 2 : 1;
    const named = monthOf(norm(skip));
    const comma = norm(skip + 1) === ',' ? 1 : 0;
    const year = yearOf(tokens[at + skip + 1 + comma]);
    if (named && year) return made(date(year, named, day, skip + 2 + comma));
  }

  const quarterNumber = /^q([1-4])$/.exec(norm(0) ?? '')?.[1];
  const nth = norm(0) === 'last' || norm(0) === 'final' ? -1 : ordinal(norm(0) ?? '');
  const part = quarterNumber ? { unit: 'quarter', index: Number(quarterNumber), length: 1 } : null;
  const half = /^h([12])$/.exec(norm(0) ?? '')?.[1];
  const named =
    part ??
    (half ? { unit: 'half', index: Number(half), length: 1 } : null) ??
    (nth !== null && ['quarter', 'half', 'month', 'week', 'day'].includes(norm(1) ?? '')
      ? { unit: norm(1)!, index: nth, length: 2 }
      : null) ??
    (norm(0) === 'quarter' && tokens[at + 1]?.kind === 'number' && tokens[at + 1]!.value! <= 4
      ? { unit: 'quarter', index: tokens[at + 1]!.value!, length: 2 }
      : null);
  if (named) {
    const skip = norm(named.length) === 'of' || norm(named.length) === 'in' || norm(named.length) === ',' ? 1 : 0;
    const year = yearOf(tokens[at + named.length + skip]);
    if (year) {
      const first = DateTime.fromObject({ year }, { zone });
      const length = named.length + skip + 1;
      if (named.unit === 'half') {
        const index = named.index === -1 ? 2 : named.index;
        return made(index > 2 ? null : span(first.plus({ month: (index - 1) * 6 }), 'month', length, 6));
      }
      if (named.unit === 'quarter' || named.unit === 'month') {
        const most = named.unit === 'quarter' ? 4 : 12;
        const index = named.index === -1 ? most : named.index;
        if (index > most) return null;
        return made(span(first.plus({ [named.unit]: index - 1 }), named.unit, length));
      }
      return null;
    }
  }
  if (quarterNumber || half) return made({ length: 1, start: today, end: today, fault: 'the year is missing' });

  const year = yearOf(tokens[at]);
  if (year) {
    const quarter = /^q([1-4])$/.exec(norm(1) ?? '')?.[1];
    const first = DateTime.fromObject({ year }, { zone });
    if (quarter) return made(span(first.plus({ quarter: Number(quarter) - 1 }), 'quarter', 2));
    return made({ ...span(first, 'year', 1), year });
  }
  return made(relativeAt(tokens, at, today));
};

const monthSpan = (
  tokens: readonly Token[],
  at: number,
  month: number,
  date: (year: number, month: number, day: number, length: number) => Span,
  zone: string,
  today: DateTime,
): Span => {
  const norm = (offset: number): string | undefined => tokens[at + offset]?.norm;
  const skip = norm(1) === 'of' || norm(1) === ',' ? 1 : 0;
  const year = yearOf(tokens[at + 1 + skip]);
  if (year) return span(DateTime.fromObject({ year, month }, { zone }), 'month', 2 + skip);
  const day = tokens[at + 1]?.kind === 'number' ? tokens[at + 1]!.value! : ordinal(norm(1) ?? '');
  const comma = norm(2) === ',' ? 1 : 0;
  const later = yearOf(tokens[at + 2 + comma]);
  if (day && day <= 31 && later) return date(later, month, day, 3 + comma);
  return { length: 1, start: today, end: today, fault: 'the year is missing' };
};

const relativeAt = (tokens: readonly Token[], at: number, today: DateTime): Span | null => {
  const norm = (offset: number): string | undefined => tokens[at + offset]?.norm;
  if (norm(0) === 'today') return span(today, 'day', 1);
  if (norm(0) === 'yesterday') return span(today.minus({ day: 1 }), 'day', 1);
  if (norm(1) === 'to' && norm(2) === 'date') {
    const unit = unitOf(norm(0));
    if (unit) return { length: 3, start: today.startOf(unit as DateTimeUnit), end: today.plus({ day: 1 }) };
  }
  if (norm(0) === 'ytd') return { length: 1, start: today.startOf('year'), end: today.plus({ day: 1 }) };
  if (norm(0) === 'mtd') return { length: 1, start: today.startOf('month'), end: today.plus({ day: 1 }) };
  const which = norm(0);
  if (!which || !['last', 'previous', 'past', 'this', 'current', 'prior'].includes(which)) return null;
  const counted = tokens[at + 1]?.kind === 'number';
  const count = counted ? tokens[at + 1]!.value! : 1;
  const unit = unitOf(tokens[at + (counted ? 2 : 1)]?.stem);
  if (!unit || !Number.isInteger(count) || count < 1) return null;
  const length = counted ? 3 : 2;
  const current = today.startOf(unit as DateTimeUnit);
  if (which === 'this' || which === 'current') return counted ? null : span(current, unit, length);
  // "the last 6 months from today": counted back from today.
  const anchor = anchorLength(tokens, at + length);
  if (anchor > 0)
    return { length: length + anchor, start: today.minus({ [unit]: count }), end: today.plus({ day: 1 }) };
  return { length, start: current.minus({ [unit]: count }), end: current, unit: count === 1 ? unit : undefined };
};

const ANCHOR = /^(?:counting from|up to|as of|from|to|until|till|before) (?:today|now)\b/;
/** The number of words of "from today", "until now", "as of today". */
const anchorLength = (tokens: readonly Token[], at: number): number => {
  const said = tokens.slice(at, at + 3).map(({ norm }) => norm);
  return ANCHOR.exec(said.join(' '))?.[0].split(' ').length ?? 0;
};

/**
 * A time expression with its preposition: "in 2016", "between March and May 2016", "since 2015", "before June
 * 2016".
 */
export const timeAt = (tokens: readonly Token[], at: number, context: TimeContext): TimeMention | null => {
  const norm = (offset: number): string | undefined => tokens[at + offset]?.norm;
  const spanFrom = (offset: number): Span | null => spanAt(tokens, at + offset, context);
  const made = (length: number, from: DateTime | null, to: DateTime | null, parts: Span[]): TimeMention => ({
    length,
    from: from && iso(from),
    to: to && iso(to),
    fault: parts.find((part) => part.fault)?.fault,
    ...(parts.length === 1 && from && to ? { year: parts[0]!.year, unit: parts[0]!.unit } : {}),
  });

  if (norm(0) === 'between' || norm(0) === 'from') {
    const joiner = norm(0) === 'between' ? ['and'] : ['to', 'through', '-'];
    const range = rangeAt(tokens, at + 1, joiner, context);
    if (range)
      return { ...made(range.length + 1, range.start, range.end, []), fault: range.fault, ends: endsOf(range) };
    if (norm(0) === 'between') return null;
  }
  for (const [kind, words] of BOUNDS) {
    if (!words.every((word, offset) => norm(offset) === word)) continue;
    const found = spanFrom(words.length);
    if (!found) return null;
    const length = words.length + found.length;
    if (kind === 'from') return made(length, found.start, null, [found]);
    if (kind === 'after') return made(length, found.end, null, [found]);
    return made(length, null, kind === 'before' ? found.start : found.end, [found]);
  }
  if (norm(0) === 'all' && norm(1) === 'through') {
    const found = spanFrom(2);
    return found && made(2 + found.length, found.start, found.end, [found]);
  }
  const preposition = ['in', 'during', 'for', 'of', 'on', 'from', 'throughout', 'within'].includes(norm(0) ?? '')
    ? 1
    : 0;
  const range = rangeAt(tokens, at + preposition, ['to', 'through', '-'], context);
  if (range)
    return { ...made(range.length + preposition, range.start, range.end, []), fault: range.fault, ends: endsOf(range) };
  const found = spanFrom(preposition);
  if (!found) return null;
  let length = preposition + found.length;
  const further = norm(0) === 'from' ? openEnd(tokens, at + length) : 0;
  if (further > 0) {
    const tomorrow = todayIn(context).plus({ days: 1 });
    const closed = norm(length + further - 1) !== 'on' && norm(length + further - 1) !== 'forward';
    return made(length + further, found.start, closed ? tomorrow : null, closed ? [found, found] : [found]);
  }
  if (norm(length) === 'onwards' || norm(length) === 'onward') return made(length + 1, found.start, null, [found]);
  // "in 2014 or after", "2014 and later". But "ordered in 2014 and later cancelled" isn't an open period.
  const joined = norm(length) === 'or' || (norm(length) === 'and' && endsPhrase(norm(length + 2)));
  const open = joined && !spanFrom(length + 2) ? norm(length + 1) : undefined;
  if (open && LATER.has(open)) return made(length + 2, found.start, null, [found]);
  if (open && EARLIER.has(open)) return made(length + 2, null, found.end, [found]);
  if (norm(preposition) === 'year' && norm(length) === 'alone') length++;
  return made(length, found.start, found.end, [found]);
};

/** Without "until", because people disagree on whether it includes the named period. */
const BOUNDS = Object.entries({
  from: 'since|on or after|no earlier than|not before|starting from|starting with|since the start of|since the beginning of|from the start of|at the earliest in',
  through:
    'on or before|no later than|not after|until the end of|up to and including|through|at the latest in|by the end of',
  after: 'after|later than',
  before: 'before|prior to|earlier than',
})
  .flatMap(([kind, said]) => said.split('|').map((words) => [kind, words.split(' ')] as const))
  .sort(([, one], [, other]) => other.length - one.length);
const LATER = new Set(['after', 'later', 'onwards', 'onward']);
const EARLIER = new Set(['before', 'earlier']);

/** The number of words that make a period open-ended: "from 2020 on", "from 2020 to date". */
const openEnd = (tokens: readonly Token[], at: number): number => {
  const norm = (offset: number): string | undefined => tokens[at + offset]?.norm;
  const forms = [['on'], ['forward'], ['up', 'to', 'now'], ['until', 'now'], ['until', 'today'], ['to', 'date']];
  const said = forms.find((words) => words.every((word, offset) => norm(offset) === word));
  return said && endsPhrase(norm(said.length)) ? said.length : 0;
};
const endsPhrase = (next: string | undefined): boolean => next === undefined || ENDS_PHRASE.has(next);
const ENDS_PHRASE = new Set('? . , ! ; ) by per for in and with who which that'.split(' '));

interface Range {
  length: number;
  start: DateTime;
  end: DateTime;
  fault?: string;
  parts: [Span, Span];
}
const endsOf = ({ parts: [first, last] }: Range): TimeMention['ends'] =>
  first.unit && first.unit === last.unit
    ? [
        { from: iso(first.start), to: iso(first.end) },
        { from: iso(last.start), to: iso(last.end) },
      ]
    : undefined;

/** "March and May 2016": both months are in 2016. */
const rangeAt = (tokens: readonly Token[], at: number, joiner: string[], context: TimeContext): Range | null => {
  let first = spanAt(tokens, at, context);
  if (!first) return null;
  const middle = at + first.length;
  if (!joiner.includes(tokens[middle]?.norm ?? '')) return null;
  const second = spanAt(tokens, middle + 1, context);
  if (!second) return null;
  if (first.fault && !second.fault) {
    const month = monthOf(tokens[at]?.norm);
    if (month)
      first = {
        ...first,
        fault: undefined,
        ...monthOfYear(second.start.year, month, context.timezone),
      };
  }
  const backwards = second.end <= first.start ? 'the period ends before it starts' : undefined;
  return {
    length: first.length + 1 + second.length,
    start: first.start,
    end: second.end,
    fault: first.fault ?? second.fault ?? backwards,
    parts: [first, second],
  };
};
