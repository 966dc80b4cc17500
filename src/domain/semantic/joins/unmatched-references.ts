// Reports columns that look like references but match no table by name. Lists tables with the same values without
// drafting a join, because small numbers match by accident.
import { mapInParallel } from '../../../platform/schedule/in-parallel.ts';
import type { CatalogColumn, CatalogTable } from '../../ports.ts';
import { measureInclusion, type QueryContext } from '../../profiling/weigh-join.ts';
import type { SchemaWords } from '../columns/schema-words.ts';
import { toJoinSide } from './catalog-side.ts';
import { identifyingNameOf, type JoinEnd } from './name-joins.ts';
import type { DraftJoin, UndecidedJoin } from './prove-joins.ts';

const MAX_COLUMNS = 40;
const MAX_TARGETS = 12;
const MAX_SHOWN_TABLES = 4;

export async function findUnmatchedReferences(input: {
  tables: readonly CatalogTable[];
  words: SchemaWords;
  joins: readonly DraftJoin[];
  undecided: readonly UndecidedJoin[];
  queryContext: QueryContext;
}): Promise<UndecidedJoin[]> {
  const { tables, joins, undecided, queryContext } = input;
  const keys = tables.flatMap((table) => (table.primaryKey.length === 1 ? [{ table, columns: table.primaryKey }] : []));
  const isExplained = (table: CatalogTable, name: string): boolean =>
    undecided.some((item) => item.table === table && item.columns.includes(name)) ||
    joins.some(({ from }) => from.table === table && from.columns.includes(name));
  const openColumns = tables.flatMap((table) =>
    findReferenceColumns(table, input.words)
      .filter(({ name }) => !isExplained(table, name))
      .map((column) => ({ table, column })),
  );
  const hints = await mapInParallel(openColumns.slice(0, MAX_COLUMNS), 4, async ({ table, column }) => {
    const typeColumn = column.datatype === 'integer' ? typeColumnOf(table, column, input.words) : undefined;
    if (typeColumn) return [toUndecidedJoin(table, column, `may refer to several tables, depending on ${typeColumn}`)];
    const fromEnd = { table, columns: [column.name] };
    const targets = await mapInParallel(
      keys.filter((to) => isPossibleTarget(column, table, to)).slice(0, MAX_TARGETS),
      1,
      async (to) => ((await containsValues(queryContext, fromEnd, to)) ? [`${to.table.table}.${to.columns[0]}`] : []),
    );
    const matches = targets.flat();
    if (matches.length === 0 && column.datatype === 'string') return [];
    const location =
      matches.length === 0
        ? 'and no key contains its values'
        : `though its values are in ${matches.slice(0, MAX_SHOWN_TABLES).join(', ')}${matches.length > MAX_SHOWN_TABLES ? ` and ${matches.length - MAX_SHOWN_TABLES} more` : ''}`;
    return [toUndecidedJoin(table, column, `looks like a reference, but no table has this name, ${location}`)];
  });
  return hints.flat();
}

const toUndecidedJoin = (table: CatalogTable, { name }: CatalogColumn, message: string): UndecidedJoin => ({
  table,
  columns: [name],
  message,
});

/** Finds the column with the type of the reference, such as "owner_type" next to "owner_id". */
function typeColumnOf(table: CatalogTable, column: CatalogColumn, words: SchemaWords): string | undefined {
  const tableWords = words.get(table)!;
  const ownerWords = tableWords.wordsOf(column).replace(/ (?:id|key|code|number)$/, '');
  return table.columns.find((column) =>
    new RegExp(`^${ownerWords} (?:type|kind|class|table|entity|model)$`).test(tableWords.wordsOf(column)),
  )?.name;
}

/**
 * Finds the columns that end in "id" and aren't the table's own key. In a table with only references, returns every
 * column.
 */
function findReferenceColumns(table: CatalogTable, words: SchemaWords): CatalogColumn[] {
  const keyableColumns = table.columns.filter(({ datatype }) => datatype === 'integer' || datatype === 'string');
  const tableWords = words.get(table)!;
  const unmatchedColumns = keyableColumns.filter((column) => {
    const { stems, identifierKind: end } = identifyingNameOf(table, column, words);
    return (
      end === 'id' && stems.length > 0 && !stems.some((stem) => tableWords.nameForms.has(stem)) && !isKey(table, column)
    );
  });
  const isLinkTable =
    table.columns.length <= 3 &&
    keyableColumns.length > 1 &&
    keyableColumns.every(({ datatype }) => datatype === 'integer');
  return isLinkTable ? keyableColumns.filter((column) => !isKey(table, column)) : unmatchedColumns;
}
const isKey = ({ primaryKey }: CatalogTable, { name }: CatalogColumn): boolean =>
  primaryKey.length === 1 && primaryKey[0] === name;
const isPossibleTarget = (column: CatalogColumn, ownTable: CatalogTable, { table, columns }: JoinEnd): boolean =>
  table !== ownTable && table.columns.find(({ name }) => name === columns[0])?.datatype === column.datatype;

async function containsValues(queryContext: QueryContext, from: JoinEnd, to: JoinEnd): Promise<boolean> {
  if (queryContext.signal.aborted) return false;
  const { dialect } = queryContext.warehouse;
  const counts = await measureInclusion(queryContext, toJoinSide(from, dialect), toJoinSide(to, dialect));
  return counts !== null && counts[0] > 0 && counts[0] === counts[1];
}
