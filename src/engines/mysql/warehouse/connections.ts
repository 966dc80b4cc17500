// Runs work in read-only transactions on MySQL, each of which ends with a rollback. To cancel a statement, svc sends
// KILL through a second connection.
import net from 'node:net';
import mysql from 'mysql2';
import { startDeadline } from '../../../adapters/warehouse/deadline.ts';
import { createCancellationProblem } from '../../../adapters/warehouse/faults.ts';
import { withTimeout } from '../../../platform/with-timeout.ts';
import { DEFAULT_SERVER_CONCURRENCY } from '../../limits.ts';
import type { PostgresOptions } from '../../postgres/warehouse/sessions.ts';
import { toMysqlFault } from './faults.ts';
import { type MysqlServer, prepareSession } from './session.ts';

export type MysqlOptions = PostgresOptions;

export type Connection = mysql.PoolConnection & { stream: net.Socket };
export type StatementLimits = { timeoutMs: number; signal?: AbortSignal | undefined };

const CANCEL_TIMEOUT_MS = 900;
export const STEP_TIMEOUT_MS = 5_000; // for svc's own short statements before and after the caller's statement

/** The work calls `abandon` if the connection is no longer usable. */
type TransactionWork<T> = (connection: Connection, abandon: () => void, server: MysqlServer) => Promise<T>;

export class MysqlConnections {
  readonly #config: mysql.ConnectionOptions;
  readonly #pool: mysql.Pool;
  /** The server's properties, by connection. Contains only connections whose session svc has set up. */
  readonly #servers = new WeakMap<mysql.PoolConnection, MysqlServer>();

  constructor(options: MysqlOptions) {
    this.#config = {
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
      connectTimeout: STEP_TIMEOUT_MS,
      supportBigNumbers: true,
      bigNumberStrings: true,
      dateStrings: true,
      jsonStrings: true,
      rowsAsArray: true,
      maxPreparedStatements: 20,
    };
    this.#pool = mysql.createPool({
      ...this.#config,
      connectionLimit: options.maxConnections ?? DEFAULT_SERVER_CONCURRENCY,
      idleTimeout: 60_000,
    });
  }

  async inReadOnlyTransaction<T>(limits: StatementLimits, work: TransactionWork<T>): Promise<T> {
    if (limits.signal?.aborted) throw createCancellationProblem();
    const connection = await this.#connect(limits);
    let isBroken = false;
    let pendingKill: Promise<void> | undefined;
    const abandon = () => {
      isBroken = true;
      pendingKill ??= this.#kill('connection', connection.threadId);
      connection.destroy();
    };
    let rejectWork: (reason: Error) => void = () => undefined;
    const interruption = new Promise<never>((_, reject) => {
      rejectWork = reject;
    });
    let stops = 0;
    const deadline = startDeadline(limits, () => {
      isBroken = true;
      pendingKill ??= this.#kill('query', connection.threadId);
      connection.resume(); // a paused connection doesn't notice that its statement was canceled
      if (++stops <= CANCEL_TIMEOUT_MS / 100) return;
      connection.destroy(); // svc can't send anything else on this connection
      rejectWork(deadline.stopReason()!);
    });
    const onError = () => {
      isBroken = true;
    };
    connection.on('error', onError);
    const runQuery = (sql: string) => fetchRows(connection, { sql, timeout: STEP_TIMEOUT_MS });
    const runWork = async (): Promise<T> => {
      let server = this.#servers.get(connection);
      if (!server) {
        server = await prepareSession(runQuery);
        this.#servers.set(connection, server);
      }
      const ms = Math.max(1, Math.trunc(limits.timeoutMs));
      await runQuery(
        server.isMariadb ? `set session max_statement_time = ${ms / 1000}` : `set session max_execution_time = ${ms}`,
      );
      await runQuery('start transaction read only');
      return work(connection, abandon, server);
    };
    try {
      const result = await Promise.race([runWork(), interruption]);
      const stopReason = deadline.stopReason();
      if (stopReason) throw stopReason;
      return result;
    } catch (error) {
      if (!(error as { sqlState?: string }).sqlState) isBroken = true;
      throw deadline.stopReason() ?? toMysqlFault(error, limits.timeoutMs);
    } finally {
      deadline.end();
      await pendingKill;
      // The rollback has a time limit, because the client might not report a lost connection.
      if (!isBroken) await withTimeout<unknown>(STEP_TIMEOUT_MS, runQuery('rollback'), onError).catch(onError);
      connection.off('error', onError);
      if (isBroken) {
        connection.on('error', () => undefined);
        connection.destroy();
      } else connection.release();
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#pool.end(() => resolve()));
  }

  #kill(target: 'query' | 'connection', id: number): Promise<void> {
    return new Promise((resolve) => {
      const connection = mysql.createConnection({ ...this.#config, connectTimeout: CANCEL_TIMEOUT_MS });
      // If svc can't reach the server, it closes the statement's socket, and the server's own timeout ends the
      // statement.
      const finish = () => {
        clearTimeout(timer);
        connection.destroy();
        resolve();
      };
      const timer = setTimeout(finish, CANCEL_TIMEOUT_MS);
      connection.on('error', finish);
      connection.query(`kill ${target} ${Math.trunc(id)}`, finish);
    });
  }

  /** A connection that arrives after the time limit returns to the pool. */
  #connect(limits: StatementLimits): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const connectDeadline = startDeadline(limits, () => {
        connectDeadline.end();
        reject(connectDeadline.stopReason());
      });
      this.#pool.getConnection((error, pooledConnection) => {
        connectDeadline.end();
        if (error) reject(toMysqlFault(error, limits.timeoutMs));
        else if (connectDeadline.stopReason()) pooledConnection.release();
        else resolve(pooledConnection as Connection);
      });
    });
  }
}

export function fetchRows(
  connection: mysql.PoolConnection,
  options: { sql: string; values?: unknown[] | undefined; timeout?: number },
): Promise<unknown[][]> {
  return new Promise((resolve, reject) =>
    connection.execute({ rowsAsArray: true, ...options, values: (options.values ?? []) as never }, (error, rows) =>
      error ? reject(error) : resolve(rows as unknown[][]),
    ),
  );
}
