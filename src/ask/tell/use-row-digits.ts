// Rewrites the numbers of a sentence to the digits of the rows before checking it: "two films" becomes 2 films, and
// "$187,480.18" becomes 187480.1777, which it rounds. "hall 1" names a row, so it isn't a number. A number that fits no
// cell, or several cells, stays and is refused.

import type { Column, JsonValue } from '../../contract/ask.ts';
import { placeOf } from '../../plan/lens-plan.ts';
import { isNumeric } from '../../reader/words/datatypes.ts';
import { phraseKey, words } from '../../reader/words/phrase-key.ts';
import type { FetchedRows } from '../outcome.ts';
import { isKey, namesOf } from './column-names.ts';
import { formatNumber, plainNumber, timesHundred } from './number-format.ts';
import { timePatterns } from './prose/prose-words.ts';
import { isStoredAsFraction } from './share-columns.ts';

export interface RenderedAnswer {
  prose: string;
  /** The rows, with whole numbers that name rows or limits as words, the same as in the prose. */
  fetched: FetchedRows;
}

const COUNTING = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const HIGHEST_WORDS = 'highest largest biggest greatest most'.split(' ');
const LOWEST_WORDS = 'lowest smallest least fewest'.split(' ');
const AMOUNT = '-?\\d[\\d,]*(?:\\.\\d+)?';

