// MySQL and MariaDB as a warehouse (SECURITY L4): a read-only session runs the prepared statement over the binary
// protocol, with limits on rows and received bytes. svc cancels it from a second connection and always rolls back.

import net from 'node:net';
import mysql from 'mysql2';
import { startDeadline } from '../../../adapters/warehouse/deadline.ts';
import { cancelledByClient, refusedByEngine } from '../../../adapters/warehouse/faults.ts';
import { type ProfileWords, profileFirstRows } from '../../../adapters/warehouse/profile-first-rows.ts';
import { type Cell, type Fetched, type FetchOptions, LARGE_BYTES, type Warehouse } from '../../../domain/ports.ts';
import { connectionTestMessage } from '../../../domain/statement-fault.ts';
import { quoteIdentifier } from '../../../guard/literals.ts';
import { SERVER_CONCURRENCY } from '../../limits.ts';
import type { PostgresOptions } from '../../postgres/warehouse/warehouse.ts';
import { readMysqlCatalog } from './catalog.ts';
import { cellOf, columnOf, type MysqlField } from './cells.ts';
import { mysqlEstimate } from './estimate.ts';
import { mysqlFault } from './faults.ts';
import { bindMysql } from './parameters.ts';
import { type MysqlServer, prepareSession } from './session.ts';

type Connection = mysql.PoolConnection & { stream: net.Socket };
type Limits = { timeoutMs: number; signal?: AbortSignal | undefined };

const CANCEL_MS = 900;
const STEP_MS = 5_000; // for svc's own short statements around the caller's
const INTERNAL: Limits = { timeoutMs: 30_000 };
const SLACK_BYTES = 65_536; // protocol overhead in addition to the cells

const PROFILED: ProfileWords = {
  quote: (name) => quoteIdentifier('mysql', name),
  distinct: (column) => `count(distinct ${column})`,
  text: (value) => `cast(${value} as char)`,
  first: (text, signs) => `left(${text}, ${signs})`,
};

export type MysqlOptions = PostgresOptions;

