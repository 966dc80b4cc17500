// A DuckDB file as a warehouse: opened READ_ONLY, without files, network, extensions or settings (G17), and one SELECT
// at a time on a connection. A connection serves again, with what it has prepared, only after a SELECT of ours that was
// read to its end: after a fault, a stop or a cut it is thrown away with whatever it still holds.
import type * as DuckDB from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import type { CatalogTable, Fetched, FetchOptions, Warehouse, WarehouseColumn } from '../../domain/ports.ts';
import type { GuardedSql } from '../../guard/guarded-sql.ts';
import { Problem } from '../../platform/problem.ts';
import { startDeadline } from './deadline.ts';
import { readDuckDbCatalog } from './duckdb-catalog.ts';
import { datatypeOf } from './duckdb-cells.ts';
import { duckDbEstimate } from './duckdb-estimate.ts';
import { duckDbFault } from './duckdb-faults.ts';
import { bindParameters } from './duckdb-parameters.ts';
import { profileDuckDbTable } from './duckdb-profile.ts';
import { away, refusedByEngine } from './faults.ts';

export interface DuckDbOptions {
  path: string;
  /** What messages call the file: the path as configured, never where it lies. */
  label: string;
  threads?: number;
  memoryLimit?: string;
}

interface Session {
  connection: DuckDB.DuckDBConnection;
  prepared: LRUCache<string, DuckDB.DuckDBPreparedStatement>;
}
/** The work on a session: why it was stopped, if it was, and `whole` to say that its result was read to the end. */
interface Work {
  session: Session;
  connection: DuckDB.DuckDBConnection;
  stopped: () => Error | null;
  whole: () => void;
}

const SELECT = 1;
const INTERNAL_TIMEOUT_MS = 60_000;
const IDLE_SESSIONS = 4;
const PREPARED_STATEMENTS = 100;

export async function openDuckDbWarehouse(options: DuckDbOptions): Promise<Warehouse> {
  // Once: resolving a module takes longer than a small statement.
  const duckdb = await import('@duckdb/node-api');
  const { readRows } = await import('./duckdb-rows.ts');
  const instance = await openReadOnly(duckdb, options);

  const idle: Session[] = [];

  async function openSession(): Promise<Session> {
    const dispose = (statement: DuckDB.DuckDBPreparedStatement) => statement.destroySync();
    return { connection: await instance.connect(), prepared: new LRUCache({ max: PREPARED_STATEMENTS, dispose }) };
  }

  /** Runs `work` under a clock that interrupts it. */
  async function connected<T>(
    limits: { timeoutMs: number; signal?: AbortSignal | undefined },
    work: (given: Work) => Promise<T>,
  ): Promise<T> {
    const session = idle.pop() ?? (await openSession());
    const { connection } = session;
    let whole = false;
    const deadline = startDeadline(limits, () => connection.interrupt());
    try {
      const gone = deadline.stopped();
      if (gone) throw gone;
      const stopped = deadline.stopped;
      return await work({ session, connection, stopped, whole: () => (whole = true) });
    } catch (error) {
      whole = false;
      throw deadline.stopped() ?? (error instanceof Problem ? error : duckDbFault(error));
    } finally {
      deadline.end();
      if (whole && !deadline.stopped() && idle.length < IDLE_SESSIONS) idle.push(session);
      else {
        // A stream that was not read to its end holds its buffers until the next statement of the connection.
        if (!whole) await connection.run('select 1').catch(() => undefined);
        connection.disconnectSync();
      }
    }
  }

  async function prepare(session: Session, sql: string): Promise<DuckDB.DuckDBPreparedStatement> {
    const known = session.prepared.get(sql);
    if (known) return known;
    const made = await session.connection.prepare(sql);
    if (made.statementType !== SELECT) throw refusedByEngine('not a SELECT');
    session.prepared.set(sql, made);
    return made;
  }

  async function fetch(statement: GuardedSql, fetching: FetchOptions): Promise<Fetched> {
    return connected(fetching, async ({ session, stopped, whole }) => {
      const prepared = await prepare(session, statement.runs);
      bindParameters(duckdb, prepared, statement.parameters, fetching.parameters);
      const result = await prepared.stream();
      const read = await readRows(result, fetching, stopped);
      if (!read.more && !read.bytesCut) whole();
      return { columns: columnsOf(result), ...read };
    });
  }

  return {
    dialect: 'duckdb',
    fetch,
    describe: (statement, limits) =>
      connected(limits, async ({ session, whole }) => {
        const columns = columnsOf(await prepare(session, statement.runs));
        whole();
        return columns;
      }),
    estimate: (statement) =>
      connected({ timeoutMs: INTERNAL_TIMEOUT_MS }, async ({ connection }) => {
        const rows = await duckDbEstimate(connection, statement.runs);
        return { rows, cost: null };
      }),
    catalog: ({ signal, onProgress } = {}): Promise<CatalogTable[]> =>
      connected({ timeoutMs: INTERNAL_TIMEOUT_MS, signal }, async ({ connection }) => {
        const tables = await readDuckDbCatalog(connection);
        onProgress?.(tables.length, tables.length);
        return tables;
      }),
    profile: (table, columns, limits) =>
      connected({ timeoutMs: INTERNAL_TIMEOUT_MS, signal: limits.signal }, ({ connection }) =>
        profileDuckDbTable(connection, table, columns, limits),
      ),
    async test() {
      const started = performance.now();
      try {
        await connected({ timeoutMs: 5_000 }, ({ connection }) => connection.run('select 1'));
        const latencyMs = Math.round((performance.now() - started) * 10) / 10;
        return { ok: true, latencyMs, serverVersion: `DuckDB ${duckdb.version()}`, readOnly: true };
      } catch (error) {
        const latencyMs = Math.round(performance.now() - started);
        return { ok: false, latencyMs, serverVersion: null, readOnly: true, error: (error as Error).message };
      }
    },
    async close() {
      for (const { connection } of idle.splice(0)) connection.disconnectSync();
      instance.closeSync();
    },
  };
}

async function openReadOnly(duckdb: typeof DuckDB, options: DuckDbOptions): Promise<DuckDB.DuckDBInstance> {
  try {
    const instance = await duckdb.DuckDBInstance.create(options.path, {
      access_mode: 'READ_ONLY',
      threads: String(options.threads ?? 2),
      memory_limit: options.memoryLimit ?? '512MB',
      enable_external_access: 'false',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
      max_temp_directory_size: '0KB',
    });
    const connection = await instance.connect();
    await connection.run("set global TimeZone = 'UTC'");
    await connection.run('set lock_configuration = true');
    connection.disconnectSync();
    return instance;
  } catch (error) {
    throw openFault(error, options.label);
  }
}

function openFault(error: unknown, label: string): Problem {
  const text = error instanceof Error ? error.message : String(error);
  if (/conflicting lock|could not set lock/i.test(text))
    return away(
      error,
      `The warehouse file "${label}" is locked by another program. Close the program that writes to it, then try again.`,
    );
  if (/does not exist|no such file/i.test(text))
    return away(
      error,
      `The warehouse file "${label}" does not exist. Put it there, or correct the path of its connection.`,
    );
  return away(error, `The warehouse file "${label}" can't be opened as a DuckDB database.`);
}

function columnsOf(of: DuckDB.DuckDBResult | DuckDB.DuckDBPreparedStatement): WarehouseColumn[] {
  return Array.from({ length: of.columnCount }, (_, index) => ({
    name: of.columnName(index),
    datatype: datatypeOf(of.columnTypeId(index)),
  }));
}
