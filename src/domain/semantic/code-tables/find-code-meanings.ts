// Finds the meanings of codes in code tables, which have several code lists. A list explains a column if it contains all
// values of the column.
import { guardSql } from '../../../guard/guard-sql.ts';
import { sqlName } from '../../../lens/model/sql-name.ts';
import { limitToFirstRows } from '../../../plan/sql/limit-to-first-rows.ts';
import { Problem } from '../../../platform/problem.ts';
import { mapInParallel } from '../../../platform/schedule/in-parallel.ts';
import type { CatalogTable, Cell, ColumnProfile } from '../../ports.ts';
import type { QueryContext } from '../../profiling/weigh-join.ts';
import { codesOf, type KnownCode } from '../columns/codes.ts';
import { type ColumnRole, decideRole } from '../columns/column-roles.ts';
import { flagOf } from '../columns/flags.ts';
import { isAboutPerson } from '../columns/persons.ts';
import type { SchemaWords } from '../columns/schema-words.ts';
import { toJoinSide } from '../joins/catalog-side.ts';
import type { DraftJoin } from '../joins/prove-joins.ts';
import {
  type CodeList,
  type CodeRow,
  type CodeTableReading,
  chooseList,
  listsWithValues,
  type OpenColumn,
  toCodeLists,
} from './code-lists.ts';

export interface CodeMeanings {
  table: CatalogTable;
  column: string;
  /** Null if several code lists contain the values. `evidence` names these lists. */
  codes: KnownCode[] | null;
  evidence: string;
}
interface Schema {
  tables: readonly CatalogTable[];
  words: SchemaWords;
  joins: readonly DraftJoin[];
  profileOf: (table: CatalogTable, column: string) => ColumnProfile | undefined;
}
const MAX_CODE_ROWS = 5_000;
const MAX_LISTS = 1_000;
const MAX_VALUES = 200;
const MAX_BYTES = 4_000_000;
const MAX_TEXT_COLUMNS = 8;
const MAX_SHOWN_LISTS = 3;
const DESCRIPTION_NAME = /\b(?:description|name|text|label|meaning|bez\w*)\b/;
const UNREAD_ROLES = new Set<ColumnRole>(['secret', 'personal', 'contact']);

export async function findCodeMeanings(schema: Schema, queryContext: QueryContext): Promise<CodeMeanings[]> {
  const openColumns = (await mapInParallel(schema.tables, 1, async (table) => findOpenColumns(table, schema))).flat();
  const listsByTable = await mapInParallel(schema.tables, 3, async (table) => {
    const readings = listReadings(table, schema, openColumns);
    const columns = new Set(readings.flatMap(({ domain, code, descriptions }) => [domain, code, ...descriptions]));
    const rows = readings.length > 0 ? await readRows(queryContext, table, [...columns], MAX_CODE_ROWS) : null;
    const readLists = await mapInParallel(readings, 1, async (reading) => {
      const lists = toCodeLists(table, reading, rows ?? []);
      const codes = new Set(lists.flatMap(({ meanings }) => [...meanings.keys()]));
      const likelyColumns = openColumns.filter(({ values }) => codes.has(values[0]!));
      return { lists, explained: likelyColumns.filter((column) => listsWithValues(column, lists).length > 0).length };
    });
    // The other readings confuse domains with codes, or use other columns that happen to be unique.
    return readLists.sort((a, b) => b.explained - a.explained)[0]?.lists ?? [];
  });
  const lists = listsByTable.flat();
  return (await mapInParallel(openColumns, 3, (column) => explainColumn(column, lists, queryContext))).flat();
}

function findOpenColumns(table: CatalogTable, { words, joins, profileOf }: Schema): OpenColumn[] {
  const { thing, wordsOf } = words.get(table)!;
  const joinColumns = joins.flatMap(({ from }) => (from.table === table ? from.columns : []));
  // A part of a composite key can have codes.
  const keys = table.primaryKey.length === 1 ? [...joinColumns, ...table.primaryKey] : joinColumns;
  return table.columns.flatMap((column) => {
    const { name, comment, datatype } = column;
    const [profile, columnWords] = [profileOf(table, name), wordsOf(column)];
    const role = decideRole(column, columnWords, keys.includes(name), 'none', profile);
    const hasCodes =
      datatype === 'integer'
        ? codesOf(column, datatype, columnWords, profile)?.lacksMeanings
        : datatype === 'string' && !flagOf(name, profile);
    const { values, sampled: isSampled = false } = profile ?? {};
    if (!hasCodes || !values || values.length < 2 || role === 'key' || UNREAD_ROLES.has(role)) return [];
    return [{ table, name, comment, rowWords: thing.split(' '), words: columnWords.split(' '), values, isSampled }];
  });
}