export async function openMysqlWarehouse(options: MysqlOptions): Promise<Warehouse> {
  const config: mysql.ConnectionOptions = {
    host: options.host,
    port: options.port,
    database: options.database,
    user: options.user,
    password: options.password,
    ...(options.address && { stream: () => net.connect({ host: options.address, port: options.port }) }),
    ...(options.ssl && {
      ssl: {
        rejectUnauthorized: options.ssl.verify,
        verifyIdentity: options.ssl.verify,
        ...(options.ssl.ca && { ca: options.ssl.ca }),
      },
    }),
    charset: 'utf8mb4_general_ci',
    timezone: 'Z',
    flags: ['-LOCAL_FILES', '-MULTI_STATEMENTS'],
    multipleStatements: false,
    connectTimeout: STEP_MS,
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
    rowsAsArray: true,
    maxPreparedStatements: 20,
  };
  const pool = mysql.createPool({
    ...config,
    connectionLimit: options.maxConnections ?? SERVER_CONCURRENCY,
    idleTimeout: 60_000,
  });
  const prepared = new WeakMap<mysql.PoolConnection, MysqlServer>();

  function kill(what: 'query' | 'connection', id: number): Promise<void> {
    return new Promise((resolve) => {
      const killer = mysql.createConnection({ ...config, connectTimeout: CANCEL_MS });
      // If the server can't be reached, the socket is destroyed next and the server's own timeout ends the statement.
      const done = () => {
        clearTimeout(timer);
        killer.destroy();
        resolve();
      };
      const timer = setTimeout(done, CANCEL_MS);
      killer.on('error', done);
      killer.query(`kill ${what} ${Math.trunc(id)}`, done);
    });
  }

  /** Opens a connection within the statement's time. One that arrives too late returns to the pool. */
  function connected(limits: Limits): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const late = startDeadline(limits, () => {
        late.end();
        reject(late.stopped());
      });
      pool.getConnection((error, found) => {
        late.end();
        if (error) reject(mysqlFault(error, limits.timeoutMs));
        else if (late.stopped()) found.release();
        else resolve(found as Connection);
      });
    });
  }

  /** Runs `work` inside the read-only transaction. `abandon` marks the connection as unusable. */
  async function inReadOnly<T>(
    limits: Limits,
    work: (connection: Connection, abandon: () => void, server: MysqlServer) => Promise<T>,
  ): Promise<T> {
    if (limits.signal?.aborted) throw cancelledByClient();
    const connection = await connected(limits);
    let broken = false;
    let killing: Promise<void> | undefined;
    const abandon = () => {
      broken = true;
      killing ??= kill('connection', connection.threadId);
      connection.destroy();
    };
    let leave: (why: Error) => void = () => undefined;
    const left = new Promise<never>((_, reject) => {
      leave = reject;
    });
    let stops = 0;
    const deadline = startDeadline(limits, () => {
      broken = true;
      killing ??= kill('query', connection.threadId);
      connection.resume(); // a paused connection wouldn't notice that its statement was canceled
      if (++stops <= CANCEL_MS / 100) return;
      connection.destroy(); // after this it sends nothing more
      leave(deadline.stopped()!);
    });
    const onError = () => {
      broken = true;
    };
    connection.on('error', onError);
    const ours = (sql: string) => rowsOf(connection, { sql, timeout: STEP_MS });
    const worked = async (): Promise<T> => {
      let server = prepared.get(connection);
      if (!server) {
        server = await prepareSession(ours);
        prepared.set(connection, server);
      }
      const ms = Math.max(1, Math.trunc(limits.timeoutMs));
      await ours(
        server.mariadb ? `set session max_statement_time = ${ms / 1000}` : `set session max_execution_time = ${ms}`,
      );
      await ours('start transaction read only');
      return work(connection, abandon, server);
    };
    try {
      const result = await Promise.race([worked(), left]);
      const stop = deadline.stopped();
      if (stop) throw stop;
      return result;
    } catch (error) {
      if (!(error as { sqlState?: string }).sqlState) broken = true;
      throw deadline.stopped() ?? mysqlFault(error, limits.timeoutMs);
    } finally {
      deadline.end();
      await killing;
      if (!broken) await withTimeout(STEP_MS, ours('rollback')).catch(onError);
      connection.off('error', onError);
      if (broken) {
        connection.on('error', () => undefined);
        connection.destroy();
      } else connection.release();
    }
  }

  async function fetch(
    statement: { runs: string; parameters: readonly string[] },
    fetching: FetchOptions,
  ): Promise<Fetched> {
    const values = bindMysql(statement.parameters, fetching.parameters);
    return inReadOnly(fetching, (connection, abandon, { zones }) => {
      if (!zones && /\bconvert_tz\s*\(/i.test(statement.runs)) {
        throw refusedByEngine('no time zones', 'The server has no time zone tables; load them (mysql_tzinfo_to_sql).');
      }
      return read(connection, abandon, statement.runs, values, fetching);
    });
  }

  return {
    dialect: 'mysql',
    fetch,
    describe: (statement, limits) =>
      inReadOnly(limits, async (connection) => {
        const { columns, close } = await prepare(connection, statement.runs);
        close();
        return columns.map(columnOf);
      }),
    estimate: (statement) =>
      inReadOnly(INTERNAL, async (connection) => {
        const values = statement.parameters.map(() => null);
        const [row] = await rowsOf(connection, { sql: `explain format=json ${statement.runs}`, values });
        return mysqlEstimate(String(row?.[0]));
      }),
    catalog: ({ signal, onProgress } = {}) =>
      inReadOnly({ ...INTERNAL, signal }, async (connection) => {
        const tables = await readMysqlCatalog((sql, values) => rowsOf(connection, { sql, values }), options.database);
        onProgress?.(tables.length, tables.length);
        return tables;
      }),
    profile: (table, columns, limits) =>
      inReadOnly({ ...INTERNAL, signal: limits.signal }, (connection) =>
        profileFirstRows(PROFILED, (sql) => rowsOf(connection, { sql }), table, columns, limits),
      ),
    async test() {
      const started = performance.now();
      const latency = () => Math.round((performance.now() - started) * 10) / 10;
      try {
        const serverVersion = await inReadOnly(
          { timeoutMs: STEP_MS },
          async (_connection, _abandon, { version }) => version,
        );
        return { ok: true, latencyMs: latency(), serverVersion, readOnly: true };
      } catch (error) {
        return {
          ok: false,
          latencyMs: latency(),
          serverVersion: null,
          readOnly: true,
          error: connectionTestMessage(error as Error),
        };
      }
    },
    close: () => new Promise((resolve) => pool.end(() => resolve())),
  };
}

