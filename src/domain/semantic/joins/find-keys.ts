// Finds primary keys of tables that declare none: a column named like a key, then declared unique keys, then two or
// three columns that identify rows by more than chance. In all rows that could be read in time, they must be unique and
// never null.
import { periodsOf } from '../../../lens/model/aggregation.ts';
import { spelledOut } from '../../../lens/model/name-words.ts';
import { inParallel } from '../../../platform/schedule/in-parallel.ts';
import type { CatalogColumn, CatalogTable, ColumnProfile } from '../../ports.ts';
import { type Reading, uniqueness } from '../../profiling/weigh-join.ts';
import { isTime } from '../columns/column-roles.ts';
import { type SchemaWords, withoutSeparators } from '../columns/schema-words.ts';
import { catalogSide } from './catalog-side.ts';
import { GENERIC_NAME, identifying, isOwnKey } from './name-joins.ts';

export interface FoundKey {
  table: CatalogTable;
  columns: string[];
  rows: number;
}
const KEY_DATATYPES = new Set<CatalogColumn['datatype']>(['integer', 'string']);
const MAX_KEY_CANDIDATES = 5;
const MAX_KEY_PARTS = 6;
const MAX_CHANCE = 0.05;
/** Names of tables whose rows describe a thing at a time. */
export const OBSERVATION_TABLE =
  /\b(?:daily|weekly|monthly|yearly|hourly|reading|level|balance|snapshot|price|rate|stat|history|census|day|month)s?\b/;
const LINE_NUMBER =
  /^(?:(?:.+ )?(?:line|sequence|seq|position|item|row|version|part|step|leg|stop|revision)(?: (?:number|id|no))?)$/;

export async function withFoundKeys(
  reading: Reading,
  tables: readonly CatalogTable[],
  words: SchemaWords,
  profileOf: (table: CatalogTable, column: string) => ColumnProfile | undefined,
): Promise<{ tables: CatalogTable[]; found: FoundKey[] }> {
  const found: FoundKey[] = [];
  const shared = sharedNames(tables);
  const keyed = await inParallel([...tables], 3, async (table) => {
    if (table.primaryKey.length > 0) return table;
    const declared = table.uniqueKeys.find((key) =>
      key.every((name) => table.columns.find((column) => column.name === name)?.nullable === false),
    );
    if (declared) return { ...table, primaryKey: declared };
    const isUnique = (columns: string[]): Promise<number | null> => countIfUnique(reading, table, columns, profileOf);
    const key =
      (await singleKey(table, words, shared, isUnique)) ??
      (await compositeKey(table, words, shared, profileOf, isUnique));
    if (!key) return table;
    found.push({ table, ...key });
    return { ...table, primaryKey: key.columns };
  });
  return { tables: keyed, found };
}

/** The number of rows if their values are distinct, otherwise null. */
async function countIfUnique(
  reading: Reading,
  table: CatalogTable,
  columns: string[],
  profileOf: (table: CatalogTable, column: string) => ColumnProfile | undefined,
): Promise<number | null> {
  const profiles = columns.map((column) => profileOf(table, column));
  if (profiles.some((profile) => profile && (profile.rows === 0 || profile.nulls > 0))) return null;
  const [profile] = profiles;
  if (columns.length === 1 && profile?.distinct !== undefined && profile.distinct !== null)
    return profile.distinct === profile.rows ? profile.rows : null;
  if (reading.signal.aborted) return null;
  const key = await uniqueness(reading, catalogSide({ table, columns }, reading.warehouse.dialect));
  // Rows with a null don't count as filled, so the profile or the full count must show that there are none.
  const isFilled = profiles.every(
    (profile) => profile !== undefined && (profile.sampled || profile.rows === key?.filled),
  );
  return key && key.filled > 0 && key.filled === key.kinds && isFilled ? key.filled : null;
}

/** Whether other tables have a column with the same name, as for references. */
type IsShared = (column: CatalogColumn) => boolean;
function sharedNames(tables: readonly CatalogTable[]): IsShared {
  const count = new Map<string, number>();
  for (const { columns } of tables)
    for (const name of new Set(columns.map((column) => withoutSeparators(column.name))))
      count.set(name, (count.get(name) ?? 0) + 1);
  return ({ name }) => count.get(withoutSeparators(name))! > 1 && !GENERIC_NAME.test(spelledOut(name));
}
type IsUnique = (columns: string[]) => Promise<number | null>;

