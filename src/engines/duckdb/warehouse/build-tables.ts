// Builds the tables of a connection from its files. The build runs in a separate process (duckdb-process.ts) that can
// read only the listed files, because the guard doesn't check the project's selects.
import type * as DuckDB from '@duckdb/node-api';
import { redactValues } from '../../../adapters/warehouse/faults.ts';
import { CONVERSION_COMMENT_PREFIX } from '../../../domain/ports.ts';
import { Problem } from '../../../platform/problem.ts';
import { findFileSelectFault } from '../dialect/check-file-select.ts';
import { quoteName, quoteText } from '../dialect/write-names.ts';
import { readExactSource } from './exact-decimals.ts';

export const DEFAULT_SELECT = 'select * from source';
const TABLES_PER_CHECKPOINT = 100;
const MEMORY_LIMIT = '1GB';
export interface TableSource {
  table: string;
  path: string;
  realPath: string;
  select: string;
  reader: string;
}

export async function buildTables(path: string, sources: TableSource[]): Promise<void> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(path, {
    threads: '2',
    memory_limit: MEMORY_LIMIT,
    max_temp_directory_size: '4GB',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
  const connection = await instance.connect();
  try {
    await connection.run(`set allowed_paths = [${sources.map(({ realPath }) => quoteText(realPath)).join(', ')}]`);
    await connection.run(
      "set global TimeZone = 'UTC'; set enable_external_access = false; set lock_configuration = true",
    );
    const tables = sources.map(({ table }) => table);
    for (const [index, source] of sources.entries()) {
      await buildTable(connection, source, tables);
      // DuckDB keeps new tables in memory until a checkpoint.
      if ((index + 1) % TABLES_PER_CHECKPOINT === 0) await connection.run('checkpoint');
    }
    await connection.run('checkpoint');
  } finally {
    connection.disconnectSync();
    instance.closeSync();
  }
}

async function buildTable(
  connection: DuckDB.DuckDBConnection,
  { table, path, realPath, select, reader }: TableSource,
  tables: string[],
): Promise<void> {
  const toFault = (message: string, cause?: unknown) => {
    const reason =
      cause instanceof Error && /^(Binder|Parser|Catalog) Error/.test(cause.message)
        ? ` ${redactValues(cause.message)}`
        : '';
    return new Problem('invalid', `Table "${table}": ${message}${reason}`, {
      cause,
      detail: redactValues(String(cause)),
    });
  };
  const runOrThrow = (message: string, sql: string) =>
    connection.run(sql).catch((cause: unknown) => {
      const isOutOfMemory = cause instanceof Error && cause.message.startsWith('Out of Memory Error');
      throw toFault(isOutOfMemory ? OUT_OF_MEMORY_MESSAGE : message, cause);
    });
  const forbiddenPart = await findFileSelectFault(select, tables);
  if (forbiddenPart)
    throw toFault(
      `its select uses ${forbiddenPart}, which is not allowed. A select can read \`source\` and the other tables of the connection, and call only functions that callers can use.`,
    );
  const view = 'create or replace temp view source as from';
  const exactSource = await readExactSource(connection, realPath, reader, select !== DEFAULT_SELECT);
  await runOrThrow(
    `the file "${path}" can't be read in the format of its extension.`,
    `${view} ${exactSource?.from ?? reader}`,
  );
  const preparedStatement = await connection.prepare(select).catch((cause: unknown) => {
    throw toFault('its select does not run on the file.', cause);
  });
  const { statementType } = preparedStatement;
  preparedStatement.destroySync(); // a prepared statement would keep the 32 MB buffer of its CSV reader
  if (statementType !== 1) throw toFault('its select must be one SELECT over `source`.');
  await runOrThrow('its select failed on a row of the file.', `create table main."${table}" as ${select}`);
  // svc lists the columns with converted values in a draft, from this comment.
  for (const [name, { description }] of select === DEFAULT_SELECT ? (exactSource?.conversions ?? []) : [])
    await connection.run(
      `comment on column main."${table}".${quoteName(name)} is ${quoteText(CONVERSION_COMMENT_PREFIX + description)}`,
    );
}

const OUT_OF_MEMORY_MESSAGE = `svc needs more than ${MEMORY_LIMIT} of memory to read the file. Use a Parquet file, or a simpler select.`;