/** A lost connection may not report an error. */
function withTimeout<T>(ms: number, step: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), ms);
  });
  return Promise.race([step, late]).finally(() => clearTimeout(timer));
}

function read(
  connection: Connection,
  abandon: () => void,
  sql: string,
  values: unknown[],
  { maxRows, maxBytes, beforeLarge }: FetchOptions,
): Promise<Fetched> {
  return new Promise((resolve, reject) => {
    let fields: MysqlField[] = [];
    const rows: Cell[][] = [];
    let bytes = 0;
    let wire = 0;
    let stopped = false;
    let large = false;
    const holdBack = () => {
      large = true;
      if (!beforeLarge) return;
      connection.pause();
      const go = () => connection.resume();
      beforeLarge().then(go, go); // a caller that waited in vain was stopped by its signal
    };
    const finish = (bytesCut: boolean) => {
      connection.stream.off('data', onData);
      const more = rows.length > maxRows;
      if (more) rows.pop();
      resolve({ columns: fields.map(columnOf), rows, more, bytesCut });
    };
    const stop = (bytesCut: boolean) => {
      if (stopped) return;
      stopped = true;
      finish(bytesCut);
      abandon();
    };
    const onData = (data: Buffer) => {
      wire += data.length;
      if (wire > maxBytes * 2 + SLACK_BYTES) stop(true);
    };
    connection.stream.on('data', onData);
    const command = connection.execute({ sql, values: values as never, rowsAsArray: true });
    command.on('error', (error) => {
      connection.stream.off('data', onData);
      if (!stopped) reject(error);
    });
    command.on('fields', (found: unknown) => {
      fields = (found as MysqlField[] | undefined) ?? [];
    });
    command.on('result', (row: unknown) => {
      if (stopped || !Array.isArray(row)) return;
      const cells = row.map((value, index) => cellOf(value, fields[index]!));
      for (const cell of cells) bytes += 8 + (typeof cell === 'string' ? cell.length : 0);
      if (bytes > maxBytes) return stop(true);
      if (!large && bytes > LARGE_BYTES) holdBack();
      rows.push(cells);
      if (rows.length > maxRows) stop(false);
    });
    command.on('end', () => {
      // COMMIT, SET and similar statements return no columns. The session is discarded with them.
      if (!stopped && fields.length === 0) reject(refusedByEngine('the statement returns no rows'));
      else if (!stopped) finish(false);
      stopped = true;
    });
  });
}

function prepare(connection: Connection, sql: string): Promise<{ columns: MysqlField[]; close(): void }> {
  return new Promise((resolve, reject) =>
    connection.prepare(sql, (error, statement) =>
      error
        ? reject(error)
        : resolve({
            columns: (statement as unknown as { columns: MysqlField[] }).columns,
            close: () => statement.close(),
          }),
    ),
  );
}

function rowsOf(
  connection: mysql.PoolConnection,
  options: { sql: string; values?: unknown[] | undefined; timeout?: number },
): Promise<unknown[][]> {
  return new Promise((resolve, reject) =>
    connection.execute({ rowsAsArray: true, ...options, values: (options.values ?? []) as never }, (error, rows) =>
      error ? reject(error) : resolve(rows as unknown as unknown[][]),
    ),
  );
}
