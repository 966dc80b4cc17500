// Finds primary keys of tables that declare none. Tries declared unique keys, then columns named like a key, then
// combinations of two or three columns that are unlikely to be unique by chance. The columns must be unique and never
// null in all rows that svc could read in time.
import { periodFieldsOf } from '../../../lens/model/aggregation.ts';
import { spellOut } from '../../../lens/model/name-words.ts';
import { mapInParallel } from '../../../platform/schedule/in-parallel.ts';
import type { CatalogColumn, CatalogTable, ColumnProfile } from '../../ports.ts';
import { measureUniqueness, type QueryContext } from '../../profiling/weigh-join.ts';
import { isTimeType } from '../columns/column-roles.ts';
import { type SchemaWords, withoutSeparators } from '../columns/schema-words.ts';
import { toJoinSide } from './catalog-side.ts';
import { GENERIC_NAME, identifyingNameOf, isOwnKey } from './name-joins.ts';

export interface FoundKey {
  table: CatalogTable;
  columns: string[];
  rows: number;
}
const KEY_DATATYPES = new Set<CatalogColumn['datatype']>(['integer', 'string']);
const MAX_KEY_CANDIDATES = 5;
const MAX_KEY_PARTS = 6;
const MAX_COINCIDENCE_CHANCE = 0.05;
/** Names of tables whose rows describe the state of something at a point in time. */
export const OBSERVATION_TABLE =
  /\b(?:daily|weekly|monthly|yearly|hourly|reading|level|balance|snapshot|price|rate|stat|history|census|day|month)s?\b/;
const LINE_NUMBER =
  /^(?:(?:.+ )?(?:line|sequence|seq|position|item|row|version|part|step|leg|stop|revision)(?: (?:number|id|no))?)$/;

export async function addFoundKeys(
  queryContext: QueryContext,
  tables: readonly CatalogTable[],
  words: SchemaWords,
  profileOf: (table: CatalogTable, column: string) => ColumnProfile | undefined,
): Promise<{ tables: CatalogTable[]; foundKeys: FoundKey[] }> {
  const foundKeys: FoundKey[] = [];
  const isShared = createSharedNameTest(tables);
  const keyedTables = await mapInParallel([...tables], 3, async (table) => {
    if (table.primaryKey.length > 0) return table;
    const declaredKey = table.uniqueKeys.find((key) =>
      key.every((name) => table.columns.find((column) => column.name === name)?.nullable === false),
    );
    if (declaredKey) return { ...table, primaryKey: declaredKey };
    const countUniqueRows = (columns: string[]): Promise<number | null> =>
      countIfUnique(queryContext, table, columns, profileOf);
    const key =
      (await findSingleKey(table, words, isShared, countUniqueRows)) ??
      (await findCompositeKey(table, words, isShared, profileOf, countUniqueRows));
    if (!key) return table;
    foundKeys.push({ table, ...key });
    return { ...table, primaryKey: key.columns };
  });
  return { tables: keyedTables, foundKeys };
}

/** Returns the number of rows if no two rows have the same values in these columns. Otherwise returns null. */
async function countIfUnique(
  queryContext: QueryContext,
  table: CatalogTable,
  columns: string[],
  profileOf: (table: CatalogTable, column: string) => ColumnProfile | undefined,
): Promise<number | null> {
  const profiles = columns.map((column) => profileOf(table, column));
  if (profiles.some((profile) => profile && (profile.rows === 0 || profile.nulls > 0))) return null;
  const [profile] = profiles;
  if (columns.length === 1 && profile?.distinct !== undefined && profile.distinct !== null)
    return profile.distinct === profile.rows ? profile.rows : null;
  if (queryContext.signal.aborted) return null;
  const key = await measureUniqueness(queryContext, toJoinSide({ table, columns }, queryContext.warehouse.dialect));
  // `nonNullRows` excludes rows with a null, so `isFilled` compares it with the row count, unless the profile is a
  // sample.
  const isFilled = profiles.every(
    (profile) => profile !== undefined && (profile.sampled || profile.rows === key?.nonNullRows),
  );
  return key && key.nonNullRows > 0 && key.nonNullRows === key.distinctCount && isFilled ? key.nonNullRows : null;
}

/** Whether another table has a column with the same name, which suggests that the column is a reference. */
type IsShared = (column: CatalogColumn) => boolean;
function createSharedNameTest(tables: readonly CatalogTable[]): IsShared {
  const counts = new Map<string, number>();
  for (const { columns } of tables)
    for (const name of new Set(columns.map((column) => withoutSeparators(column.name))))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  return ({ name }) => counts.get(withoutSeparators(name))! > 1 && !GENERIC_NAME.test(spellOut(name));
}
type CountUniqueRows = (columns: string[]) => Promise<number | null>;

