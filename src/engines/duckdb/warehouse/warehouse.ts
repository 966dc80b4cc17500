// A DuckDB file as a warehouse: opened READ_ONLY, without files, network, extensions or settings (G17), and
// with one SELECT at a time per connection. A connection and its prepared statements are reused only after a
// complete read. After an error, a stop or a truncation, the connection is discarded.
import type * as DuckDB from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import { type Deadline, startDeadline } from '../../../adapters/warehouse/deadline.ts';
import { refusedByEngine, unreachable } from '../../../adapters/warehouse/faults.ts';
import type { CatalogTable, Fetched, FetchOptions, Warehouse, WarehouseColumn } from '../../../domain/ports.ts';
import { connectionTestMessage } from '../../../domain/statement-fault.ts';
import type { GuardedSql } from '../../../guard/guarded-sql.ts';
import { Problem } from '../../../platform/problem.ts';
import { Places } from '../../../platform/schedule/places.ts';
import { duckdb as dialect } from '../dialect/dialect.ts';
import { readDuckDbCatalog } from './catalog.ts';
import { datatypeOf } from './cells.ts';
import { duckDbEstimate } from './estimate.ts';
import { duckDbFault } from './faults.ts';
import { bindParameters } from './parameters.ts';
import { profileDuckDbTable } from './profile.ts';

export interface DuckDbOptions {
  path: string;
  /** The name of the file in messages: the path as configured, never the real path. */
  label: string;
  /** The organization of the file. Each may use half of svc's threads. */
  tenant?: string;
  threads?: number;
  memoryLimit?: string;
}

interface Session {
  connection: DuckDB.DuckDBConnection;
  prepared: LRUCache<string, DuckDB.DuckDBPreparedStatement>;
}
/** Work on a session: the reason if it was stopped, and `whole` if the result was read to its end. */
interface Work {
  session: Session;
  connection: DuckDB.DuckDBConnection;
  stopped: () => Error | null;
  whole: () => void;
}

const SELECT = 1;
const INTERNAL_TIMEOUT_MS = 60_000;
export const ESTIMATING_MS = 5_000;
/** A statement that still runs this long after its interrupt is abandoned with its thread. */
const ABANDON_AFTER_MS = 1_000;
const IDLE_SESSIONS = 4;
const PREPARED_STATEMENTS = 100;

/** Of the 16 threads of libuv (svc.cjs), two stay free for files, names and hashes. */
const threads = new Places({ overall: 14, perTenant: 8, waitMs: 10_000 });

