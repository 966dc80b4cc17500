// Parses dates, as people write them, into half-open periods of whole units in the lens's time zone. Reports invalid
// dates (February 30) and ambiguous dates (a month without a year, 3/4/2016) instead of guessing.
import { DateTime, type DateTimeUnit } from 'luxon';
import type { Grain } from '../../lens/model/lens.ts';
import { computeOnce } from '../../platform/memoize.ts';
import { parseOrdinal } from '../english/number-words.ts';
import type { QuestionToken } from './token.ts';

interface DateRange {
  from: string;
  to: string;
}
export interface TimeMention {
  length: number;
  /** The inclusive start, or null if the period has no start. */
  from: string | null;
  /** The exclusive end, or null if the period has no end. */
  to: string | null;
  /** The unit that the period names, such as month for "March 2016". */
  unit?: Grain;
  /** The two periods of a range whose ends have the same unit: "from 2016 to 2017". */
  ends?: [DateRange, DateRange];
  fault?: string;
}
export interface TimeContext {
  now: Date;
  timezone: string;
}
/** A named period and the number of its words. */
interface PeriodSpan {
  length: number;
  start: DateTime;
  end: DateTime;
  unit?: Grain;
  fault?: string;
}
interface WordCursor {
  norm(offset: number): string;
  number(offset: number): number | null;
  year(offset: number): number | null;
  stem(offset: number): string | undefined;
  zone: string;
  today: DateTime;
}

export const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
export const findMonth = (word: string | undefined): number | null => {
  if (!word || word.length < 3) return null;
  const monthText = word === 'sept' ? 'sep' : word;
  const index = MONTHS.findIndex(
    (month) => month === monthText || (monthText.length === 3 && month.startsWith(monthText)),
  );
  return index < 0 ? null : index + 1;
};
const WEEKDAYS = new Set('monday tuesday wednesday thursday friday saturday sunday'.split(' '));
const TIME_WORDS = new Set(
  'in on during since before after until till from by of for this last next every each a all any'.split(' '),
);
/** Returns the calendar meaning of a word without a year or a date, as in "in May" or "on Mondays". */
export const findCalendarMeaning = (before: string | undefined, stem: string): 'month' | 'day of the week' | null =>
  !TIME_WORDS.has(before ?? '')
    ? null
    : MONTHS.includes(stem)
      ? 'month'
      : WEEKDAYS.has(stem)
        ? 'day of the week'
        : null;
export const isYearOrQuarter = (norm: string): boolean => /^(?:(?:19|20)\d\d|q[1-4])$/.test(norm);
const TIME_UNITS: readonly Grain[] = ['day', 'week', 'month', 'quarter', 'year'];
export const findTimeUnit = (stem: string | undefined): Grain | null =>
  TIME_UNITS.find((unit) => unit === stem) ?? null;

/** Caches today's date, because svc needs it at each word of a question. */
const getToday = computeOnce(({ now, timezone }: TimeContext) =>
  DateTime.fromJSDate(now, { zone: timezone }).startOf('day'),
);
const createWordCursor = (tokens: readonly QuestionToken[], position: number, context: TimeContext): WordCursor => ({
  norm: (offset) => tokens[position + offset]?.norm ?? '',
  number: (offset) => (tokens[position + offset]?.kind === 'number' ? tokens[position + offset]!.value! : null),
  year: (offset) => {
    const token = tokens[position + offset];
    return token?.kind === 'number' && /^(19|20)\d\d$/.test(token.text) ? token.value! : null;
  },
  stem: (offset) => tokens[position + offset]?.stem,
  zone: context.timezone,
  today: getToday(context),
});

