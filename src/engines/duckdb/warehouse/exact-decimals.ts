// Reads columns of plain decimals in CSV and JSON files as DECIMAL. DuckDB reads every number with a decimal point as a
// DOUBLE, which loses digits of amounts.
import type { DuckDBConnection } from '@duckdb/node-api';
import { detectReadings, nonSqlDateColumns, type Reading } from './detect-formats.ts';

const MAX_DIGITS = 38;
const MIN_DIGITS = 18; // takes eight bytes, like a DOUBLE
const ident = (name: string) => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

type Row = Record<string, unknown>;
const rowsOf = async (connection: DuckDBConnection, sql: string): Promise<Row[]> =>
  (await connection.runAndReadAll(sql)).getRowObjectsJson() as Row[];

export interface ExactSource {
  from: string;
  /** For text columns that contain dates or numbers, how to convert them. */
  readings: Map<string, Reading>;
}

/** Null if DuckDB's own reader loses nothing, or has options that svc must not change. */
export async function exactSource(
  connection: DuckDBConnection,
  path: string,
  reader: string,
  asWritten: boolean,
): Promise<ExactSource | null> {
  try {
    if (reader.startsWith('read_csv(')) return await exactCsv(connection, path, asWritten);
    if (reader.startsWith('read_json(')) return await exactJson(connection, path, reader, asWritten);
    return null;
  } catch {
    return null; // DuckDB's own reader reports the fault of the file
  }
}

/**
 * `asWritten`: the project's select expects the strings of the file, so svc converts no more columns than DuckDB does.
 */
async function exactCsv(connection: DuckDBConnection, path: string, asWritten: boolean): Promise<ExactSource | null> {
  const [sniffed] = await rowsOf(
    connection,
    `select HasHeader as header, Columns as columns from sniff_csv(${literal(path)}, sample_size = -1)`,
  );
  const columns = sniffed!['columns'] as { name: string; type: string }[];
  const typed = (pattern: RegExp) => columns.filter(({ type }) => pattern.test(type)).map(({ name }) => name);
  const reading = `${literal(path)}, sample_size = -1, header = ${String(sniffed!['header'])}`;
  const texts = `read_csv(${reading}, all_varchar = true)`;
  const types = await decimalsOf(
    connection,
    typed(/^DOUBLE$/).map((name) => [name, ident(name)]),
    texts,
  );
  const guessed = await nonSqlDateColumns(connection, typed(/^(?:DATE|TIMESTAMP)/), texts);
  const readings = await detectReadings(connection, [...guessed, ...(asWritten ? [] : typed(/^VARCHAR$/))], texts);
  const typeOverrides = [
    ...[...types].map(([name, type]) => `${literal(name)}: '${type}'`),
    ...[...new Set([...guessed, ...readings.keys()])].map((name) => `${literal(name)}: 'VARCHAR'`),
  ];
  if (typeOverrides.length === 0) return null;
  const exact = `read_csv(${reading}, types = {${typeOverrides.join(', ')}})`;
  const source = read(exact, readings);
  const changed = [...types.keys(), ...readings.keys()];
  if (changed.length > 0)
    await connection.run(`select ${changed.map((name) => `max(${ident(name)})`).join(', ')} from ${source}`);
  return { from: source, readings };
}

const read = (source: string, readings: ReadonlyMap<string, Reading>): string =>
  readings.size > 0
    ? `(select * replace (${[...readings].map(([name, { sql }]) => `${sql} as ${ident(name)}`).join(', ')}) from ${source})`
    : source;

async function exactJson(
  connection: DuckDBConnection,
  path: string,
  reader: string,
  asWritten: boolean,
): Promise<ExactSource | null> {
  const described = await rowsOf(connection, `describe select * from ${reader}`);
  const typed = (type: string) =>
    described.filter((row) => row['column_type'] === type).map((row) => String(row['column_name']));
  const exact = (await exactDoubles(connection, path, reader, typed('DOUBLE'))) ?? reader;
  const readings = await detectReadings(connection, asWritten ? [] : typed('VARCHAR'), exact);
  return exact === reader && readings.size === 0 ? null : { from: read(exact, readings), readings };
}

/** The original digits are only in the JSON text of each record. Both readers keep the order of the file. */
async function exactDoubles(
  connection: DuckDBConnection,
  path: string,
  reader: string,
  doubles: string[],
): Promise<string | null> {
  if (doubles.length === 0) return null;
  const records = `${reader} as parsed positional join read_json_objects(${literal(path)}) as raw`;
  const digits = (name: string) =>
    `nullif(regexp_extract(raw.json::varchar, ${literal(`${asPattern(JSON.stringify(name))}\\s*:\\s*(-?[0-9][0-9.eE+-]*)`)}, 1), '')`;
  const same = doubles.map((name) => `bool_and(${digits(name)}::double is not distinct from parsed.${ident(name)})`);
  const [agreed] = await rowsOf(connection, `select [${same.join(', ')}] as agreed from ${records}`);
  const agreedDoubles = doubles.filter((_name, index) => (agreed!['agreed'] as unknown[])[index] === true);
  const types = await decimalsOf(
    connection,
    agreedDoubles.map((name) => [name, digits(name)]),
    records,
  );
  if (types.size === 0) return null;
  const replaced = [...types].map(([name, type]) => `${digits(name)}::${type} as ${ident(name)}`);
  return `(select parsed.* replace (${replaced.join(', ')}) from ${records})`;
}

/** For each column of plain decimals, the DECIMAL type that holds every value. */
async function decimalsOf(
  connection: DuckDBConnection,
  columns: [name: string, text: string][],
  source: string,
): Promise<Map<string, string>> {
  if (columns.length === 0) return new Map();
  const looks = columns.map(
    ([, text]) => `[bool_and(regexp_full_match(trim(${text}), '[+-]?[0-9]+([.][0-9]*)?|[+-]?[.][0-9]+'))::int,
      coalesce(max(length(regexp_extract(trim(${text}), '^[+-]?0*([0-9]*)', 1))), 0),
      coalesce(max(length(regexp_extract(trim(${text}), '[.]([0-9]*)$', 1))), 0)]`,
  );
  const [found] = await rowsOf(connection, `select [${looks.join(', ')}] as looks from ${source}`);
  const types = new Map<string, string>();
  (found!['looks'] as unknown[][]).forEach((look, index) => {
    const [allNumeric, integerDigits, scale] = look.map(Number) as [number, number, number];
    if (allNumeric !== 1 || integerDigits + scale > MAX_DIGITS) return;
    types.set(columns[index]![0], `DECIMAL(${Math.max(MIN_DIGITS, integerDigits + scale)}, ${scale})`);
  });
  return types;
}

const asPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
