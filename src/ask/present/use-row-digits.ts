// Rewrites the numbers of a sentence to the digits of the rows before checking it: "two films" becomes 2 films, and
// "$187,480.18" becomes 187480.1777, the cell that it rounds. "hall 1" names a row, so it isn't a number. A number that
// fits no cell, or several cells, stays unchanged, and the check then refuses it.

import type { Column, JsonScalar } from '../../contract/ask.ts';
import { isNumeric } from '../../contract/warehouse.ts';
import { findMeasureIndex } from '../../plan/lens-plan.ts';
import { splitWords, toPhraseKey } from '../../reader/words/phrase-key.ts';
import type { FetchedRows } from '../outcome.ts';
import { isGroupColumn, isStoredAsFraction, splitNameWords } from './column-names.ts';
import { formatNumber, multiplyByHundred, toPlainNumber } from './number-format.ts';
import { buildTimePatterns } from './prose/prose-words.ts';

export interface RewrittenAnswer {
  prose: string;
  /** The rows after the same replacement as in the prose: words instead of whole numbers that name rows or limits. */
  fetchedRows: FetchedRows;
}

const COUNTING_WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const HIGHEST_WORDS = 'highest largest biggest greatest most'.split(' ');
const LOWEST_WORDS = 'lowest smallest least fewest'.split(' ');
const AMOUNT_PATTERN = '-?\\d[\\d,]*(?:\\.\\d+)?';