const createSpan = (start: DateTime, unit: Grain, length: number): PeriodSpan => ({
  length,
  start,
  end: start.plus({ [unit]: 1 }),
  unit,
});
const createSpanWithFault = ({ today }: WordCursor, length: number, fault: string): PeriodSpan => ({
  length,
  start: today,
  end: today,
  fault,
});
const createDateSpan = (words: WordCursor, [year, month, day]: readonly number[], length: number): PeriodSpan => {
  const date = DateTime.fromObject({ year, month, day }, { zone: words.zone });
  return date.isValid ? createSpan(date, 'day', length) : createSpanWithFault(words, length, 'there is no such date');
};
const MONTHS_OF_PART = { month: 1, quarter: 3, half: 6 } as const; // the length in months
type YearPart = keyof typeof MONTHS_OF_PART;
const createPartSpan = (
  { zone }: WordCursor,
  year: number,
  part: YearPart,
  index: number,
  length: number,
): PeriodSpan => {
  const start = DateTime.fromObject({ year }, { zone }).plus({ months: (index - 1) * MONTHS_OF_PART[part] });
  return { length, start, end: start.plus({ months: MONTHS_OF_PART[part] }), unit: part === 'half' ? undefined : part };
};

/** Reads 2016-03-15 and 2016-03. */
function readIsoDate(words: WordCursor): PeriodSpan | null {
  const match = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(words.norm(0));
  if (!match) return null;
  const [year, month, day] = match.slice(1).map(Number);
  if (match[3]) return createDateSpan(words, [year!, month!, day!], 1);
  return month! < 1 || month! > 12
    ? createSpanWithFault(words, 1, 'there is no such month')
    : createPartSpan(words, year!, 'month', month!, 1);
}

/** Reads "March 2016" and "March 15, 2016". */
function readMonthFirst(words: WordCursor): PeriodSpan | null {
  const { norm, number, year } = words;
  const month = findMonth(norm(0));
  if (!month) return null;
  const skip = norm(1) === 'of' || norm(1) === ',' ? 1 : 0;
  const statedYear = year(1 + skip);
  if (statedYear) return createPartSpan(words, statedYear, 'month', month, 2 + skip);
  const day = number(1) ?? parseOrdinal(norm(1));
  const comma = norm(2) === ',' ? 1 : 0;
  const yearAfterDay = year(2 + comma);
  if (day && day <= 31 && yearAfterDay) return createDateSpan(words, [yearAfterDay, month, day], 3 + comma);
  // "may" and "mar" without a year are usually other words.
  return /^(?:may|mar)$/.test(norm(0)) ? null : createSpanWithFault(words, 1, 'the year is missing');
}

/** Reads "15 March 2016" and "1st of March 2016". */
function readDayFirst(words: WordCursor): PeriodSpan | null {
  const { norm, number, year } = words;
  const day = number(0) ?? parseOrdinal(norm(0));
  if (!day || !Number.isInteger(day) || day > 31) return null;
  const skip = norm(1) === 'of' ? 2 : 1;
  const month = findMonth(norm(skip));
  const comma = norm(skip + 1) === ',' ? 1 : 0;
  const statedYear = year(skip + 1 + comma);
  return month && statedYear ? createDateSpan(words, [statedYear, month, day], skip + 2 + comma) : null;
}

/** Reads "Q4 2017", "H1 2017", "last quarter of 2017" and "third month of 2017". */
function readPartOfYear(words: WordCursor): PeriodSpan | null {
  const { norm, number, year } = words;
  const [, letter, digit] = /^([qh])([1-4])$/.exec(norm(0)) ?? [];
  const isNumbered = norm(0) === 'quarter';
  const namedPart = Object.hasOwn(MONTHS_OF_PART, norm(1)) ? (norm(1) as YearPart) : null;
  const part = letter ? (letter === 'q' ? 'quarter' : 'half') : isNumbered ? 'quarter' : namedPart;
  if (!part) return null;
  const partCount = 12 / MONTHS_OF_PART[part];
  const nth = norm(0) === 'last' || norm(0) === 'final' ? partCount : parseOrdinal(norm(0));
  const index = digit ? Number(digit) : isNumbered ? number(1) : nth;
  if (!index || index > partCount) return null;
  const length = digit ? 1 : 2;
  const skip = /^(?:of|in|,)$/.test(norm(length)) ? 1 : 0;
  const statedYear = year(length + skip);
  if (statedYear) return createPartSpan(words, statedYear, part, index, length + skip + 1);
  return digit ? createSpanWithFault(words, 1, 'the year is missing') : null;
}