async function singleKey(table: CatalogTable, words: SchemaWords, shared: IsShared, isUnique: IsUnique) {
  const keyable = table.columns.filter(
    ({ datatype }) => datatype === 'integer' || datatype === 'string' || datatype === 'decimal',
  );
  const ends = keyable.map((column) => ({ column, ...identifying(table, column, words) }));
  const ownKeys = ends.filter(({ column }) => isOwnKey(table, column, words));
  // If all columns refer to other tables, no single one is a key.
  const bridge = isBridge(table, words);
  const ids = bridge ? [] : ends.filter(({ end }) => end === 'id');
  const [lead] = ends;
  const leads = lead !== undefined && lead.column === table.columns[0] && (lead.end !== null || shared(lead.column));
  const others = !bridge && leads ? [lead] : [];
  const first = ownKeys.filter(({ end }) => end === 'id');
  // One row for each day: the day is the key.
  const [column] = table.columns;
  const day = column && isTime(column.datatype) && periodsOf(rowsOf(table)).includes(column.name) ? [{ column }] : [];
  const nonNameKeys = ownKeys.filter(({ end }) => end !== 'name');
  const names = [...first, ...nonNameKeys, ...ids, ...others, ...namedKeys(table, words), ...day];
  const candidates = [...new Set(names.map(({ column }) => column.name))].slice(0, MAX_KEY_CANDIDATES);
  for (const name of candidates) {
    const rows = await isUnique([name]);
    if (rows !== null) return { columns: [name], rows };
  }
  return null;
}
const isBridge = (table: CatalogTable, words: SchemaWords): boolean =>
  table.columns.length > 1 &&
  table.columns.every((column) => identifying(table, column, words).end === 'id' && !isOwnKey(table, column, words));
const namedKeys = (table: CatalogTable, words: SchemaWords): { column: CatalogColumn }[] =>
  table.columns
    .filter((column) =>
      /^(?:isbn|iban|sku|ean|vin|imei|email|username|user name|iata|icao|symbol|ticker)$/.test(
        words.get(table)!.wordsOf(column),
      ),
    )
    .map((column) => ({ column }));

/** Several references, a reference and a line number, or a thing and the day of the observation. */
async function compositeKey(
  table: CatalogTable,
  words: SchemaWords,
  shared: IsShared,
  profileOf: (table: CatalogTable, column: string) => ColumnProfile | undefined,
  isUnique: IsUnique,
) {
  const tableWords = words.get(table)!;
  const references = table.columns.filter((column) => {
    const { stems, end } = identifying(table, column, words);
    const isNamedKey = (end === 'id' || end === 'code' || end === 'number') && stems.length > 0;
    return (isNamedKey || (shared(column) && KEY_DATATYPES.has(column.datatype))) && column.datatype !== null;
  });
  const numbered = table.columns.filter(
    (column) => LINE_NUMBER.test(tableWords.wordsOf(column)) && column.datatype === 'integer',
  );
  const periods = new Set(periodsOf(rowsOf(table)));
  const dates = table.columns.filter(({ name, datatype }) =>
    OBSERVATION_TABLE.test(tableWords.thing) ? isTime(datatype) || periods.has(name) : periods.has(name),
  );
  // Repeated observations identify their subject: a country in each year, a share on each day.
  const subjectColumns =
    dates.length === 0 || references.length > 0
      ? []
      : table.columns.filter((column) => hasRepeatedValues(column, profileOf(table, column.name))).slice(0, 2);
  const links =
    table.columns.length <= 3 && table.columns.every(({ datatype }) => datatype === 'integer') ? table.columns : [];
  const parts = [...new Set([...references, ...links, ...numbered, ...subjectColumns, ...dates])].slice(
    0,
    MAX_KEY_PARTS,
  );
  const together = table.columns.every((column) => parts.includes(column));
  for (const columns of [...pairs(parts), ...triples(parts)]) {
    const rows = await isUnique(columns.map(({ name }) => name));
    const isObservation = OBSERVATION_TABLE.test(tableWords.thing) && columns.some((column) => dates.includes(column));
    const isLikely = together || isObservation || columns.some((column) => numbered.includes(column));
    const kinds = columns.reduce((all, { name }) => all * (profileOf(table, name)?.distinct ?? 1), 1);
    if (rows !== null && (isLikely || Math.exp((-rows * rows) / (2 * Math.max(1, kinds))) < MAX_CHANCE))
      return { columns: columns.map(({ name }) => name), rows };
  }
  return null;
}
const hasRepeatedValues = ({ datatype }: CatalogColumn, profile: ColumnProfile | undefined): boolean =>
  datatype === 'string' && profile?.distinct != null && profile.distinct > 1 && profile.distinct * 2 <= profile.rows;
const rowsOf = ({ table, primaryKey, columns }: CatalogTable) => ({ name: table, primaryKey, fields: columns });
const pairs = (parts: CatalogColumn[]): CatalogColumn[][] =>
  parts.flatMap((part, index) => parts.slice(index + 1).map((other) => [part, other]));
const triples = (parts: CatalogColumn[]): CatalogColumn[][] =>
  parts.slice(0, 4).flatMap((part, index) => pairs(parts.slice(index + 1, 4)).map((two) => [part, ...two]));
