// Finds code lists in the rows of a code table, where one column names the list (the domain), one has the codes, and one
// describes them. Then finds the list that a column uses.
import { spacedWords } from '../../../lens/model/name-words.ts';
import type { CatalogTable } from '../../ports.ts';

/** The columns of a table that can have the domains, the codes and the descriptions. */
export interface CodeTableReading {
  domain: string;
  code: string;
  /** The most probable description comes first. */
  descriptions: string[];
}
export interface CodeList {
  table: CatalogTable;
  domain: string;
  /** The synonyms of each code. */
  meanings: ReadonlyMap<string, string[]>;
}
/** A column whose values can be codes without known meanings. */
export interface OpenColumn {
  table: CatalogTable;
  name: string;
  comment: string | null;
  /** The words for a row of the table, and the words of the column's name. */
  rowWords: string[];
  words: string[];
  values: string[];
  isSampled: boolean;
}
export type CodeRow = Readonly<Record<string, string>>;

const MAX_LENGTH = { domain: 60, code: 20, meaning: 100 };
const MIN_DISTINCT_SHARE = 0.9;

/** Returns no lists if the rows contradict the reading. */
export function toCodeLists(table: CatalogTable, reading: CodeTableReading, rows: readonly CodeRow[]): CodeList[] {
  const { domain, code } = reading;
  const isLong = (row: CodeRow) => row[domain]!.length > MAX_LENGTH.domain || row[code]!.length > MAX_LENGTH.code;
  if (countDistinct(rows, domain, code) < rows.length || rows.some(isLong)) return [];
  const [description, ...others] = reading.descriptions.filter((name) => isDescription(rows, reading, name));
  if (!description) return [];
  // A code table can have its descriptions in several languages, such as label and label_en.
  const firstWordOf = (name: string) => spacedWords(name).split(' ')[0];
  const columns = [description, ...others.filter((name) => firstWordOf(name) === firstWordOf(description))];
  const lists = new Map<string, Map<string, string[]>>();
  for (const row of rows) {
    const meanings = lists.get(row[domain]!) ?? new Map<string, string[]>();
    lists.set(row[domain]!, meanings);
    meanings.set(row[code]!, [...new Set(columns.flatMap((name) => toSynonyms(row[name]!)))]);
  }
  const hasSeveralLists = [...lists.values()].filter(({ size }) => size > 1).length > 1;
  return hasSeveralLists
    ? [...lists].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, meanings]) => ({ table, domain: name, meanings }))
    : [];
}
const countDistinct = (rows: readonly CodeRow[], domain: string, column: string): number =>
  new Set(rows.map((row) => JSON.stringify([row[domain], row[column]!.toLowerCase()]))).size;

function isDescription(rows: readonly CodeRow[], { domain, code }: CodeTableReading, column: string): boolean {
  const describedRows = rows.filter((row) => row[column] !== '');
  const lengthOf = (name: string) => describedRows.reduce((sum, row) => sum + row[name]!.length, 0);
  return (
    describedRows.length * 2 > rows.length &&
    countDistinct(describedRows, domain, column) >= describedRows.length * MIN_DISTINCT_SHARE &&
    lengthOf(column) > lengthOf(code)
  );
}

/** "Void (booking error)" becomes two synonyms, because questions leave out the part in parentheses. */
function toSynonyms(description: string): string[] {
  const whole = description.replace(/\s+/g, ' ').trim().toLowerCase();
  const withoutParentheses = whole.replace(/ ?\([^()]*\)/g, '').trim();
  return [withoutParentheses, whole].filter((text) => text !== '' && text.length <= MAX_LENGTH.meaning);
}

export const listsWithValues = (column: OpenColumn, lists: readonly CodeList[]): CodeList[] =>
  lists.filter(({ table, meanings }) => table !== column.table && column.values.every((value) => meanings.has(value)));

/**
 * Returns the list that the column's comment or name refers to, or the only list. Null if lists with other meanings are
 * equally probable.
 */
export function chooseList(column: OpenColumn, lists: readonly CodeList[]): CodeList | null {
  const comment = column.comment ? ` ${spacedWords(column.comment)} ` : '';
  const namedInComment = lists.filter(({ domain }) => comment.includes(` ${spacedWords(domain)} `));
  const namedByColumn = lists.filter(({ domain }) => resemblesName(domain, column));
  const countMeanings = (rivals: readonly CodeList[]): number =>
    new Set(rivals.map(({ meanings }) => JSON.stringify(column.values.map((value) => meanings.get(value))))).size;
  return [namedInComment, namedByColumn, lists].find((rivals) => countMeanings(rivals) === 1)?.[0] ?? null;
}

/** Whether a domain and a column abbreviate the same name. For example, JOB_ST resembles the column job.status. */
function resemblesName(domain: string, { words, rowWords, name }: OpenColumn): boolean {
  const domainWords = spacedWords(domain).split(' ');
  const domainLetters = domainWords.join('');
  const isAbbreviated = abbreviates(domainLetters, [...rowWords, ...words]) && !abbreviates(domainLetters, rowWords);
  return isAbbreviated || abbreviates(spacedWords(name).replaceAll(' ', ''), domainWords);
}

/** Whether the letters consist of the beginnings of some of these words, which can leave out letters. */
function abbreviates(letters: string, words: readonly string[]): boolean {
  const reachable = new Set([0]);
  for (const word of words)
    for (const start of [...reachable]) {
      let end = start;
      if (word[0] === letters[start]) for (const letter of word) if (letter === letters[end]) reachable.add(++end);
    }
  return letters.length > 1 && reachable.has(letters.length);
}