function readYear(words: WordCursor): PeriodSpan | null {
  const year = words.year(0);
  if (!year) return null;
  const quarter = /^q([1-4])$/.exec(words.norm(1))?.[1];
  if (quarter) return createPartSpan(words, year, 'quarter', Number(quarter), 2);
  return createSpan(DateTime.fromObject({ year }, { zone: words.zone }), 'year', 1);
}

const TODAY_ANCHOR_PATTERN = /^(?:counting from|up to|as of|from|to|until|till|before) (?:today|now)\b/;
/** Reads "today", "last month", "last 6 months" and "year to date". */
function readRelativePeriod({ norm, number, stem, today }: WordCursor): PeriodSpan | null {
  if (norm(0) === 'today') return createSpan(today, 'day', 1);
  if (norm(0) === 'yesterday') return createSpan(today.minus({ day: 1 }), 'day', 1);
  const toDateUnit = norm(1) === 'to' && norm(2) === 'date' ? findTimeUnit(norm(0)) : null;
  if (toDateUnit) return { length: 3, start: today.startOf(toDateUnit as DateTimeUnit), end: today.plus({ day: 1 }) };
  const qualifier = norm(0);
  if (!['last', 'previous', 'past', 'this', 'current', 'prior'].includes(qualifier)) return null;
  const hasCount = number(1) !== null;
  const count = number(1) ?? 1;
  const unit = findTimeUnit(stem(hasCount ? 2 : 1));
  if (!unit || !Number.isInteger(count) || count < 1) return null;
  const length = hasCount ? 3 : 2;
  const current = today.startOf(unit as DateTimeUnit);
  if (qualifier === 'this' || qualifier === 'current') return hasCount ? null : createSpan(current, unit, length);
  // The phrase "the last 6 months from today" counts back from today, not from the end of the last month.
  const anchor = TODAY_ANCHOR_PATTERN.exec([0, 1, 2].map((offset) => norm(length + offset)).join(' '))?.[0];
  if (anchor)
    return {
      length: length + anchor.split(' ').length,
      start: today.minus({ [unit]: count }),
      end: today.plus({ day: 1 }),
    };
  return { length, start: current.minus({ [unit]: count }), end: current, unit: count === 1 ? unit : undefined };
}

const SPAN_READERS = [readIsoDate, readMonthFirst, readDayFirst, readPartOfYear, readYear, readRelativePeriod];
/** Reads a named period without prepositions. */
function readNamedPeriod(tokens: readonly QuestionToken[], start: number, context: TimeContext): PeriodSpan | null {
  let position = start;
  const { norm, year } = createWordCursor(tokens, start, context);
  const article = norm(0) === 'the' ? 1 : 0;
  position += article;
  // Skips the name of the unit in "the month of March 2016" and "the year 2016".
  const isOf = /^(?:year|month|quarter)$/.test(norm(article)) && norm(article + 1) === 'of';
  if (isOf && (year(article + 2) || findMonth(norm(article + 2)))) position += 2;
  else if (/^years?$/.test(norm(article)) && year(article + 1)) position++;
  const words = createWordCursor(tokens, position, context);
  for (const readSpan of SPAN_READERS) {
    const span = readSpan(words);
    if (span) return { ...span, length: span.length + position - start };
  }
  return null;
}

/** The list doesn't contain "until", because people disagree on whether "until 2016" includes 2016. */
const BOUND_PHRASES = Object.entries({
  from: 'since|on or after|no earlier than|not before|starting from|starting with|since the start of|since the beginning of|from the start of|at the earliest in',
  through:
    'on or before|no later than|not after|until the end of|up to and including|through|at the latest in|by the end of',
  after: 'after|later than',
  before: 'before|prior to|earlier than',
})
  .flatMap(([kind, variants]) => variants.split('|').map((words) => [kind, words.split(' ')] as const))
  .sort(([, one], [, other]) => other.length - one.length);

const toIsoDate = (time: DateTime): string => time.toISODate()!;
const toMention = (
  length: number,
  from: DateTime | null,
  to: DateTime | null,
  { unit, fault }: PeriodSpan,
): TimeMention => ({
  length,
  from: from && toIsoDate(from),
  to: to && toIsoDate(to),
  fault,
  ...(from && to && { unit }),
});