export function rewriteWithRowDigits(prose: string, fetchedRows: FetchedRows): RewrittenAnswer {
  const { columns } = fetchedRows;
  const measures = columns.filter((column) => isNumeric(column.datatype) && !isGroupColumn(column, fetchedRows));
  const { fetchedRows: keyedRows, mentionPatterns: mentions } = replaceKeysWithWords(fetchedRows);
  const texts = keyedRows.rows
    .flatMap((row) => keyedRows.columns.filter(({ datatype }) => !isNumeric(datatype)).map(({ name }) => row[name]))
    .flatMap((cell) => (cell === null || String(cell).trim() === '' ? [] : [escapePattern(String(cell))]));
  const longestFirst = [...new Set(texts)].sort((a, b) => b.length - a.length);
  let text = prose.replace(/(?<![\p{L}\p{N}])[-\u2010-\u2015\u2212]([$€£¥])?(?=\d)/gu, (_all, sign = '') => `${sign}-`);
  for (const [pattern, token] of mentions) text = text.replace(pattern, token);
  const form = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${[...longestFirst, '(?!)'].join('|')})(?![\\p{L}\\p{N}])` +
      `|(?<![\\p{L}\\p{N}.])(?<amount>${AMOUNT_PATTERN})(?![\\p{L}\\p{N}]|[.,-]\\d)(?<percent> ?%)?` +
      `|(?<![\\p{L}\\p{N}-])(?<word>${COUNTING_WORDS.join('|')})(?![\\p{L}\\p{N}-])` +
      `|(?<![\\p{L}\\p{N}-])(?<none>no)(?= (?<what>\\p{L}+))` +
      `|(?<=(?<![\\p{L}\\p{N}])the )(?<extreme>${[...HIGHEST_WORDS, ...LOWEST_WORDS].join('|')})(?= (?<of>\\p{L}+))`,
    'giu',
  );
  const measureNames = new Set(measures.flatMap(({ name }) => splitNameWords(name, fetchedRows)).map(toPhraseKey));
  const rankLimit = findRankLimit(fetchedRows);
  text = text.replace(form, (matchedText: string, ...rest) => {
    const { amount, percent, word, none, what, extreme, of } = rest.at(-1) as Record<string, string | undefined>;
    if (amount) return replaceAmount(matchedText, amount, percent ?? '', measures, fetchedRows);
    if (word) {
      const count = COUNTING_WORDS.indexOf(word.toLowerCase());
      const isInRows = listCells(measures, fetchedRows).includes(String(count)) || count === fetchedRows.rows.length;
      return isInRows || count === rankLimit ? String(count) : matchedText;
    }
    if (none && measureNames.has(toPhraseKey(what!.toLowerCase())))
      return listCells(measures, fetchedRows).includes('0') && mentionsScope(prose, fetchedRows) ? '0' : matchedText;
    if (extreme && measureNames.has(toPhraseKey(of!.toLowerCase())))
      return findExtreme(HIGHEST_WORDS.includes(extreme.toLowerCase()), measures, fetchedRows) ?? matchedText;
    return matchedText;
  });
  return { prose: text, fetchedRows: keyedRows };
}

const escapePattern = (text: string): string => text.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&');
const formatDigits = (cell: JsonScalar): string => formatNumber(cell as string | number).replaceAll(',', '');
const listCells = (measures: Column[], { rows }: FetchedRows): string[] =>
  measures.flatMap(({ name }) =>
    rows.flatMap((row) => ((row[name] ?? null) === null ? [] : [toPlainNumber(formatDigits(row[name]!))])),
  );

function replaceAmount(
  matchedText: string,
  amount: string,
  percent: string,
  measures: Column[],
  fetchedRows: FetchedRows,
): string {
  const shares = measures.filter((column) => isStoredAsFraction(column, fetchedRows));
  const candidateColumns = percent && shares.length > 0 ? shares : measures;
  const scale = candidateColumns === shares ? multiplyByHundred : (digits: string) => digits;
  const cells = [...new Set(listCells(candidateColumns, fetchedRows))];
  const exactMatches = cells.filter((cell) => toPlainNumber(scale(cell)) === toPlainNumber(amount));
  if (exactMatches.length > 0) return candidateColumns === shares ? exactMatches[0]! : matchedText;
  const roundedMatches = cells.filter((cell) => isRoundedFrom(amount.replaceAll(',', ''), scale(cell)));
  return roundedMatches.length === 1
    ? `${roundedMatches[0]}${candidateColumns === shares ? '' : percent}`
    : matchedText;
}

/**
 * Whether `exactNumber`, rounded half up, is `roundedNumber`, which must have at least one decimal place and three
 * significant digits.
 */
function isRoundedFrom(roundedNumber: string, exactNumber: string): boolean {
  const [, fractionDigits = ''] = roundedNumber.split('.');
  const [, digits = ''] = exactNumber.split('.');
  if (fractionDigits === '' || fractionDigits.length >= digits.length || /e/i.test(exactNumber)) return false;
  if (roundedNumber.replace(/^-?[0.]*|\./g, '').length < 3) return false;
  const toScaledInteger = (text: string) =>
    BigInt(text.replace('.', '')) * 10n ** BigInt(digits.length - countDecimals(text));
  const [roundedInteger, exactInteger] = [toScaledInteger(roundedNumber), toScaledInteger(exactNumber)];
  if (roundedInteger < 0n !== exactInteger < 0n) return false;
  const unit = 10n ** BigInt(digits.length - fractionDigits.length);
  const difference =
    2n *
    ((roundedInteger < 0n ? -roundedInteger : roundedInteger) - (exactInteger < 0n ? -exactInteger : exactInteger));
  return difference > -unit && difference <= unit;
}
const countDecimals = (text: string): number => text.split('.')[1]?.length ?? 0;

/** A sentence that reports no result must name each filter and the time window. */
function mentionsScope(prose: string, fetchedRows: FetchedRows): boolean {
  const text = prose.toLowerCase();
  const { filters, time } = fetchedRows.plan.scope;
  return (
    filters.every(
      ({ op, values }) => op === '=' && values.every((value) => text.includes(String(value).toLowerCase())),
    ) &&
    (!time || buildTimePatterns(fetchedRows).some((pattern) => text.search(pattern) >= 0))
  );
}

/** The number of rows that the plan ranks, for "the top two". */
const findRankLimit = ({ plan }: FetchedRows): number | null => (plan.plan === 'compiled' ? plan.lensPlan.limit : null);

/** Returns the highest or lowest number if all candidates are among the rows and there is no tie. */
function findExtreme(isHighest: boolean, measures: Column[], fetchedRows: FetchedRows): string | null {
  const { plan, rows, more, bytesCut } = fetchedRows;
  if (plan.plan !== 'compiled' || measures.length !== 1 || rows.length < 2 || more || bytesCut) return null;
  const {
    order_by: order,
    limit,
    offset,
    limit_per: perGroup,
    having,
    measures: planMeasures,
    dimensions,
  } = plan.lensPlan;
  // With two dimensions, the highest number belongs to a pair and not to one label.
  if (planMeasures.length !== 1 || dimensions.length !== 1 || offset || perGroup || having.length > 0) return null;
  const [sortKey] = order;
  const isSorted =
    sortKey?.measure &&
    findMeasureIndex(planMeasures, sortKey.measure) >= 0 &&
    (sortKey.direction === 'desc') === isHighest;
  if (limit !== null && !isSorted) return null;
  const cells = listCells(measures, fetchedRows);
  const sortedCells = [...cells].sort((a, b) => (isHighest ? Number(b) - Number(a) : Number(a) - Number(b)));
  return Number(sortedCells[0]) === Number(sortedCells[1]) ? null : (sortedCells[0] ?? null);
}

/** Writes whole numbers that name rows (hall 1, the year 2020) as words in the rows, the filters and the prose. */
function replaceKeysWithWords(fetchedRows: FetchedRows): {
  fetchedRows: FetchedRows;
  mentionPatterns: [RegExp, string][];
} {
  const { rows, columns, plan } = fetchedRows;
  const keys = columns.filter((column) => isNumeric(column.datatype) && isGroupColumn(column, fetchedRows));
  const keysByToken = new Map<string, { name: string; value: string }>();
  const tokenOf = (name: string, value: JsonScalar): JsonScalar => {
    if (value === null || !/^\d+$/.test(String(value))) return value;
    const token = `key${splitWords(name).join('')}${String(value).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}`;
    keysByToken.set(token, { name, value: String(value) });
    return token;
  };
  const keyedRows = rows.map((row) => ({
    ...row,
    ...Object.fromEntries(keys.map(({ name }) => [name, tokenOf(name, row[name] ?? null)])),
  }));
  const filters = plan.scope.filters.map((filter) =>
    (filter.op === '=' || filter.op === 'in') && filter.values.every((value) => typeof value === 'number')
      ? { ...filter, values: filter.values.map((value) => tokenOf(filter.field.split('.').at(-1)!, value)) }
      : filter,
  );
  const keyedColumns = columns.map((column) =>
    keys.includes(column) ? { ...column, datatype: 'string', unit: null } : column,
  );
  return {
    fetchedRows: {
      ...fetchedRows,
      rows: keyedRows,
      columns: keyedColumns,
      plan: { ...plan, scope: { ...plan.scope, filters } },
    },
    mentionPatterns: [...keysByToken].flatMap(([token, { name, value }]) => createMentionPatterns(name, value, token)),
  };
}

function createMentionPatterns(name: string, value: string, token: string): [RegExp, string][] {
  const namePattern = escapePattern(name.replaceAll('_', ' '));
  const end = '(?![\\p{L}\\p{N}]|[.,-]\\d)';
  const list = `(?<=(?<![\\p{L}\\p{N}])${namePattern}s (?:(?:\\d+|key\\p{L}+)(?:, |,? and ))*)`;
  const forms: [RegExp, string][] = [
    [new RegExp(`${list}${value}${end}`, 'giu'), token],
    [new RegExp(`(?<![\\p{L}\\p{N}])${namePattern} ${value}${end}`, 'giu'), token],
    [new RegExp(`(?<=^|[;,.:] |, and )${value}(?=:)`, 'giu'), token],
  ];
  if (/(?:^|_)year$/.test(name))
    forms.push([new RegExp(`(?<=(?<![\\p{L}\\p{N}])(?:in|of|for|during|year) )${value}${end}`, 'giu'), token]);
  return forms;
}
