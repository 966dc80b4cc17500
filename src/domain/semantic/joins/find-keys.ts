// Finds primary keys for tables without a declared one. A key must be unique and never null in all rows that svc could
// read in time. svc accepts a combination of columns only if it is unlikely to be unique by chance.
import { isTemporal } from '../../../contract/warehouse.ts';
import { findPeriodFields } from '../../../lens/model/aggregation.ts';
import { expandAbbreviations } from '../../../lens/model/name-words.ts';
import { mapInParallel } from '../../../platform/schedule/in-parallel.ts';
import type { CatalogColumn, CatalogTable } from '../../ports.ts';
import { type NamedColumn, type NamedTable, removeSeparators } from '../columns/schema-words.ts';
import { measureUniqueness, type QueryContext } from './measure-join.ts';
import { GENERIC_NAME_PATTERN, isOwnKey, parseIdentifyingName } from './name-joins.ts';

const KEY_DATATYPES = new Set<CatalogColumn['datatype']>(['integer', 'string']);
const MAX_KEY_CANDIDATES = 5;
const MAX_KEY_PARTS = 6;
const MAX_COINCIDENCE_CHANCE = 0.05;
/** The rows of these tables describe the state of something at a point in time. */
export const OBSERVATION_TABLE_PATTERN =
  /\b(?:daily|weekly|monthly|yearly|hourly|reading|level|balance|snapshot|price|rate|stat|history|census|day|month)s?\b/;
const LINE_NUMBER_PATTERN =
  /^(?:(?:.+ )?(?:line|sequence|seq|position|item|row|version|part|step|leg|stop|revision)(?: (?:number|id|no))?)$/;

export async function addFoundKeys(queryContext: QueryContext, tables: readonly NamedTable[]): Promise<void> {
  const isShared = createSharedNameTest(tables);
  await mapInParallel([...tables], 3, async (table) => {
    if (table.primaryKey.length > 0) return;
    const declaredKey = table.uniqueKeys.find((key) =>
      key.every((name) => table.columns.find((column) => column.name === name)?.nullable === false),
    );
    if (declaredKey) table.primaryKey = declaredKey;
    else await addFoundKey(queryContext, table, isShared);
  });
}

async function addFoundKey(queryContext: QueryContext, table: NamedTable, isShared: SharedNameTest): Promise<void> {
  for (const { columns, mustBeUnlikely } of [
    ...listSingleKeyCandidates(table, isShared),
    ...listCompositeKeyCandidates(table, isShared),
  ]) {
    const rows = await countRowsIfUnique(queryContext, table, columns);
    // With few rows, columns with many values are unique by chance.
    const combinationCount = columns.reduce((product, { profile }) => product * (profile?.distinct ?? 1), 1);
    const chance = Math.exp(-((rows ?? 0) ** 2) / (2 * Math.max(1, combinationCount)));
    if (rows === null || (mustBeUnlikely && chance >= MAX_COINCIDENCE_CHANCE)) continue;
    table.primaryKey = columns.map(({ name }) => name);
    table.foundKeyRows = rows;
    return;
  }
}

/** Returns the number of rows, or null if two rows have the same values. */
async function countRowsIfUnique(
  queryContext: QueryContext,
  table: NamedTable,
  columns: readonly NamedColumn[],
): Promise<number | null> {
  if (columns.some(({ profile }) => profile && (profile.rows === 0 || profile.nulls > 0))) return null;
  const { profile } = columns[0]!;
  if (columns.length === 1 && profile && profile.distinct !== null)
    return profile.distinct === profile.rows ? profile.rows : null;
  const key = await measureUniqueness(queryContext, { table, columns: columns.map(({ name }) => name) });
  // `nonNullRows` excludes rows with a null, so it must equal the row count, unless the profile is a sample.
  const isFilled = columns.every(({ profile }) => profile && (profile.sampled || profile.rows === key?.nonNullRows));
  return key && key.nonNullRows > 0 && key.nonNullRows === key.distinctCount && isFilled ? key.nonNullRows : null;
}

/** A column with the same name in another table suggests a reference. */
type SharedNameTest = (column: CatalogColumn) => boolean;
function createSharedNameTest(tables: readonly CatalogTable[]): SharedNameTest {
  const counts = new Map<string, number>();
  for (const { columns } of tables)
    for (const name of new Set(columns.map((column) => removeSeparators(column.name))))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  return ({ name }) => counts.get(removeSeparators(name))! > 1 && !GENERIC_NAME_PATTERN.test(expandAbbreviations(name));
}

interface KeyCandidate {
  columns: NamedColumn[];
  /** The names don't suggest this key, so it must be unlikely that its columns are unique by chance. */
  mustBeUnlikely: boolean;
}