/** Reads "in 2016", "between March and May 2016", "since 2015" and "before June 2016". */
export const readTimeMention = (
  tokens: readonly QuestionToken[],
  position: number,
  context: TimeContext,
): TimeMention | null => {
  const norm = (offset: number): string => tokens[position + offset]?.norm ?? '';
  if (norm(0) === 'between') return readPeriodRange(tokens, position, 1, context);
  for (const [kind, words] of BOUND_PHRASES) {
    if (!words.every((word, offset) => norm(offset) === word)) continue;
    const span = readNamedPeriod(tokens, position + words.length, context);
    if (!span) return null;
    const length = words.length + span.length;
    if (kind === 'from') return toMention(length, span.start, null, span);
    if (kind === 'after') return toMention(length, span.end, null, span);
    return toMention(length, null, kind === 'before' ? span.start : span.end, span);
  }
  const throughLength = norm(0) === 'all' && norm(1) === 'through' ? 2 : 0;
  const isLed = ['in', 'during', 'for', 'of', 'on', 'from', 'throughout', 'within'].includes(norm(0));
  const leadLength = throughLength || (isLed ? 1 : 0);
  const range = readPeriodRange(tokens, position, leadLength, context);
  if (range) return range;
  const span = readNamedPeriod(tokens, position + leadLength, context);
  if (!span) return null;
  const length = leadLength + span.length;
  const openEnd = OPEN_END_PHRASES.find(
    ({ words }) =>
      words.every((word, offset) => norm(length + offset) === word) && endsPhrase(norm(length + words.length)),
  );
  if (openEnd && (!openEnd.led || norm(0) === 'from')) {
    const [start, end] = openEnd.earlier ? [null, span.end] : [span.start, null];
    return toMention(length + openEnd.words.length, start, end, span);
  }
  return toMention(length, span.start, span.end, span);
};

/**
 * Words after an open period, such as "2014 and later". The phrase "ordered in 2014 and later cancelled" has no open
 * period.
 */
const createOpenEnds = (phrases: string, flags: { led?: true; earlier?: true } = {}) =>
  phrases.split('|').map((phrase) => ({ words: phrase.split(' '), ...flags }));
const OPEN_END_PHRASES: readonly { words: readonly string[]; led?: true; earlier?: true }[] = [
  ...createOpenEnds('onward|onwards|or after|or later|or onwards|and after|and later|and onwards'),
  ...createOpenEnds('on|forward', { led: true }),
  ...createOpenEnds('or before|or earlier|and before|and earlier', { earlier: true }),
];
const PHRASE_ENDS = new Set('? . , ! ; ) by per for in and with who which that'.split(' '));
const endsPhrase = (next: string | undefined): boolean => !next || PHRASE_ENDS.has(next);

/** In "March and May 2016", both months are in 2016. */
function readPeriodRange(
  tokens: readonly QuestionToken[],
  position: number,
  lead: number,
  context: TimeContext,
): TimeMention | null {
  let first = readNamedPeriod(tokens, position + lead, context);
  if (!first) return null;
  const middle = position + lead + first.length;
  const joiners = tokens[position]!.norm === 'between' ? ['and'] : ['to', 'through', '-'];
  if (!joiners.includes(tokens[middle]?.norm ?? '')) return null;
  const last = readNamedPeriod(tokens, middle + 1, context);
  if (!last) return null;
  const month = first.fault && !last.fault ? findMonth(tokens[position + lead]?.norm) : null;
  if (month)
    first = createPartSpan(
      createWordCursor(tokens, position + lead, context),
      last.start.year,
      'month',
      month,
      first.length,
    );
  const orderFault = last.end <= first.start ? 'the period ends before it starts' : undefined;
  const range = ({ start, end }: PeriodSpan): DateRange => ({ from: toIsoDate(start), to: toIsoDate(end) });
  return {
    length: lead + first.length + 1 + last.length,
    from: toIsoDate(first.start),
    to: toIsoDate(last.end),
    fault: first.fault ?? last.fault ?? orderFault,
    ...(first.unit && first.unit === last.unit && { ends: [range(first), range(last)] }),
  };
}