async function findSingleKey(
  table: CatalogTable,
  words: SchemaWords,
  isShared: IsShared,
  countUniqueRows: CountUniqueRows,
) {
  const keyableColumns = table.columns.filter(
    ({ datatype }) => datatype === 'integer' || datatype === 'string' || datatype === 'decimal',
  );
  const identifiers = keyableColumns.map((column) => ({ column, ...identifyingNameOf(table, column, words) }));
  const ownKeys = identifiers.filter(({ column }) => isOwnKey(table, column, words));
  // If all columns refer to other tables, no single column is a key.
  const isBridgeTable = isBridge(table, words);
  const ids = isBridgeTable ? [] : identifiers.filter(({ identifierKind: end }) => end === 'id');
  const [firstIdentifier] = identifiers;
  const startsWithKey =
    firstIdentifier !== undefined &&
    firstIdentifier.column === table.columns[0] &&
    (firstIdentifier.identifierKind !== null || isShared(firstIdentifier.column));
  const otherKeys = !isBridgeTable && startsWithKey ? [firstIdentifier] : [];
  const idKeys = ownKeys.filter(({ identifierKind: end }) => end === 'id');
  // In a table with one row for each day, the day is the key.
  const [column] = table.columns;
  const dayKey =
    column && isTimeType(column.datatype) && periodFieldsOf(toTableShape(table)).includes(column.name)
      ? [{ column }]
      : [];
  const nonNameKeys = ownKeys.filter(({ identifierKind: end }) => end !== 'name');
  const names = [...idKeys, ...nonNameKeys, ...ids, ...otherKeys, ...findWellKnownKeys(table, words), ...dayKey];
  const candidates = [...new Set(names.map(({ column }) => column.name))].slice(0, MAX_KEY_CANDIDATES);
  for (const name of candidates) {
    const rows = await countUniqueRows([name]);
    if (rows !== null) return { columns: [name], rows };
  }
  return null;
}
const isBridge = (table: CatalogTable, words: SchemaWords): boolean =>
  table.columns.length > 1 &&
  table.columns.every(
    (column) => identifyingNameOf(table, column, words).identifierKind === 'id' && !isOwnKey(table, column, words),
  );
const findWellKnownKeys = (table: CatalogTable, words: SchemaWords): { column: CatalogColumn }[] =>
  table.columns
    .filter((column) =>
      /^(?:isbn|iban|sku|ean|vin|imei|email|username|user name|iata|icao|symbol|ticker)$/.test(
        words.get(table)!.wordsOf(column),
      ),
    )
    .map((column) => ({ column }));

/**
 * Finds a key of several columns: several references, a reference and a line number, or the subject of an observation
 * and the day of the observation.
 */
async function findCompositeKey(
  table: CatalogTable,
  words: SchemaWords,
  isShared: IsShared,
  profileOf: (table: CatalogTable, column: string) => ColumnProfile | undefined,
  countUniqueRows: CountUniqueRows,
) {
  const tableWords = words.get(table)!;
  const references = table.columns.filter((column) => {
    const { stems, identifierKind: end } = identifyingNameOf(table, column, words);
    const isNamedKey = (end === 'id' || end === 'code' || end === 'number') && stems.length > 0;
    return (isNamedKey || (isShared(column) && KEY_DATATYPES.has(column.datatype))) && column.datatype !== null;
  });
  const numberedColumns = table.columns.filter(
    (column) => LINE_NUMBER.test(tableWords.wordsOf(column)) && column.datatype === 'integer',
  );
  const periods = new Set(periodFieldsOf(toTableShape(table)));
  const dates = table.columns.filter(({ name, datatype }) =>
    OBSERVATION_TABLE.test(tableWords.thing) ? isTimeType(datatype) || periods.has(name) : periods.has(name),
  );
  // In a table of repeated observations, the subject is a part of the key, such as the country in a table with one row
  // for each country and year.
  const subjectColumns =
    dates.length === 0 || references.length > 0
      ? []
      : table.columns.filter((column) => hasRepeatedValues(column, profileOf(table, column.name))).slice(0, 2);
  const linkColumns =
    table.columns.length <= 3 && table.columns.every(({ datatype }) => datatype === 'integer') ? table.columns : [];
  const parts = [...new Set([...references, ...linkColumns, ...numberedColumns, ...subjectColumns, ...dates])].slice(
    0,
    MAX_KEY_PARTS,
  );
  const isWholeRow = table.columns.every((column) => parts.includes(column));
  for (const columns of [...pairsOf(parts), ...triplesOf(parts)]) {
    const rows = await countUniqueRows(columns.map(({ name }) => name));
    const isObservation = OBSERVATION_TABLE.test(tableWords.thing) && columns.some((column) => dates.includes(column));
    const isLikely = isWholeRow || isObservation || columns.some((column) => numberedColumns.includes(column));
    const combinationCount = columns.reduce(
      (product, { name }) => product * (profileOf(table, name)?.distinct ?? 1),
      1,
    );
    if (
      rows !== null &&
      (isLikely || Math.exp((-rows * rows) / (2 * Math.max(1, combinationCount))) < MAX_COINCIDENCE_CHANCE)
    )
      return { columns: columns.map(({ name }) => name), rows };
  }
  return null;
}
const hasRepeatedValues = ({ datatype }: CatalogColumn, profile: ColumnProfile | undefined): boolean =>
  datatype === 'string' && profile?.distinct != null && profile.distinct > 1 && profile.distinct * 2 <= profile.rows;
const toTableShape = ({ table, primaryKey, columns }: CatalogTable) => ({ name: table, primaryKey, fields: columns });
const pairsOf = (parts: CatalogColumn[]): CatalogColumn[][] =>
  parts.flatMap((part, index) => parts.slice(index + 1).map((otherPart) => [part, otherPart]));
const triplesOf = (parts: CatalogColumn[]): CatalogColumn[][] =>
  parts.slice(0, 4).flatMap((part, index) => pairsOf(parts.slice(index + 1, 4)).map((two) => [part, ...two]));