function listSingleKeyCandidates(table: NamedTable, isShared: SharedNameTest): KeyCandidate[] {
  const identifiers = table.columns
    .filter(({ datatype }) => datatype === 'integer' || datatype === 'string' || datatype === 'decimal')
    .map((column) => ({ column, end: parseIdentifyingName(table, column).identifierKind }));
  const ownKeys = identifiers.filter(({ column }) => isOwnKey(table, column));
  // If all columns refer to other tables, no single column is the key.
  const isBridge =
    table.columns.length > 1 &&
    table.columns.every(
      (column) => parseIdentifyingName(table, column).identifierKind === 'id' && !isOwnKey(table, column),
    );
  const [firstIdentifier] = identifiers;
  const startsWithKey =
    firstIdentifier !== undefined &&
    firstIdentifier.column === table.columns[0] &&
    (firstIdentifier.end !== null || isShared(firstIdentifier.column));
  const candidates = [
    ...ownKeys.filter(({ end }) => end === 'id'),
    ...ownKeys.filter(({ end }) => end !== 'name'),
    ...(isBridge ? [] : identifiers.filter(({ end }) => end === 'id')),
    ...(!isBridge && startsWithKey ? [firstIdentifier] : []),
  ].map(({ column }) => column);
  const wellKnownKeys = table.columns.filter(({ words }) => WELL_KNOWN_KEY_PATTERN.test(words));
  // In a table with one row for each day, the day is the key.
  const dayKeys = table.columns
    .slice(0, 1)
    .filter(({ name, datatype }) => isTemporal(datatype) && findPeriodFields(toTableShape(table)).includes(name));
  return [...new Set([...candidates, ...wellKnownKeys, ...dayKeys])]
    .slice(0, MAX_KEY_CANDIDATES)
    .map((column) => ({ columns: [column], mustBeUnlikely: false }));
}
const WELL_KNOWN_KEY_PATTERN = /^(?:isbn|iban|sku|ean|vin|imei|email|username|user name|iata|icao|symbol|ticker)$/;

/** A key can consist of several references, a reference and a line number, or the subject and day of an observation. */
function listCompositeKeyCandidates(table: NamedTable, isShared: SharedNameTest): KeyCandidate[] {
  const references = table.columns.filter((column) => {
    const { stems, identifierKind: end } = parseIdentifyingName(table, column);
    const isNamedKey = (end === 'id' || end === 'code' || end === 'number') && stems.length > 0;
    return (isNamedKey || (isShared(column) && KEY_DATATYPES.has(column.datatype))) && column.datatype !== null;
  });
  const numberedColumns = table.columns.filter(
    ({ words, datatype }) => LINE_NUMBER_PATTERN.test(words) && datatype === 'integer',
  );
  const periods = new Set(findPeriodFields(toTableShape(table)));
  const hasObservations = OBSERVATION_TABLE_PATTERN.test(table.rowNoun);
  const dates = table.columns.filter(
    ({ name, datatype }) => periods.has(name) || (hasObservations && isTemporal(datatype)),
  );
  // In a table with one row for each country and year, the country is a part of the key.
  const subjectColumns =
    dates.length === 0 || references.length > 0 ? [] : table.columns.filter(hasRepeatedValues).slice(0, 2);
  const linkColumns =
    table.columns.length <= 3 && table.columns.every(({ datatype }) => datatype === 'integer') ? table.columns : [];
  const parts = [...new Set([...references, ...linkColumns, ...numberedColumns, ...subjectColumns, ...dates])].slice(
    0,
    MAX_KEY_PARTS,
  );
  const isWholeRow = table.columns.every((column) => parts.includes(column));
  return [...listPairs(parts), ...listTriples(parts)].map((columns) => ({
    columns,
    mustBeUnlikely: !(
      isWholeRow ||
      (hasObservations && columns.some((column) => dates.includes(column))) ||
      columns.some((column) => numberedColumns.includes(column))
    ),
  }));
}
const hasRepeatedValues = ({ datatype, profile }: NamedColumn): boolean =>
  datatype === 'string' && profile?.distinct != null && profile.distinct > 1 && profile.distinct * 2 <= profile.rows;
const toTableShape = ({ table, primaryKey, columns }: CatalogTable) => ({ name: table, primaryKey, fields: columns });
const listPairs = (parts: NamedColumn[]): NamedColumn[][] =>
  parts.flatMap((part, index) => parts.slice(index + 1).map((otherPart) => [part, otherPart]));
const listTriples = (parts: NamedColumn[]): NamedColumn[][] =>
  parts.slice(0, 4).flatMap((part, index) => listPairs(parts.slice(index + 1, 4)).map((two) => [part, ...two]));
