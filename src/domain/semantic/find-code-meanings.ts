// In a code table, one column names the code list (the domain), one has the codes, and one describes them. A list
// explains a column if it contains all values of the column.
import { splitNameIntoWords } from '../../lens/model/name-words.ts';
import { formatTableName, toSqlName } from '../../lens/model/sql-name.ts';
import { limitToFirstRows } from '../../plan/sql/limit-to-first-rows.ts';
import { mapInParallel } from '../../platform/schedule/in-parallel.ts';
import type { Cell } from '../ports.ts';
import { findCodes, findFlag } from './columns/codes.ts';
import { type ColumnRole, decideColumnRole } from './columns/column-roles.ts';
import { isPersonalData } from './columns/persons.ts';
import type { CodeMeanings, NamedColumn, NamedTable } from './columns/schema-words.ts';
import { fetchFromTables, type QueryContext } from './joins/measure-join.ts';
import type { DraftJoin } from './joins/prove-joins.ts';

/** The columns of a table that can have the domains, the codes and the descriptions. */
interface CodeTableColumns {
  domain: string;
  code: string;
  /** The most probable description comes first. */
  descriptions: string[];
}
interface CodeList {
  table: NamedTable;
  domain: string;
  meanings: ReadonlyMap<string, string[]>;
}
/** A column whose values can be codes without known meanings. */
interface UnexplainedColumn {
  table: NamedTable;
  column: NamedColumn;
  values: string[];
  isSampled: boolean;
}
type CodeRow = Readonly<Record<string, string>>;

const MAX_TEXT_LENGTHS = { domain: 60, code: 20, meaning: 100 };
const MIN_DISTINCT_SHARE = 0.9;
const MAX_CODE_ROWS = 5_000;
const MAX_CODE_LISTS = 1_000;
const MAX_COLUMN_VALUES = 200;
const MAX_READ_BYTES = 4_000_000;
const MAX_TEXT_COLUMNS = 8;
const MAX_SHOWN_LISTS = 3;
const DESCRIPTION_NAME_PATTERN = /\b(?:description|name|text|label|meaning|bez\w*)\b/;
const PRIVATE_COLUMN_ROLES = new Set<ColumnRole>(['secret', 'personal', 'contact']);

export async function addCodeMeanings(
  tables: readonly NamedTable[],
  joins: readonly DraftJoin[],
  queryContext: QueryContext,
): Promise<void> {
  const openColumns = (
    await mapInParallel([...tables], 1, async (table) => findUnexplainedColumns(table, joins))
  ).flat();
  const listsByTable = await mapInParallel([...tables], 3, async (table) => {
    const readings = listInterpretations(table, openColumns);
    const columns = new Set(readings.flatMap(({ domain, code, descriptions }) => [domain, code, ...descriptions]));
    const rows = readings.length > 0 ? await readRows(queryContext, table, [...columns], MAX_CODE_ROWS) : null;
    const readLists = await mapInParallel(readings, 1, async (reading) => {
      const lists = toCodeLists(table, reading, rows ?? []);
      const codes = new Set(lists.flatMap(({ meanings }) => [...meanings.keys()]));
      const likelyColumns = openColumns.filter(({ values }) => codes.has(values[0]!));
      return {
        lists,
        explained: likelyColumns.filter((column) => findListsWithValues(column, lists).length > 0).length,
      };
    });
    // The other interpretations confuse domains with codes, or use other columns that happen to be unique.
    return readLists.sort((a, b) => b.explained - a.explained)[0]?.lists ?? [];
  });
  const lists = listsByTable.flat();
  await mapInParallel(openColumns, 3, async (openColumn) => {
    const codeMeanings = await explainColumn(openColumn, lists, queryContext);
    if (codeMeanings) openColumn.column.codeMeanings = codeMeanings;
  });
}

function findUnexplainedColumns(table: NamedTable, joins: readonly DraftJoin[]): UnexplainedColumn[] {
  const joinColumns = joins.flatMap(({ from }) => (from.table === table ? from.columns : []));
  // A part of a composite key can have codes.
  const keys = table.primaryKey.length === 1 ? [...joinColumns, ...table.primaryKey] : joinColumns;
  return table.columns.flatMap((column) => {
    const role = decideColumnRole(column, keys.includes(column.name), 'none');
    const hasCodes =
      column.datatype === 'integer'
        ? findCodes(column)?.lacksMeanings
        : column.datatype === 'string' && !findFlag(column);
    const { values, sampled: isSampled = false } = column.profile ?? {};
    if (!hasCodes || !values || values.length < 2 || role === 'key' || PRIVATE_COLUMN_ROLES.has(role)) return [];
    return [{ table, column, values, isSampled }];
  });
}

