// Compares the numbers in prose with a proven answer. Each number is a cell, a rounded cell, a number of the
// interpretation after the same words, or not found.
import type { JsonValue, Scope } from '../../../contract/ask.ts';
import type { StatedNumber } from '../../../contract/verify.ts';
import { Problem } from '../../../platform/problem.ts';
import { significantDigits } from '../../run/fetch-rows.ts';
import { KnownNames } from '../known-names.ts';
import { plainNumber, timesHundred } from '../number-format.ts';
import { labelNames, periodNames, windowGrain } from '../period-names.ts';
import { holdsNumber, type ReadNumber, readNumbers } from './read-numbers.ts';

/** The answer as svc served it. The hash confirms the rows, and the log confirms the rest. */
export interface Proven {
  rows: readonly Record<string, JsonValue>[];
  scope: Scope | null;
  /** Sentences that can be repeated in full: the answer and its interpretation. */
  sentences: string[];
  /** Days and names that aren't in the rows. */
  names: string[];
}
export const NOTHING_PROVEN: Proven = { rows: [], scope: null, sentences: [], names: [] };

const MAX_NUMBERS = 200;
const ALL_NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}/;

/** Leaves out names, days and periods of the answer, because they aren't numbers. Pauses between rows. */
export function* verifyNumbers(text: string, proven: Proven): Generator<void, StatedNumber[]> {
  const { names, years } = yield* namesOf(proven);
  const read = (yield* readNumbers(text, names)).filter((item) => !namesYear(text, item, years, proven));
  const repeated = spansOf(text, proven.sentences);
  const isRepeated = ({ at, end }: ReadNumber) => repeated.some(([from, to]) => from <= at && end <= to);
  const numbers = read.length > MAX_NUMBERS ? read.filter((item) => !isRepeated(item)) : read;
  if (numbers.length > MAX_NUMBERS) throw tooMany(numbers.length);
  const found = yield* inRows(numbers, proven.rows);
  const limits = yield* limitsOf(proven.scope);
  return found
    .map((mention, index) => {
      const number = numbers[index]!;
      const isResolved = mention.row !== null || number.value === null;
      return !isResolved && (isLimit(text, number, limits) || countsRows(text, number, proven))
        ? { ...mention, value: number.value }
        : mention;
    })
    .filter(({ value }, index) => value !== null || !isRepeated(numbers[index]!));
}

function* inRows(numbers: readonly ReadNumber[], rows: Proven['rows']): Generator<void, StatedNumber[]> {
  const found = numbers.map(
    ({ text }): StatedNumber => ({ text, value: null, row: null, column: null, rounds: false }),
  );
  for (const [index, row] of rows.entries()) {
    for (const [column, value] of Object.entries(row)) {
      if (value === null || !ALL_NUMBER.test(String(value))) continue;
      for (const [numberIndex, number] of numbers.entries()) {
        const statedNumber = found[numberIndex]!;
        if (statedNumber.row !== null && !statedNumber.rounds) continue;
        const fit = fitOf(number, String(value));
        if (fit && (statedNumber.row === null || fit === 'exact'))
          found[numberIndex] = { text: statedNumber.text, value, row: index + 1, column, rounds: fit === 'rounds' };
      }
    }
    yield;
  }
  return found;
}

const LARGEST_ERROR = 0.1; // "1 million" isn't a rounding of 600,000

/** A share can also be written in percent. */
function fitOf({ value, digits, half, percent, worded }: ReadNumber, cell: string): 'exact' | 'rounds' | null {
  if (value === null) return null;
  for (const candidate of percent ? [cell, timesHundred(cell)] : [cell]) {
    if (!worded && plainNumber(candidate) === plainNumber(digits)) return 'exact';
    const off = Math.abs(Number(candidate) - value);
    if (significantDigits(digits) > 15) continue;
    if (worded && off === 0) return 'exact';
    if (off <= half * (1 + 1e-9) && off <= Math.abs(Number(candidate)) * LARGEST_ERROR) return 'rounds';
  }
  return null;
}

interface KnownWords {
  names: KnownNames;
  years: Set<string>;
}
function* namesOf({ rows, scope, names: provenNames }: Proven): Generator<void, KnownWords> {
  const knownWords: KnownWords = { names: new KnownNames(), years: new Set() };
  for (const column of Object.keys(rows[0] ?? {})) {
    addName(knownWords, column);
    addName(knownWords, column.replaceAll('_', ' '));
  }
  for (const row of rows) {
    for (const [column, value] of Object.entries(row))
      if (typeof value === 'string') for (const name of labelNames(column, value)) addName(knownWords, name);
    yield;
  }
  for (const name of provenNames) if (holdsNumber(name)) knownWords.names.add(name);
  for (const value of scope?.filters.flatMap(({ values }) => values) ?? []) addName(knownWords, String(value));
  const { time } = scope ?? {};
  if (!time) return knownWords;
  const grain = windowGrain(time);
  for (const name of [time.from, lastDay(time.to), ...(grain ? periodNames(time.from, grain) : [])])
    addName(knownWords, name);
  return knownWords;
}