export function useRowDigits(prose: string, fetched: FetchedRows): RenderedAnswer {
  const { columns } = fetched;
  const measures = columns.filter((column) => isNumeric(column.datatype) && !isKey(column, fetched));
  const { fetched: keyed, mentions } = withKeysNamed(fetched);
  const texts = keyed.rows
    .flatMap((row) => keyed.columns.filter(({ datatype }) => !isNumeric(datatype)).map(({ name }) => row[name]))
    .flatMap((cell) => (cell === null || String(cell).trim() === '' ? [] : [escaped(String(cell))]));
  const longestFirst = [...new Set(texts)].sort((item, other) => other.length - item.length);
  let text = prose.replace(/(?<![\p{L}\p{N}])[-\u2010-\u2015\u2212]([$€£¥])?(?=\d)/gu, (_all, sign = '') => `${sign}-`);
  for (const [pattern, token] of mentions) text = text.replace(pattern, token);
  const form = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${[...longestFirst, '(?!)'].join('|')})(?![\\p{L}\\p{N}])` +
      `|(?<![\\p{L}\\p{N}.])(?<amount>${AMOUNT})(?![\\p{L}\\p{N}]|[.,-]\\d)(?<percent> ?%)?` +
      `|(?<![\\p{L}\\p{N}-])(?<word>${COUNTING.join('|')})(?![\\p{L}\\p{N}-])` +
      `|(?<![\\p{L}\\p{N}-])(?<none>no)(?= (?<what>\\p{L}+))` +
      `|(?<=(?<![\\p{L}\\p{N}])the )(?<extreme>${[...HIGHEST_WORDS, ...LOWEST_WORDS].join('|')})(?= (?<of>\\p{L}+))`,
    'giu',
  );
  const measureNames = new Set(measures.flatMap(({ name }) => namesOf(name, fetched)).map(phraseKey));
  const ranked = rankedSize(fetched);
  text = text.replace(form, (all: string, ...rest) => {
    const { amount, percent, word, none, what, extreme, of } = rest.at(-1) as Record<string, string | undefined>;
    if (amount) return cellText(all, amount, percent ?? '', measures, fetched);
    if (word) {
      const count = COUNTING.indexOf(word.toLowerCase());
      const isInRows = cellsOf(measures, fetched).includes(String(count)) || count === fetched.rows.length;
      return isInRows || count === ranked ? String(count) : all;
    }
    if (none && measureNames.has(phraseKey(what!.toLowerCase())))
      return cellsOf(measures, fetched).includes('0') && mentionsLimits(prose, fetched) ? '0' : all;
    if (extreme && measureNames.has(phraseKey(of!.toLowerCase())))
      return extremeOf(HIGHEST_WORDS.includes(extreme.toLowerCase()), measures, fetched) ?? all;
    return all;
  });
  return { prose: text, fetched: keyed };
}

const escaped = (text: string): string => text.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&');
const digitsOf = (cell: JsonValue): string => formatNumber(cell as string | number).replaceAll(',', '');
const cellsOf = (measures: Column[], { rows }: FetchedRows): string[] =>
  measures.flatMap(({ name }) =>
    rows.flatMap((row) => ((row[name] ?? null) === null ? [] : [plainNumber(digitsOf(row[name]!))])),
  );

function cellText(all: string, amount: string, percent: string, measures: Column[], fetched: FetchedRows): string {
  const shares = measures.filter((column) => isStoredAsFraction(column, fetched));
  const candidateColumns = percent && shares.length > 0 ? shares : measures;
  const scale = candidateColumns === shares ? timesHundred : (digits: string) => digits;
  const cells = [...new Set(cellsOf(candidateColumns, fetched))];
  const exact = cells.filter((cell) => plainNumber(scale(cell)) === plainNumber(amount));
  if (exact.length > 0) return candidateColumns === shares ? exact[0]! : all;
  const roundedMatches = cells.filter((cell) => isRoundedFrom(amount.replaceAll(',', ''), scale(cell)));
  return roundedMatches.length === 1 ? `${roundedMatches[0]}${candidateColumns === shares ? '' : percent}` : all;
}

/** Whether a number is another one rounded half up, with at least one decimal place and three significant digits. */
function isRoundedFrom(rounded: string, exact: string): boolean {
  const [, fractionDigits = ''] = rounded.split('.');
  const [, digits = ''] = exact.split('.');
  if (fractionDigits === '' || fractionDigits.length >= digits.length || /e/i.test(exact)) return false;
  if (rounded.replace(/^-?[0.]*|\./g, '').length < 3) return false;
  const toScaledInteger = (text: string) =>
    BigInt(text.replace('.', '')) * 10n ** BigInt(digits.length - decimals(text));
  const [one, other] = [toScaledInteger(rounded), toScaledInteger(exact)];
  if (one < 0n !== other < 0n) return false;
  const unit = 10n ** BigInt(digits.length - fractionDigits.length);
  const over = 2n * ((one < 0n ? -one : one) - (other < 0n ? -other : other));
  return over > -unit && over <= unit;
}
const decimals = (text: string): number => text.split('.')[1]?.length ?? 0;

/** A sentence that reports no result must name each filter and the time window. */
function mentionsLimits(prose: string, fetched: FetchedRows): boolean {
  const text = prose.toLowerCase();
  const { filters, time } = fetched.plan.scope;
  return (
    filters.every(
      ({ op, values }) => op === '=' && values.every((value) => text.includes(String(value).toLowerCase())),
    ) &&
    (!time || timePatterns(fetched).some((when) => text.search(when) >= 0))
  );
}

/** The number of rows that the plan ranks, for "the top two". */
const rankedSize = ({ plan }: FetchedRows): number | null => (plan.plan === 'compiled' ? plan.lensPlan.limit : null);

/** Returns the highest or lowest number if all candidates are among the rows and there is no tie. */
function extremeOf(highest: boolean, measures: Column[], fetched: FetchedRows): string | null {
  const { plan, rows, more, bytesCut } = fetched;
  if (plan.plan !== 'compiled' || measures.length !== 1 || rows.length < 2 || more || bytesCut) return null;
  const { order_by: order, limit, offset, limit_per: perGroup, having, measures: used, dimensions } = plan.lensPlan;
  // With two dimensions, the highest number belongs to a pair and not to one label.
  if (used.length !== 1 || dimensions.length !== 1 || offset || perGroup || having.length > 0) return null;
  const [by] = order;
  const isSorted = by?.measure && placeOf(used, by.measure) >= 0 && (by.direction === 'desc') === highest;
  if (limit !== null && !isSorted) return null;
  const cells = cellsOf(measures, fetched);
  const sorted = [...cells].sort((cell, other) =>
    highest ? Number(other) - Number(cell) : Number(cell) - Number(other),
  );
  return Number(sorted[0]) === Number(sorted[1]) ? null : (sorted[0] ?? null);
}

/** Writes whole numbers that name rows (hall 1, the year 2020) as words in the rows, the filters and the prose. */
function withKeysNamed(fetched: FetchedRows): { fetched: FetchedRows; mentions: [RegExp, string][] } {
  const { rows, columns, plan } = fetched;
  const keys = columns.filter((column) => isNumeric(column.datatype) && isKey(column, fetched));
  const keysByToken = new Map<string, { name: string; value: string }>();
  const tokenOf = (name: string, value: JsonValue): JsonValue => {
    if (value === null || !/^\d+$/.test(String(value))) return value;
    const token = `key${words(name).join('')}${String(value).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}`;
    keysByToken.set(token, { name, value: String(value) });
    return token;
  };
  const keyed = rows.map((row) => ({
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
    fetched: { ...fetched, rows: keyed, columns: keyedColumns, plan: { ...plan, scope: { ...plan.scope, filters } } },
    mentions: [...keysByToken].flatMap(([token, { name, value }]) => mentionsOf(name, value, token)),
  };
}

function mentionsOf(name: string, value: string, token: string): [RegExp, string][] {
  const called = escaped(name.replaceAll('_', ' '));
  const end = '(?![\\p{L}\\p{N}]|[.,-]\\d)';
  const list = `(?<=(?<![\\p{L}\\p{N}])${called}s (?:(?:\\d+|key\\p{L}+)(?:, |,? and ))*)`;
  const forms: [RegExp, string][] = [
    [new RegExp(`${list}${value}${end}`, 'giu'), token],
    [new RegExp(`(?<![\\p{L}\\p{N}])${called} ${value}${end}`, 'giu'), token],
    [new RegExp(`(?<=^|[;,.:] |, and )${value}(?=:)`, 'giu'), token],
  ];
  if (/(?:^|_)year$/.test(name))
    forms.push([new RegExp(`(?<=(?<![\\p{L}\\p{N}])(?:in|of|for|during|year) )${value}${end}`, 'giu'), token]);
  return forms;
}