function listInterpretations(table: NamedTable, openColumns: readonly UnexplainedColumn[]): CodeTableColumns[] {
  const textColumns = listTextColumns(table);
  const keyColumns = textColumns.flatMap(({ name, profile }) =>
    profile?.nulls === 0 && profile.rows <= MAX_CODE_ROWS && (profile.distinct ?? 0) > 1 ? [{ ...profile, name }] : [],
  );
  const declaredPair = [table.primaryKey, ...table.uniqueKeys].find(
    (key) => key.length === 2 && key.every((name) => keyColumns.some((column) => column.name === name)),
  );
  const pairColumns = keyColumns.filter(({ name }) => declaredPair?.includes(name) ?? true);
  const otherColumns = openColumns.filter((column) => column.table !== table);
  const codes = pairColumns.filter(
    ({ values }) => !values || otherColumns.some((column) => column.values.every((value) => values.includes(value))),
  );
  return codes.flatMap((code) =>
    pairColumns
      .filter((domain) => domain !== code && domain.distinct! <= MAX_CODE_LISTS)
      .filter((domain) => domain.distinct! * code.distinct! >= code.rows)
      .map((domain) => ({
        ...{ domain: domain.name, code: code.name },
        descriptions: textColumns.flatMap(({ name }) => (name === domain.name || name === code.name ? [] : [name])),
      })),
  );
}

/** The most probable description comes first. Columns with personal data are omitted. */
function listTextColumns(table: NamedTable): NamedColumn[] {
  const rankOf = ({ words }: NamedColumn): number => {
    const otherWords = words.replace(DESCRIPTION_NAME_PATTERN, '');
    return otherWords === '' ? 0 : otherWords === words ? 2 : 1;
  };
  return table.columns
    .filter(({ datatype }) => datatype === 'string')
    .filter((column) => !PRIVATE_COLUMN_ROLES.has(decideColumnRole(column, false, 'none')))
    .filter(({ words }) => !isPersonalData(words, table.rowNoun))
    .slice(0, MAX_TEXT_COLUMNS)
    .sort((a, b) => rankOf(a) - rankOf(b));
}