/** The window excludes its end. */
const lastDay = (end: string): string => new Date(Date.parse(end) - 1).toISOString().slice(0, 10);

function addName({ names, years }: KnownWords, name: string): void {
  if (!ALL_NUMBER.test(name) && holdsNumber(name)) names.add(name);
  if (!ISO_DATE.test(name)) return;
  years.add(name.slice(0, 4));
  for (const length of [7, 10]) names.add(name.slice(0, length));
}

const YEAR = /^(?:19|20)\d\d$/;
const BEFORE_YEAR =
  /(?<!\p{L})(?:in|during|for|since|before|after|from|between|until|through|years?|im|jahr|seit)\s+(?:the\s+years?\s+)?$/iu;
const BETWEEN_YEARS = /(?:19|20)\d\d\s*(?:,|to|and|or|through|until|vs\.?|bis|und|[-–/])\s*(?:and\s+)?$/iu;
const AMOUNT = /^\s*(?:[%$€£¥]|[A-Z]{3}(?!\p{L})|dollars?(?!\p{L})|euros?(?!\p{L})|percent)/u;

/** Whether the number is a year of the answer, used as a date and not as an amount. */
function namesYear(
  text: string,
  { text: word, at, end }: ReadNumber,
  years: Set<string>,
  { rows, scope }: Proven,
): boolean {
  if (!YEAR.test(word) || !years.has(word)) return false;
  const before = text.slice(Math.max(0, at - 40), at);
  if (scope?.time && before.toLowerCase().endsWith(`${labelOf(scope.time.field)}: `)) return true;
  const next = wordAfter(text, end);
  const counts = next !== '' && Object.keys(rows[0] ?? {}).some((column) => wordsOf(column).includes(next));
  return (BEFORE_YEAR.test(before) || BETWEEN_YEARS.test(before)) && !AMOUNT.test(text.slice(end, end + 20)) && !counts;
}

/** The positions where the text repeats a sentence word for word. */
function spansOf(text: string, sentences: readonly string[]): [number, number][] {
  const spans: [number, number][] = [];
  for (const sentence of sentences) {
    const span = sentence.replace(/[.\s]{1,10}$/, '');
    if (span === '') continue;
    for (let position = text.indexOf(span); position >= 0; position = text.indexOf(span, position + span.length))
      spans.push([position, position + span.length]);
  }
  return spans;
}

const MAX_WORDS_BEHIND = 4;

interface Limit {
  digits: string;
  behind: string[];
}
/**
 * The numbers of the interpretation ("top 5", "quantity is at least 3", "quantity: 3"), each with the words of its
 * clause before it.
 */
function* limitsOf(scope: Scope | null): Generator<void, Limit[]> {
  const reading = scope?.sentence ?? '';
  const read = yield* readNumbers(reading, new KnownNames());
  const equal = (scope?.filters ?? []).flatMap(({ field, op, values }) =>
    op === '=' && ALL_NUMBER.test(String(values[0]))
      ? [{ digits: plainNumber(String(values[0])), behind: wordsOf(labelOf(field)) }]
      : [],
  );
  const written = read
    .filter(({ value }) => value !== null)
    .map(({ digits, at }) => ({
      digits: plainNumber(digits),
      behind: wordsOf(/[^,;:.]*$/.exec(reading.slice(0, at))![0]).slice(-MAX_WORDS_BEHIND),
    }))
    .filter(({ behind }) => behind.length > 0);
  return [...equal, ...written];
}

const isLimit = (text: string, { digits, at }: ReadNumber, limits: readonly Limit[]): boolean => {
  const before = wordsOf(text.slice(Math.max(0, at - 100), at));
  return limits.some(
    (limit) =>
      limit.digits === plainNumber(digits) &&
      limit.behind.every((word, index) => word === before[before.length - limit.behind.length + index]),
  );
};

/** The name of a field in answers: "order date" for orders.order_date. */
const labelOf = (field: string): string => field.slice(field.lastIndexOf('.') + 1).replaceAll('_', ' ');
const wordAfter = (text: string, end: number): string => wordsOf(text.slice(end, end + 60))[0] ?? '';
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Recognizes "4 rows", and "4 regions" for a column of regions. */
function countsRows(text: string, { value, end }: ReadNumber, { rows }: Proven): boolean {
  const word = wordAfter(text, end);
  const counted = ['row', 'result', ...Object.keys(rows[0] ?? {}).flatMap(wordsOf)];
  return value === rows.length && counted.some((item) => word === item || word === `${item}s`);
}

const tooMany = (count: number): Problem =>
  new Problem('invalid', `The text has ${count} numbers; the limit is ${MAX_NUMBERS}.`, {
    details: [{ path: 'text', code: 'too_many', message: `At most ${MAX_NUMBERS} numbers.` }],
  });
