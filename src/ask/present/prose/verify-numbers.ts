// Compares the numbers in prose with a proven answer. Finds each number in the cells, in the rounded cells, or after
// the same words in the interpretation.
import type { JsonScalar, Scope } from '../../../contract/ask.ts';
import type { StatedNumber } from '../../../contract/verify.ts';
import { Problem } from '../../../platform/problem.ts';
import { countSignificantDigits } from '../../run/fetch-rows.ts';
import { KnownNames } from '../known-names.ts';
import { multiplyByHundred, toPlainNumber } from '../number-format.ts';
import { findWindowGrain, listLabelNames, listPeriodNames } from '../period-names.ts';
import { containsNumber, type NumberToken, readNumbers } from './read-numbers.ts';

/** The answer as svc served it. The hash confirms the rows, and the log confirms the rest. */
export interface VerifiedContent {
  rows: readonly Record<string, JsonScalar>[];
  scope: Scope | null;
  /** The answer and its interpretation. The text to verify can repeat these sentences word for word. */
  sentences: string[];
  /** Days and names in the answer that aren't in the rows. */
  names: string[];
}
export const NO_VERIFIED_CONTENT: VerifiedContent = { rows: [], scope: null, sentences: [], names: [] };

const MAX_NUMBERS = 200;
const NUMBER_TEXT_PATTERN = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const ISO_DATE_PATTERN = /^\d{4}-\d{2}-\d{2}/;

/**
 * Compares the numbers of the text with the answer. Digits in names, days and periods don't count as numbers. Yields
 * between rows, so that other requests can run.
 */
export function* verifyNumbers(text: string, content: VerifiedContent): Generator<void, StatedNumber[]> {
  const { names, years } = yield* collectKnownWords(content);
  const mentionedNumbers = (yield* readNumbers(text, names)).filter(
    (item) => !mentionsYear(text, item, years, content),
  );
  const repeatedSpans = findSentenceSpans(text, content.sentences);
  const isRepeated = ({ at, end }: NumberToken) => repeatedSpans.some(([from, to]) => from <= at && end <= to);
  const numbers =
    mentionedNumbers.length > MAX_NUMBERS ? mentionedNumbers.filter((item) => !isRepeated(item)) : mentionedNumbers;
  if (numbers.length > MAX_NUMBERS) throw createTooManyNumbersProblem(numbers.length);
  const statedNumbers = yield* matchRows(numbers, content.rows);
  const limits = yield* collectScopeNumbers(content.scope);
  return statedNumbers
    .map((mention, index) => {
      const number = numbers[index]!;
      const isResolved = mention.row !== null || number.value === null;
      return !isResolved && (isScopeNumber(text, number, limits) || countsRows(text, number, content))
        ? { ...mention, value: number.value }
        : mention;
    })
    .filter(({ value }, index) => value !== null || !isRepeated(numbers[index]!));
}

function* matchRows(numbers: readonly NumberToken[], rows: VerifiedContent['rows']): Generator<void, StatedNumber[]> {
  const statedNumbers = numbers.map(
    ({ text }): StatedNumber => ({ text, value: null, row: null, column: null, rounds: false }),
  );
  for (const [index, row] of rows.entries()) {
    for (const [column, value] of Object.entries(row)) {
      if (value === null || !NUMBER_TEXT_PATTERN.test(String(value))) continue;
      for (const [numberIndex, number] of numbers.entries()) {
        const statedNumber = statedNumbers[numberIndex]!;
        if (statedNumber.row !== null && !statedNumber.rounds) continue;
        const cellMatch = matchCell(number, String(value));
        if (cellMatch && (statedNumber.row === null || cellMatch === 'exact'))
          statedNumbers[numberIndex] = {
            text: statedNumber.text,
            value,
            row: index + 1,
            column,
            rounds: cellMatch === 'rounds',
          };
      }
    }
    yield;
  }
  return statedNumbers;
}

const MAX_ROUNDING_ERROR = 0.1; // "1 million" isn't a rounding of 600,000

/** A share can also be written as a percentage. */
function matchCell(
  { value, digits, maxRoundingError, isPercent, containsWord }: NumberToken,
  cell: string,
): 'exact' | 'rounds' | null {
  if (value === null) return null;
  for (const candidate of isPercent ? [cell, multiplyByHundred(cell)] : [cell]) {
    if (!containsWord && toPlainNumber(candidate) === toPlainNumber(digits)) return 'exact';
    const difference = Math.abs(Number(candidate) - value);
    if (countSignificantDigits(digits) > 15) continue;
    if (containsWord && difference === 0) return 'exact';
    if (difference <= maxRoundingError * (1 + 1e-9) && difference <= Math.abs(Number(candidate)) * MAX_ROUNDING_ERROR)
      return 'rounds';
  }
  return null;
}

interface KnownWords {
  names: KnownNames;
  years: Set<string>;
}
function* collectKnownWords({ rows, scope, names: provenNames }: VerifiedContent): Generator<void, KnownWords> {
  const knownWords: KnownWords = { names: new KnownNames(), years: new Set() };
  for (const column of Object.keys(rows[0] ?? {})) {
    addName(knownWords, column);
    addName(knownWords, column.replaceAll('_', ' '));
  }
  for (const row of rows) {
    for (const [column, value] of Object.entries(row))
      if (typeof value === 'string') for (const name of listLabelNames(column, value)) addName(knownWords, name);
    yield;
  }
  for (const name of provenNames) if (containsNumber(name)) knownWords.names.add(name);
  for (const value of scope?.filters.flatMap(({ values }) => values) ?? []) addName(knownWords, String(value));
  const { time } = scope ?? {};
  if (!time) return knownWords;
  const grain = findWindowGrain(time);
  for (const name of [time.from, findLastDay(time.to), ...(grain ? listPeriodNames(time.from, grain) : [])])
    addName(knownWords, name);
  return knownWords;
}