function listReadings(table: CatalogTable, schema: Schema, openColumns: readonly OpenColumn[]): CodeTableReading[] {
  const textColumns = listTextColumns(table, schema);
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
      .filter((domain) => domain !== code && domain.distinct! <= MAX_LISTS)
      .filter((domain) => domain.distinct! * code.distinct! >= code.rows)
      .map((domain) => ({
        ...{ domain: domain.name, code: code.name },
        descriptions: textColumns.flatMap(({ name }) => (name === domain.name || name === code.name ? [] : [name])),
      })),
  );
}

/**
 * Returns the probable descriptions first. Omits columns with personal data, because the descriptions become a part of
 * the lens.
 */
function listTextColumns(table: CatalogTable, { words, profileOf }: Schema) {
  const { thing, wordsOf } = words.get(table)!;
  const rankOf = (name: string): number => {
    const otherWords = name.replace(DESCRIPTION_NAME, '');
    return otherWords === '' ? 0 : otherWords === name ? 2 : 1;
  };
  return table.columns
    .map((column) => ({ ...column, words: wordsOf(column), profile: profileOf(table, column.name) }))
    .filter(({ datatype }) => datatype === 'string')
    .filter((column) => !UNREAD_ROLES.has(decideRole(column, column.words, false, 'none', column.profile)))
    .filter((column) => !isAboutPerson(column.words, thing))
    .slice(0, MAX_TEXT_COLUMNS)
    .sort((a, b) => rankOf(a.words) - rankOf(b.words));
}

async function explainColumn(
  column: OpenColumn,
  allLists: readonly CodeList[],
  queryContext: QueryContext,
): Promise<CodeMeanings[]> {
  if (listsWithValues(column, allLists).length === 0) return [];
  // The values in a sample can be incomplete.
  const rows = column.isSampled ? await readRows(queryContext, column.table, [column.name], MAX_VALUES) : null;
  const values = column.isSampled ? (rows ?? []).flatMap((row) => row[column.name] || []) : column.values;
  const lists = values.length > 1 ? listsWithValues({ ...column, values }, allLists) : [];
  if (lists.length === 0) return [];
  const list = chooseList({ ...column, values }, lists);
  const shownLists = list ? [list] : lists.slice(0, MAX_SHOWN_LISTS);
  const names = shownLists.map(({ domain, table }) => `${domain} in ${table.table}`).join(' or ');
  const others = lists.length > shownLists.length ? `, or of ${lists.length - shownLists.length} other lists` : '';
  return [
    {
      ...{ table: column.table, column: column.name },
      codes: list && [...values].sort().map((value) => ({ value, synonyms: list.meanings.get(value)! })),
      evidence: list ? `all ${values.length} values are codes of ${names}` : `may be codes of ${names}${others}`,
    },
  ];
}

/** Returns the distinct rows of some columns. Null if there are too many, or if svc couldn't read them in time. */
async function readRows(
  { warehouse, mode, timeoutMs, signal }: QueryContext,
  table: CatalogTable,
  columns: string[],
  maxRows: number,
): Promise<CodeRow[] | null> {
  const { dialect } = warehouse;
  const { from, relation } = toJoinSide({ table, columns }, dialect);
  const names = columns.map((column) => sqlName(dialect, column)).join(', ');
  if (signal.aborted) return null;
  try {
    const sql = await limitToFirstRows(dialect, `select distinct ${names} from ${from}`, maxRows + 1);
    const scope = { dialect, relations: [relation], mode, maxRows: null, extraColumns: columns };
    const result = await warehouse.fetch(await guardSql(sql, scope), {
      maxRows,
      maxBytes: MAX_BYTES,
      timeoutMs,
      signal,
    });
    if (result.more || result.bytesCut) return null;
    // Columns of a fixed length have trailing blanks.
    const toText = (cell: Cell | undefined): string => String(cell ?? '').trimEnd();
    return result.rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, toText(row[index])])));
  } catch (fault) {
    if (!(fault instanceof Problem) || fault.code === 'unreachable') throw fault;
    return null;
  }
}
