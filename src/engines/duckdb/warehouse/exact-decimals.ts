// Reads columns of plain decimals in CSV and JSON files as DECIMAL. DuckDB's own reader reads every number with a
// decimal point as a DOUBLE, which loses digits of large amounts.
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName, quoteText } from '../dialect/write-names.ts';
import { type ColumnConversion, detectConversions, findNonSqlDateColumns } from './detect-formats.ts';

const MAX_DECIMAL_DIGITS = 38;
const MIN_DECIMAL_DIGITS = 18; // a DECIMAL with up to 18 digits takes eight bytes, like a DOUBLE

type JsonRow = Record<string, unknown>;
const fetchJsonRows = async (connection: DuckDBConnection, sql: string): Promise<JsonRow[]> =>
  (await connection.runAndReadAll(sql)).getRowObjectsJson() as JsonRow[];

export interface ExactSource {
  from: string;
  conversions: Map<string, ColumnConversion>;
}

/** Returns null if DuckDB's own reader loses no digits, or if the project sets options of that reader. */
export async function readExactSource(
  connection: DuckDBConnection,
  path: string,
  reader: string,
  keepStrings: boolean,
): Promise<ExactSource | null> {
  try {
    if (reader.startsWith('read_csv(')) return await readExactCsv(connection, path, keepStrings);
    if (reader.startsWith('read_json(')) return await readExactJson(connection, path, reader, keepStrings);
    return null;
  } catch {
    return null; // DuckDB's own reader then reports the error in the file
  }
}

/**
 * If `keepStrings` is true, the project's select expects the strings of the file, so svc converts only columns that
 * DuckDB also converts.
 */
async function readExactCsv(
  connection: DuckDBConnection,
  path: string,
  keepStrings: boolean,
): Promise<ExactSource | null> {
  const [sniffedFormat] = await fetchJsonRows(
    connection,
    `select HasHeader as header, Columns as columns from sniff_csv(${quoteText(path)}, sample_size = -1)`,
  );
  const columns = sniffedFormat!['columns'] as { name: string; type: string }[];
  const columnsOfType = (pattern: RegExp) => columns.filter(({ type }) => pattern.test(type)).map(({ name }) => name);
  const reading = `${quoteText(path)}, sample_size = -1, header = ${String(sniffedFormat!['header'])}`;
  const textSource = `read_csv(${reading}, all_varchar = true)`;
  const types = await findDecimals(
    connection,
    columnsOfType(/^DOUBLE$/).map((name) => [name, quoteName(name)]),
    textSource,
  );
  const guessedDates = await findNonSqlDateColumns(connection, columnsOfType(/^(?:DATE|TIMESTAMP)/), textSource);
  const readings = await detectConversions(
    connection,
    [...guessedDates, ...(keepStrings ? [] : columnsOfType(/^VARCHAR$/))],
    textSource,
  );
  const typeOverrides = [
    ...[...types].map(([name, type]) => `${quoteText(name)}: '${type}'`),
    ...[...new Set([...guessedDates, ...readings.keys()])].map((name) => `${quoteText(name)}: 'VARCHAR'`),
  ];
  if (typeOverrides.length === 0) return null;
  const exactSql = `read_csv(${reading}, types = {${typeOverrides.join(', ')}})`;
  const source = writeConvertedSource(exactSql, readings);
  const changedColumns = [...types.keys(), ...readings.keys()];
  if (changedColumns.length > 0)
    await connection.run(`select ${changedColumns.map((name) => `max(${quoteName(name)})`).join(', ')} from ${source}`);
  return { from: source, conversions: readings };
}

const writeConvertedSource = (source: string, readings: ReadonlyMap<string, ColumnConversion>): string =>
  readings.size > 0
    ? `(select * replace (${[...readings].map(([name, { sql }]) => `${sql} as ${quoteName(name)}`).join(', ')}) from ${source})`
    : source;

async function readExactJson(
  connection: DuckDBConnection,
  path: string,
  reader: string,
  keepStrings: boolean,
): Promise<ExactSource | null> {
  const describedColumns = await fetchJsonRows(connection, `describe select * from ${reader}`);
  const columnsWithType = (type: string) =>
    describedColumns.filter((row) => row['column_type'] === type).map((row) => String(row['column_name']));
  const exactReader = (await createExactReader(connection, path, reader, columnsWithType('DOUBLE'))) ?? reader;
  const readings = await detectConversions(connection, keepStrings ? [] : columnsWithType('VARCHAR'), exactReader);
  return exactReader === reader && readings.size === 0
    ? null
    : { from: writeConvertedSource(exactReader, readings), conversions: readings };
}

/**
 * Reads the original digits from the JSON text of each record, because the parsed records don't contain them. Both
 * readers keep the order of the file.
 */
async function createExactReader(
  connection: DuckDBConnection,
  path: string,
  reader: string,
  doubles: string[],
): Promise<string | null> {
  if (doubles.length === 0) return null;
  const records = `${reader} as parsed positional join read_json_objects(${quoteText(path)}) as raw`;
  const digitsSql = (name: string) =>
    `nullif(regexp_extract(raw.json::varchar, ${quoteText(`${escapePattern(JSON.stringify(name))}\\s*:\\s*(-?[0-9][0-9.eE+-]*)`)}, 1), '')`;
  const sameChecks = doubles.map(
    (name) => `bool_and(${digitsSql(name)}::double is not distinct from parsed.${quoteName(name)})`,
  );
  const [agreedRow] = await fetchJsonRows(connection, `select [${sameChecks.join(', ')}] as agreed from ${records}`);
  const agreedDoubles = doubles.filter((_name, index) => (agreedRow!['agreed'] as unknown[])[index] === true);
  const types = await findDecimals(
    connection,
    agreedDoubles.map((name) => [name, digitsSql(name)]),
    records,
  );
  if (types.size === 0) return null;
  const replacements = [...types].map(([name, type]) => `${digitsSql(name)}::${type} as ${quoteName(name)}`);
  return `(select parsed.* replace (${replacements.join(', ')}) from ${records})`;
}

/** Maps each column of plain decimals to a DECIMAL type that can hold all its values. */
async function findDecimals(
  connection: DuckDBConnection,
  columns: [name: string, text: string][],
  source: string,
): Promise<Map<string, string>> {
  if (columns.length === 0) return new Map();
  const numberShapes = columns.map(
    ([, text]) => `[bool_and(regexp_full_match(trim(${text}), '[+-]?[0-9]+([.][0-9]*)?|[+-]?[.][0-9]+'))::int,
      coalesce(max(length(regexp_extract(trim(${text}), '^[+-]?0*([0-9]*)', 1))), 0),
      coalesce(max(length(regexp_extract(trim(${text}), '[.]([0-9]*)$', 1))), 0)]`,
  );
  const [foundRow] = await fetchJsonRows(connection, `select [${numberShapes.join(', ')}] as shapes from ${source}`);
  const types = new Map<string, string>();
  (foundRow!['shapes'] as unknown[][]).forEach((shape, index) => {
    const [allNumeric, integerDigits, scale] = shape.map(Number) as [number, number, number];
    if (allNumeric !== 1 || integerDigits + scale > MAX_DECIMAL_DIGITS) return;
    types.set(columns[index]![0], `DECIMAL(${Math.max(MIN_DECIMAL_DIGITS, integerDigits + scale)}, ${scale})`);
  });
  return types;
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
