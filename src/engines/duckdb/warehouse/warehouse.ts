// Runs statements on a DuckDB file. svc opens the file READ_ONLY. Statements can't use other files, the network,
// extensions or settings.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type * as DuckDB from '@duckdb/node-api';
import { createUnreachableProblem } from '../../../adapters/warehouse/faults.ts';
import { testConnection } from '../../../adapters/warehouse/test-connection.ts';
import type { CatalogTable, FetchOptions, FetchResult, Warehouse, WarehouseColumn } from '../../../domain/ports.ts';
import type { GuardedSql } from '../../../guard/guarded-sql.ts';
import { Problem } from '../../../platform/problem.ts';
import { getTemporaryFolder } from '../../../platform/temporary-folder.ts';
import { duckdbDialect as dialect } from '../dialect/dialect.ts';
import { readDuckDbCatalog } from './catalog.ts';
import { toDatatype } from './cells.ts';
import { estimateDuckDb } from './estimate.ts';
import { bindParameters } from './parameters.ts';
import { profileDuckDbTable } from './profile.ts';
import { DuckDbSessions } from './sessions.ts';

export interface DuckDbOptions {
  path: string;
  /** The name of the file in messages: the configured path, never the real path. */
  label: string;
  /** Each organization can use about half of svc's DuckDB threads. */
  tenant?: string;
  threads?: number;
  memoryLimit?: string;
}

const INTERNAL_TIMEOUT_MS = 60_000;
export const ESTIMATE_TIMEOUT_MS = 5_000;

export async function openDuckDbWarehouse(options: DuckDbOptions): Promise<Warehouse> {
  // svc loads these modules once per warehouse, because loading them takes longer than a small statement.
  const duckdb = await import('@duckdb/node-api');
  const { readRows } = await import('./rows.ts');
  const sessions = new DuckDbSessions(await openReadOnly(duckdb, options), options.tenant ?? options.path);

  async function fetch(statement: GuardedSql, fetchOptions: FetchOptions): Promise<FetchResult> {
    return sessions.withConnection(fetchOptions, async ({ session, stopReason, markComplete }) => {
      const preparedStatement = await sessions.prepare(session, statement.runs);
      bindParameters(duckdb, preparedStatement, statement.parameters, fetchOptions.parameters);
      const result = await preparedStatement.stream();
      const rowsRead = await readRows(result, fetchOptions, stopReason);
      if (!rowsRead.more && !rowsRead.bytesCut) markComplete();
      return { columns: listWarehouseColumns(result), ...rowsRead };
    });
  }

  return {
    dialect: 'duckdb',
    fetch,
    describe: (statement, limits) =>
      sessions.withConnection(limits, async ({ session, markComplete }) => {
        const columns = listWarehouseColumns(await sessions.prepare(session, statement.runs));
        markComplete();
        return columns;
      }),
    estimate: (statement) =>
      sessions.withConnection({ timeoutMs: ESTIMATE_TIMEOUT_MS }, async ({ connection }) => {
        const rows = await estimateDuckDb(connection, statement.runs);
        return { rows, cost: null };
      }),
    catalog: ({ signal, onProgress } = {}): Promise<CatalogTable[]> =>
      sessions.withConnection({ timeoutMs: INTERNAL_TIMEOUT_MS, signal }, async ({ connection }) => {
        const tables = await readDuckDbCatalog(connection);
        onProgress?.(tables.length, tables.length);
        return tables;
      }),
    profile: (table, columns, limits) =>
      sessions.withConnection({ timeoutMs: INTERNAL_TIMEOUT_MS, signal: limits.signal }, ({ connection }) =>
        profileDuckDbTable(connection, table, columns, limits),
      ),
    test: () =>
      testConnection(async () => {
        await sessions.withConnection({ timeoutMs: 5_000 }, ({ connection }) => connection.run('select 1'));
        return { serverVersion: `DuckDB ${duckdb.version()}` };
      }),
    async close() {
      sessions.close();
    },
  };
}

async function openReadOnly(duckdb: typeof DuckDB, options: DuckDbOptions): Promise<DuckDB.DuckDBInstance> {
  const spillFolder = getTemporaryFolder();
  try {
    const instance = await duckdb.DuckDBInstance.create(options.path, {
      access_mode: 'READ_ONLY',
      threads: String(options.threads ?? 2),
      memory_limit: options.memoryLimit ?? '512MB',
      // By default, DuckDB puts temporary files next to the file, where processes would overwrite each other's files.
      temp_directory: spillFolder ? join(spillFolder, randomUUID()) : '',
      max_temp_directory_size: '4GB',
      enable_external_access: 'false',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
    });
    const connection = await instance.connect();
    for (const setting of dialect.settings) await connection.run(`set global ${setting}`);
    await connection.run('set lock_configuration = true');
    await refuseOverloads(connection, options.label);
    connection.disconnectSync();
    return instance;
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw toOpeningProblem(error, options.label);
  }
}

/**
 * Refuses a file with macros that have the names of built-in functions, because DuckDB prefers such a macro, even for
 * `+`. svc's own catalog query qualifies its names, because no macro can replace qualified names.
 */
async function refuseOverloads(connection: DuckDB.DuckDBConnection, label: string): Promise<void> {
  const functionRows = await connection.runAndReadAll(
    'select function_name, internal from system.main.duckdb_functions()',
  );
  const rows = functionRows.getRows().map(([name, internal]) => ({ name: String(name), internal: internal === true }));
  const builtIn = new Set(rows.filter(({ internal }) => internal).map(({ name }) => name.toLowerCase()));
  const overloads = rows
    .filter(({ name, internal }) => !internal && builtIn.has(name.toLowerCase()))
    .map(({ name }) => name);
  if (overloads.length === 0) return;
  throw createUnreachableProblem(
    null,
    `The warehouse file "${label}" has macros with the names of built-in functions: ${overloads.slice(0, 5).join(', ')}. Rename or drop them.`,
  );
}

function toOpeningProblem(error: unknown, label: string): Problem {
  const text = error instanceof Error ? error.message : String(error);
  if (/conflicting lock|could not set lock/i.test(text))
    return createUnreachableProblem(
      error,
      `The warehouse file "${label}" is locked by another program. Close the program that writes to it, then try again.`,
    );
  if (/does not exist|no such file/i.test(text))
    return createUnreachableProblem(
      error,
      `The warehouse file "${label}" does not exist. Put it there, or correct the path of its connection.`,
    );
  return createUnreachableProblem(error, `The warehouse file "${label}" can't be opened as a DuckDB database.`);
}

function listWarehouseColumns(source: DuckDB.DuckDBResult | DuckDB.DuckDBPreparedStatement): WarehouseColumn[] {
  return Array.from({ length: source.columnCount }, (_, index) => ({
    name: source.columnName(index),
    datatype: toDatatype(source.columnTypeId(index)),
  }));
}