/** Returns no lists if the rows contradict the interpretation. */
function toCodeLists(table: NamedTable, reading: CodeTableColumns, rows: readonly CodeRow[]): CodeList[] {
  const { domain, code } = reading;
  const isLong = (row: CodeRow) =>
    row[domain]!.length > MAX_TEXT_LENGTHS.domain || row[code]!.length > MAX_TEXT_LENGTHS.code;
  if (countDistinct(rows, domain, code) < rows.length || rows.some(isLong)) return [];
  const [description, ...others] = reading.descriptions.filter((name) => isDescription(rows, reading, name));
  if (!description) return [];
  // A code table can have its descriptions in several languages, such as label and label_en.
  const firstWordOf = (name: string) => splitNameIntoWords(name).split(' ')[0];
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

function isDescription(rows: readonly CodeRow[], { domain, code }: CodeTableColumns, column: string): boolean {
  const describedRows = rows.filter((row) => row[column] !== '');
  const lengthOf = (name: string) => describedRows.reduce((sum, row) => sum + row[name]!.length, 0);
  return (
    describedRows.length * 2 > rows.length &&
    countDistinct(describedRows, domain, column) >= describedRows.length * MIN_DISTINCT_SHARE &&
    lengthOf(column) > lengthOf(code)
  );
}

/** Splits "Void (booking error)" into two synonyms, because questions leave out the part in parentheses. */
function toSynonyms(description: string): string[] {
  const whole = description.replace(/\s+/g, ' ').trim().toLowerCase();
  const withoutParentheses = whole.replace(/ ?\([^()]*\)/g, '').trim();
  return [withoutParentheses, whole].filter((text) => text !== '' && text.length <= MAX_TEXT_LENGTHS.meaning);
}

async function explainColumn(
  openColumn: UnexplainedColumn,
  allLists: readonly CodeList[],
  queryContext: QueryContext,
): Promise<CodeMeanings | null> {
  const { table, column, isSampled } = openColumn;
  if (findListsWithValues(openColumn, allLists).length === 0) return null;
  // The values in a sample can be incomplete.
  const rows = isSampled ? ((await readRows(queryContext, table, [column.name], MAX_COLUMN_VALUES)) ?? []) : null;
  const values = rows ? rows.flatMap((row) => row[column.name] || []) : openColumn.values;
  const lists = values.length > 1 ? findListsWithValues({ ...openColumn, values }, allLists) : [];
  if (lists.length === 0) return null;
  const list = chooseList({ ...openColumn, values }, lists);
  const shownLists = list ? [list] : lists.slice(0, MAX_SHOWN_LISTS);
  const names = shownLists.map((shownList) => `${shownList.domain} in ${shownList.table.table}`).join(' or ');
  const others = lists.length > shownLists.length ? `, or of ${lists.length - shownLists.length} other lists` : '';
  return {
    codes: list && [...values].sort().map((value) => ({ value, synonyms: list.meanings.get(value)! })),
    evidence: list ? `all ${values.length} values are codes of ${names}` : `may be codes of ${names}${others}`,
  };
}

const findListsWithValues = ({ table, values }: UnexplainedColumn, lists: readonly CodeList[]): CodeList[] =>
  lists.filter((list) => list.table !== table && values.every((value) => list.meanings.has(value)));

/** Prefers a list that the column's comment or name refers to. Null if several lists are equally probable. */
function chooseList(openColumn: UnexplainedColumn, lists: readonly CodeList[]): CodeList | null {
  const { comment } = openColumn.column;
  const commentWords = comment ? ` ${splitNameIntoWords(comment)} ` : '';
  const namedInComment = lists.filter(({ domain }) => commentWords.includes(` ${splitNameIntoWords(domain)} `));
  const namedByColumn = lists.filter(({ domain }) => resemblesName(domain, openColumn));
  const countMeanings = (rivals: readonly CodeList[]): number =>
    new Set(rivals.map(({ meanings }) => JSON.stringify(openColumn.values.map((value) => meanings.get(value))))).size;
  return [namedInComment, namedByColumn, lists].find((rivals) => countMeanings(rivals) === 1)?.[0] ?? null;
}

/** A domain and a column can abbreviate the same name. For example, JOB_ST resembles the column job.status. */
function resemblesName(domain: string, { table, column }: UnexplainedColumn): boolean {
  const domainWords = splitNameIntoWords(domain).split(' ');
  const domainLetters = domainWords.join('');
  const rowWords = table.rowNoun.split(' ');
  const isAbbreviated =
    isAbbreviation(domainLetters, [...rowWords, ...column.words.split(' ')]) &&
    !isAbbreviation(domainLetters, rowWords);
  return isAbbreviated || isAbbreviation(splitNameIntoWords(column.name).replaceAll(' ', ''), domainWords);
}

/** Matches beginnings of words in order. Each beginning can leave out letters. */
function isAbbreviation(letters: string, words: readonly string[]): boolean {
  const reachable = new Set([0]);
  for (const word of words)
    for (const start of [...reachable]) {
      let end = start;
      if (word[0] === letters[start]) for (const letter of word) if (letter === letters[end]) reachable.add(++end);
    }
  return letters.length > 1 && reachable.has(letters.length);
}

/** Null if there are too many rows, or if svc couldn't read them in time. */
async function readRows(
  queryContext: QueryContext,
  table: NamedTable,
  columns: string[],
  maxRows: number,
): Promise<CodeRow[] | null> {
  const { dialect } = queryContext.warehouse;
  const names = columns.map((column) => toSqlName(dialect, column)).join(', ');
  const distinctSql = `select distinct ${names} from ${formatTableName(dialect, table)}`;
  const sql = await limitToFirstRows(dialect, distinctSql, maxRows + 1);
  const result = await fetchFromTables(queryContext, sql, [{ table, columns }], { maxRows, maxBytes: MAX_READ_BYTES });
  if (!result || result.more || result.bytesCut) return null;
  // Columns of a fixed length have trailing blanks.
  const toText = (cell: Cell | undefined): string => String(cell ?? '').trimEnd();
  return result.rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, toText(row[index])])));
}
