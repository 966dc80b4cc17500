// The words that a model's text can use: the words of the result and its limits, and small words that add nothing. The
// list is closed, because words alone can change what a number means: "not 350", "more than 350", "350 per customer",
// "fell to 350".

import { isNumeric } from '../../../contract/warehouse.ts';
import { findPlainMetricName } from '../../../plan/lens-plan.ts';
import { splitWords, toPhraseKey } from '../../../reader/words/phrase-key.ts';
import type { FetchedRows } from '../../outcome.ts';
import { splitNameWords } from '../column-names.ts';
import { toPlainNumber } from '../number-format.ts';
import { findWindowGrain, listLabelNames, listPeriodNames } from '../period-names.ts';

const NEUTRAL_WORDS = new Set(
  `a an the of in for and was were is are had has have with by from to at on during as it its this that came amounted
   stood recorded generated brought reached made answer result results figure figures according data shows show s
   there number where while`.split(/\s+/),
);
const PUNCTUATION_PATTERN = /^[\s.,;:()'’"“”\u2010-\u2015·-]*$/u;
const UNIT_OF_SYMBOL: Record<string, string> = { $: 'usd', '€': 'eur', '£': 'gbp', '¥': 'jpy', '%': '%' };
const UNIT_WORDS: Record<string, string[]> = {
  usd: ['dollar', 'us'],
  eur: ['euro'],
  gbp: ['pound'],
  '%': ['percent'],
  percent: ['percent'],
};
const DAY_MS = 86_400_000;

/** Returns a claim that is not supported by the result or by its stated limits, or null if every claim is supported. */
export function findUnsupportedPhrase(prose: string, fetchedRows: FetchedRows): string | null {
  const { rows, columns, plan } = fetchedRows;
  let rest = ` ${prose.toLowerCase()} `;
  for (const phrase of listAllowedPhrases(fetchedRows)) rest = removeStandalonePart(rest, phrase);
  // A number alone in parentheses could be mistaken for a negative number. After a name, it clearly belongs to the
  // name.
  if (/(?<!· *)\(\s*[$€£]?\d[\d,.]*\s*\)/.test(rest)) return 'a number in parentheses';
  for (const limit of buildTimePatterns(fetchedRows)) rest = rest.replace(limit, ' · ');
  const ranks = listAllowedRankWords(fetchedRows);
  for (const rank of ranks) if (rank.includes(' ')) rest = removeStandalonePart(rest, rank);
  const countableWords = new Set(['rows', 'results', ...listCountableNouns(fetchedRows)].map(toPhraseKey));
  rest = rest.replace(/(\d+) (\p{L}+)/gu, (match, count, noun) =>
    Number(count) === rows.length && countableWords.has(toPhraseKey(noun)) ? ' · ' : match,
  );
  if (isIncompleteList(prose, fetchedRows)) return 'a count that exceeds the named values';
  const cells = new Set(
    columns
      .filter(({ datatype }) => isNumeric(datatype))
      .flatMap(({ name }) => rows.map((row) => row[name]))
      .filter((value) => value !== null && value !== undefined)
      .map((value) => toPlainNumber(String(value))),
  );
  const units = columns.flatMap(({ unit }) => (unit ? [unit.toLowerCase()] : []));
  let numbers = 0;
  rest = rest.replace(
    /(?<![\p{L}\p{N}.-])([$€£¥]?)(-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)( ?%| \p{L}+)?/gu,
    (match, symbol: string, text: string, nextWord = '') => {
      const number = toPlainNumber(text);
      if (!cells.has(number) || !hasMatchingUnit(number, symbol, nextWord, fetchedRows)) return match;
      numbers++;
      return ` ${symbol}${nextWord}`;
    },
  );
  const unreadNumber = /[\p{L}\p{N}]*\p{N}[\p{L}\p{N}.,]*/u.exec(rest)?.[0];
  if (unreadNumber) return unreadNumber;
  if (cells.size > 0 && numbers === 0) return 'no number from the result';
  const allowedWords = new Set(
    [
      ...columns.flatMap((column) => splitNameWords(column.name, fetchedRows)),
      // The name of a field in a numeric filter isn't allowed, because a reader could take it for the name of a number
      // in the text.
      ...plan.scope.filters
        .filter(({ values }) => values.every((value) => typeof value === 'string'))
        .flatMap(({ field }) => splitNameWords(field, fetchedRows)),
      ...(rows.length > 1 && cells.size > 0 ? ['each'] : []),
      // The names of datasets aren't allowed next to numbers. "The customers are 350" would suggest that 350 counts
      // customers.
      ...(cells.size > 0
        ? []
        : plan.citations.filter(({ kind }) => kind === 'dataset').flatMap(({ name }) => splitWords(name))),
      ...ranks.filter((rank) => !rank.includes(' ')),
      ...units,
      ...units.flatMap((unit) => UNIT_WORDS[unit] ?? []),
    ].map(toPhraseKey),
  );
  for (const [symbol, unit] of Object.entries(UNIT_OF_SYMBOL))
    if (units.includes(unit)) rest = rest.replaceAll(symbol, ' ');
  for (const [word] of rest.matchAll(/[\p{L}\p{M}]+/gu))
    if (!NEUTRAL_WORDS.has(word) && !allowedWords.has(toPhraseKey(word))) return word;
  const sign = [...rest.replace(/[\p{L}\p{M}]+/gu, '')].find((character) => !PUNCTUATION_PATTERN.test(character));
  return sign ?? null;
}

/** Whether a unit next to a number is the unit of that number's column. */
function hasMatchingUnit(number: string, symbol: string, nextWord: string, { rows, columns }: FetchedRows): boolean {
  const word = nextWord.trim();
  const unitsOf = (unit: string) => [unit, ...(UNIT_WORDS[unit] ?? [])].map(toPhraseKey);
  const unitNames = columns.flatMap(({ unit }) => (unit ? unitsOf(unit.toLowerCase()) : []));
  const units = [
    ...(symbol ? [UNIT_OF_SYMBOL[symbol]!] : []),
    ...(word && unitNames.includes(toPhraseKey(word)) ? [word] : []),
  ].map(toPhraseKey);
  if (units.length === 0) return true;
  return columns
    .filter(({ name }) =>
      rows.some((row) => (row[name] ?? null) !== null && toPlainNumber(String(row[name])) === number),
    )
    .some(({ unit }) => unit !== null && units.every((item) => unitsOf(unit.toLowerCase()).includes(item)));
}

/**
 * Complete strings that the answer can contain: stored values of the rows and of their filters, and the limits as the
 * interpretation writes them.
 */
function listAllowedPhrases({ rows, columns, plan }: FetchedRows): string[] {
  const labels = columns.filter(({ datatype }) => !isNumeric(datatype)).map(({ name }) => name);
  const cells = rows
    .flatMap((row) => labels.map((name) => [name, row[name]] as const))
    .filter(([, cell]) => cell !== null);
  // A total over several values of a filter doesn't belong to any one of these values.
  const filterTexts = plan.scope.filters
    .filter(({ op, values }) => op === '=' || (op === 'in' && values.length === 1))
    .flatMap(({ values }) => values.filter((value) => typeof value === 'string'));
  const limits = plan.scope.sentence
    .replace(/[.\s]+$/, '')
    .split(/, (?=where |from |on )/)
    .slice(1);
  const spans = [
    ...cells.flatMap(([name, cell]) => listLabelNames(name, String(cell))),
    ...cells.flatMap(([, cell]) => (/^\d{4}-\d\d-\d\d/.test(String(cell)) ? [String(cell).slice(0, 10)] : [])),
    ...filterTexts,
    ...limits,
  ];
  return [...new Set(spans.map((text) => text.toLowerCase().trim()))]
    .filter((text) => text !== '')
    .sort((item, other) => other.length - item.length);
}

function removeStandalonePart(text: string, part: string): string {
  let position = text.indexOf(part);
  let rest = text;
  while (position >= 0) {
    const isStandalone =
      !/[\p{L}\p{N}]/u.test(rest[position - 1] ?? ' ') && !/[\p{L}\p{N}]/u.test(rest[position + part.length] ?? ' ');
    if (isStandalone) rest = `${rest.slice(0, position)} · ${rest.slice(position + part.length)}`;
    position = rest.indexOf(part, position + (isStandalone ? 3 : 1));
  }
  return rest;
}

/**
 * Phrases that mean exactly the time window. A phrase names a year, quarter or month only if the window covers that
 * whole period.
 */
export function buildTimePatterns({ plan: { scope } }: FetchedRows): RegExp[] {
  if (!scope.time) return [];
  const to = new Date(`${scope.time.to.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(Date.parse(scope.time.from)) || Number.isNaN(to.getTime())) return [];
  const last = new Date(to.getTime() - DAY_MS).toISOString().slice(0, 10);
  const first = scope.time.from.slice(0, 10);
  const patterns = [`from ${first} (?:to|through|until) ${last}`];
  const grain = findWindowGrain(scope.time);
  if (grain) patterns.push(`(?:in|of|for|during) (?:the year )?(?:${listPeriodNames(first, grain).join('|')})`);
  return patterns.map((text) => new RegExp(`(?<![\\p{L}\\p{N}])${text}(?![\\p{L}\\p{N}]|[.,-]\\d)`, 'gu'));
}

/** Allows "the top 2 regions" or "the highest revenue" only if the plan ranks this way and shows no other rows. */
function listAllowedRankWords({ plan, more }: FetchedRows): string[] {
  if (plan.plan !== 'compiled' || more) return [];
  const { order_by: order, limit, offset, limit_per: perGroup } = plan.lensPlan;
  const [sortKey] = order;
  if (!sortKey || limit === null || offset || perGroup || !sortKey.measure) return [];
  const measureWords = splitWords(findPlainMetricName(sortKey.measure) ?? '');
  const extremeWords = sortKey.direction === 'desc' ? 'highest largest most' : 'lowest smallest least fewest';
  const rankWord = sortKey.direction === 'desc' ? 'top' : 'bottom';
  return [...measureWords, ...(limit === 1 ? [rankWord, ...extremeWords.split(' ')] : [`${rankWord} ${limit}`])];
}

/** Detects an incomplete list: "There are 3: Consumer and Corporate". */
function isIncompleteList(prose: string, fetchedRows: FetchedRows): boolean {
  const { rows, columns } = fetchedRows;
  const [label] = columns;
  if (columns.length !== 1 || isNumeric(label!.datatype) || !new RegExp(`\\b${rows.length}\\b`).test(prose))
    return false;
  const mentionedRows = rows.filter((row) =>
    listLabelNames(label!.name, String(row[label!.name] ?? '')).some((name) =>
      prose.toLowerCase().includes(name.toLowerCase()),
    ),
  );
  return mentionedRows.length > 0 && mentionedRows.length < rows.length;
}

/** The nouns that can follow the number of rows: words for the row label, if all labels are distinct. */
function listCountableNouns({ rows, columns, more }: FetchedRows): string[] {
  const labels = columns.filter(({ datatype }) => !isNumeric(datatype));
  const [label] = labels;
  if (more || labels.length !== 1 || new Set(rows.map((row) => row[label!.name])).size < rows.length) return [];
  return splitWords(label!.name);
}