/** The last day of a time window, whose end is exclusive. */
const findLastDay = (end: string): string => new Date(Date.parse(end) - 1).toISOString().slice(0, 10);

function addName({ names, years }: KnownWords, name: string): void {
  if (!NUMBER_TEXT_PATTERN.test(name) && containsNumber(name)) names.add(name);
  if (!ISO_DATE_PATTERN.test(name)) return;
  years.add(name.slice(0, 4));
  for (const length of [7, 10]) names.add(name.slice(0, length));
}

const YEAR_PATTERN = /^(?:19|20)\d\d$/;
const BEFORE_YEAR_PATTERN =
  /(?<!\p{L})(?:in|during|for|since|before|after|from|between|until|through|years?|im|jahr|seit)\s+(?:the\s+years?\s+)?$/iu;
const BETWEEN_YEARS_PATTERN = /(?:19|20)\d\d\s*(?:,|to|and|or|through|until|vs\.?|bis|und|[-–/])\s*(?:and\s+)?$/iu;
const AMOUNT_PATTERN = /^\s*(?:[%$€£¥]|[A-Z]{3}(?!\p{L})|dollars?(?!\p{L})|euros?(?!\p{L})|percent)/u;

/** Whether the number is a year of the answer, used as a date and not as an amount. */
function mentionsYear(
  text: string,
  { text: word, at, end }: NumberToken,
  years: Set<string>,
  { rows, scope }: VerifiedContent,
): boolean {
  if (!YEAR_PATTERN.test(word) || !years.has(word)) return false;
  const precedingText = text.slice(Math.max(0, at - 40), at);
  if (scope?.time && precedingText.toLowerCase().endsWith(`${toFieldLabel(scope.time.field)}: `)) return true;
  const nextWord = findNextWord(text, end);
  const isRowCount =
    nextWord !== '' && Object.keys(rows[0] ?? {}).some((column) => splitWords(column).includes(nextWord));
  return (
    (BEFORE_YEAR_PATTERN.test(precedingText) || BETWEEN_YEARS_PATTERN.test(precedingText)) &&
    !AMOUNT_PATTERN.test(text.slice(end, end + 20)) &&
    !isRowCount
  );
}

/** The positions where the text repeats a sentence word for word. */
function findSentenceSpans(text: string, sentences: readonly string[]): [number, number][] {
  const spans: [number, number][] = [];
  for (const sentence of sentences) {
    const span = sentence.replace(/[.\s]{1,10}$/, '');
    if (span === '') continue;
    for (let position = text.indexOf(span); position >= 0; position = text.indexOf(span, position + span.length))
      spans.push([position, position + span.length]);
  }
  return spans;
}

const MAX_PRECEDING_WORDS = 4;

interface ScopeNumber {
  digits: string;
  precedingWords: string[];
}
/**
 * The numbers of the interpretation ("top 5", "quantity is at least 3", "quantity: 3"), each with the words that
 * precede it in its clause.
 */
function* collectScopeNumbers(scope: Scope | null): Generator<void, ScopeNumber[]> {
  const sentence = scope?.sentence ?? '';
  const mentionedNumbers = yield* readNumbers(sentence, new KnownNames());
  const equalityLimits = (scope?.filters ?? []).flatMap(({ field, op, values }) =>
    op === '=' && NUMBER_TEXT_PATTERN.test(String(values[0]))
      ? [{ digits: toPlainNumber(String(values[0])), precedingWords: splitWords(toFieldLabel(field)) }]
      : [],
  );
  const numberLimits = mentionedNumbers
    .filter(({ value }) => value !== null)
    .map(({ digits, at }) => ({
      digits: toPlainNumber(digits),
      precedingWords: splitWords(/[^,;:.]*$/.exec(sentence.slice(0, at))![0]).slice(-MAX_PRECEDING_WORDS),
    }))
    .filter(({ precedingWords }) => precedingWords.length > 0);
  return [...equalityLimits, ...numberLimits];
}

const isScopeNumber = (text: string, { digits, at }: NumberToken, limits: readonly ScopeNumber[]): boolean => {
  const precedingWords = splitWords(text.slice(Math.max(0, at - 100), at));
  return limits.some(
    (limit) =>
      limit.digits === toPlainNumber(digits) &&
      limit.precedingWords.every(
        (word, index) => word === precedingWords[precedingWords.length - limit.precedingWords.length + index],
      ),
  );
};

/** The name of a field as answers write it: "order date" for orders.order_date. */
const toFieldLabel = (field: string): string => field.slice(field.lastIndexOf('.') + 1).replaceAll('_', ' ');
const findNextWord = (text: string, end: number): string => splitWords(text.slice(end, end + 60))[0] ?? '';
const splitWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Recognizes "4 rows", and "4 regions" for a column of regions. */
function countsRows(text: string, { value, end }: NumberToken, { rows }: VerifiedContent): boolean {
  const word = findNextWord(text, end);
  const countableWords = ['row', 'result', ...Object.keys(rows[0] ?? {}).flatMap(splitWords)];
  return value === rows.length && countableWords.some((item) => word === item || word === `${item}s`);
}

const createTooManyNumbersProblem = (count: number): Problem =>
  new Problem('invalid', `The text has ${count} numbers; the limit is ${MAX_NUMBERS}.`, {
    details: [{ path: 'text', code: 'too_many', message: `At most ${MAX_NUMBERS} numbers.` }],
  });