export async function openDuckDbWarehouse(options: DuckDbOptions): Promise<Warehouse> {
  // Once, because resolving a module takes longer than a small statement.
  const duckdb = await import('@duckdb/node-api');
  const { readRows } = await import('./rows.ts');
  const instance = await openReadOnly(duckdb, options);

  const idle: Session[] = [];
  let running = 0;
  let closed = false;

  async function openSession(): Promise<Session> {
    const dispose = (statement: DuckDB.DuckDBPreparedStatement) => statement.destroySync();
    return { connection: await instance.connect(), prepared: new LRUCache({ max: PREPARED_STATEMENTS, dispose }) };
  }

  /** Runs `work` under a timer that interrupts it. The engine releases the thread; the timer releases the permit. */
  async function connected<T>(
    limits: { timeoutMs: number; signal?: AbortSignal | undefined },
    work: (given: Work) => Promise<T>,
  ): Promise<T> {
    let interrupt = () => {};
    let giveUp: NodeJS.Timeout | undefined;
    let leave: (why: Error) => void = () => undefined;
    const left = new Promise<never>((_, reject) => {
      leave = reject;
    });
    const deadline = startDeadline(limits, () => {
      interrupt();
      giveUp ??= setTimeout(() => leave(deadline.stopped()!), ABANDON_AFTER_MS);
    });
    const tenant = options.tenant ?? options.path;
    running++;
    const worked = threads
      .run({ tenant, caller: '' }, () => onSession(deadline, (how) => (interrupt = how), work))
      .finally(() => {
        running--;
        deadline.end();
        clearTimeout(giveUp);
        if (closed) closeInstance();
      });
    return Promise.race([worked, left]);
  }

  async function onSession<T>(
    deadline: Deadline,
    interruptedBy: (how: () => void) => void,
    work: (given: Work) => Promise<T>,
  ): Promise<T> {
    const gone = deadline.stopped();
    if (gone) throw gone;
    const session = idle.pop() ?? (await openSession());
    const { connection } = session;
    let whole = false;
    interruptedBy(() => connection.interrupt());
    try {
      return await work({ session, connection, stopped: deadline.stopped, whole: () => (whole = true) });
    } catch (error) {
      whole = false;
      throw deadline.stopped() ?? (error instanceof Problem ? error : duckDbFault(error));
    } finally {
      interruptedBy(() => {});
      if (whole && !deadline.stopped() && idle.length < IDLE_SESSIONS) idle.push(session);
      else {
        // A stream that wasn't read to its end keeps its buffers until the connection's next statement.
        if (!whole) await connection.run('select 1').catch(() => undefined);
        connection.disconnectSync();
      }
    }
  }

  /** Waits for running statements, because closing under them would block the process. */
  function closeInstance(): void {
    if (running > 0) return;
    for (const { connection } of idle.splice(0)) connection.disconnectSync();
    instance.closeSync();
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
      connected({ timeoutMs: ESTIMATING_MS }, async ({ connection }) => {
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
        return {
          ok: false,
          latencyMs,
          serverVersion: null,
          readOnly: true,
          error: connectionTestMessage(error as Error),
        };
      }
    },
    async close() {
      closed = true;
      closeInstance();
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
    for (const setting of dialect.settings) await connection.run(`set global ${setting}`);
    await connection.run('set lock_configuration = true');
    await refuseOverloads(connection, options.label);
    connection.disconnectSync();
    return instance;
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw openFault(error, options.label);
  }
}

/**
 * DuckDB prefers a macro of the file to the built-in with its name, even for `+`, so an allowed name could
 * mean something else. svc reads the catalog by a full name, which no macro can take over.
 */
async function refuseOverloads(connection: DuckDB.DuckDBConnection, label: string): Promise<void> {
  const all = await connection.runAndReadAll('select function_name, internal from system.main.duckdb_functions()');
  const rows = all.getRows().map(([name, internal]) => ({ name: String(name), internal: internal === true }));
  const builtIn = new Set(rows.filter(({ internal }) => internal).map(({ name }) => name.toLowerCase()));
  const own = rows.filter(({ name, internal }) => !internal && builtIn.has(name.toLowerCase())).map(({ name }) => name);
  if (own.length === 0) return;
  throw unreachable(
    null,
    `The warehouse file "${label}" has macros named like built-in functions: ${own.slice(0, 5).join(', ')}. Rename or drop them.`,
  );
}

function openFault(error: unknown, label: string): Problem {
  const text = error instanceof Error ? error.message : String(error);
  if (/conflicting lock|could not set lock/i.test(text))
    return unreachable(
      error,
      `The warehouse file "${label}" is locked by another program. Close the program that writes to it, then try again.`,
    );
  if (/does not exist|no such file/i.test(text))
    return unreachable(
      error,
      `The warehouse file "${label}" does not exist. Put it there, or correct the path of its connection.`,
    );
  return unreachable(error, `The warehouse file "${label}" can't be opened as a DuckDB database.`);
}

function columnsOf(of: DuckDB.DuckDBResult | DuckDB.DuckDBPreparedStatement): WarehouseColumn[] {
  return Array.from({ length: of.columnCount }, (_, index) => ({
    name: of.columnName(index),
    datatype: datatypeOf(of.columnTypeId(index)),
  }));
}
