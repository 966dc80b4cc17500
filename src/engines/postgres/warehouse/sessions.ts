// Runs work in PostgreSQL sessions. Each statement has a time limit, the server cancels it on request, and no session
// remains in a transaction.
import pg from 'pg';
import { startDeadline } from '../../../adapters/warehouse/deadline.ts';
import { createCancellationProblem } from '../../../adapters/warehouse/faults.ts';
import { keepRunningIfLost } from '../../../platform/tenancy/database.ts';
import { DEFAULT_SERVER_CONCURRENCY } from '../../limits.ts';
import { toPostgresFault } from './faults.ts';
import type { PostgresEngine } from './postgres-engine.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { StuckBackends } from './stuck-backends.ts';

export interface PostgresOptions {
  host: string;
  /** The IP address of `host` that svc has checked. svc connects only to this address. */
  address?: string;
  port: number;
  database: string;
  user: string;
  password: string;
  /**
   * If false, svc doesn't use TLS. Otherwise svc requires TLS, and verifies the certificate unless `verify` is false.
   */
  ssl: false | { ca?: string; verify: boolean };
  maxConnections?: number;
}

export interface Session {
  client: pg.PoolClient & pg.Client;
  statements: PreparedStatements;
  /** Marks the session as unusable. */
  abandon(): void;
  /** True if the session is outside a transaction and holds no locks. */
  isOutsideTransaction: boolean;
}
export interface StatementLimits {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

const CANCEL_TIMEOUT_MS = 900;
export const STEP_TIMEOUT_MS = 5_000; // for svc's own short statements before and after the caller's statement

export class PostgresSessions {
  readonly stuckBackends = new StuckBackends((pid) => this.#sendCancel(pid));
  readonly #config: pg.ClientConfig;
  readonly #pool: pg.Pool;
  readonly #engine: PostgresEngine;
  readonly #preparedStatements = new WeakMap<pg.PoolClient, PreparedStatements>();
  #pendingCheck: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: PostgresOptions, engine: PostgresEngine) {
    this.#engine = engine;
    this.#config = {
      host: options.address ?? options.host,
      port: options.port,
      database: options.database,
      user: options.user,
      // The password is a function, because pg would replace an empty string with PGPASSWORD or ~/.pgpass. The function
      // returns a space for an empty password, because pg would otherwise leave the socket open. The server refuses a
      // space as a password.
      password: () => options.password || ' ',
      ssl: options.ssl && {
        servername: options.host,
        rejectUnauthorized: options.ssl.verify,
        ...(options.ssl.ca && { ca: options.ssl.ca }),
      },
      connectionTimeoutMillis: STEP_TIMEOUT_MS,
      application_name: 'svc',
      keepAlive: true,
    };
    const max = options.maxConnections ?? DEFAULT_SERVER_CONCURRENCY;
    this.#pool = new pg.Pool({ ...this.#config, max, idleTimeoutMillis: 60_000 });
    this.#pool.on('error', () => undefined); // the pool replaces a broken idle connection when svc next needs it
    this.#pool.on('connect', keepRunningIfLost);
  }

  /** Runs `work` in a session. The session returns to the pool only if it is outside a transaction. */
  async withSession<T>(limits: StatementLimits, work: (session: Session) => Promise<T>): Promise<T> {
    if (limits.signal?.aborted) throw createCancellationProblem();
    const client = await this.#connect(limits);
    let isBroken = false;
    let isUnanswered = false;
    let pendingCancel: Promise<unknown> | undefined;
    const cancel = () => {
      isBroken = true;
      pendingCancel ??= this.#cancelBackend((client as unknown as { processID: number }).processID);
    };
    const session: Session = {
      client,
      statements: this.#preparedStatements.get(client) ?? new PreparedStatements(),
      isOutsideTransaction: true,
      abandon() {
        cancel();
        client.connection.stream.destroy();
      },
    };
    let stops = 0;
    const deadline = startDeadline(limits, () => {
      cancel();
      if (++stops > CANCEL_TIMEOUT_MS / 100) client.connection.stream.destroy();
    });
    try {
      if (!this.#preparedStatements.has(client)) await runSessionStatement(client, this.#engine.sessionSql);
      this.#pendingCheck ??= this.#engine.refuseAmbiguousNames(client, STEP_TIMEOUT_MS);
      await this.#pendingCheck;
      this.#preparedStatements.set(client, session.statements);
      session.isOutsideTransaction = false;
      const result = await work(session);
      const stopReason = deadline.stopReason();
      if (stopReason) throw stopReason;
      return result;
    } catch (error) {
      isUnanswered = !(error as { severity?: string }).severity;
      if (isUnanswered) isBroken = true;
      if (!this.#preparedStatements.has(client)) this.#pendingCheck = undefined;
      throw deadline.stopReason() ?? this.#faultOf(error, limits.timeoutMs);
    } finally {
      deadline.end();
      await pendingCancel;
      if (!isBroken && !session.isOutsideTransaction)
        await runSessionStatement(client, this.#engine.endStatements.join(';')).catch(() => {
          isBroken = true;
        });
      const { processID } = client as unknown as { processID: number | null };
      if (pendingCancel && isUnanswered && processID)
        void this.stuckBackends.waitUntilStopped(processID).finally(() => client.release(true));
      else client.release(isBroken);
    }
  }

  inReadOnlyTransaction<T>(
    limits: StatementLimits,
    work: (client: pg.PoolClient & pg.Client) => Promise<T>,
  ): Promise<T> {
    return this.withSession(limits, async ({ client }) => {
      await runSessionStatement(client, this.#engine.beginStatements(limits.timeoutMs).join(';'));
      return work(client);
    });
  }

  close(): Promise<void> {
    this.stuckBackends.close();
    this.#closing ??= this.#pool.end();
    return this.#closing;
  }

  /** A session that arrives after the time limit returns to the pool. */
  async #connect(limits: StatementLimits): Promise<pg.PoolClient & pg.Client> {
    const hasIdleClient = this.#pool.idleCount > this.#pool.waitingCount;
    const connecting = this.#pool.connect() as Promise<pg.PoolClient & pg.Client>;
    let endConnectDeadline = () => {};
    try {
      if (hasIdleClient) return await connecting;
      const tooLate = new Promise<never>((_, reject) => {
        const connectDeadline = startDeadline(limits, () => reject(connectDeadline.stopReason()));
        endConnectDeadline = () => connectDeadline.end();
      });
      return await Promise.race([connecting, tooLate]);
    } catch (error) {
      connecting.then((client) => client.release()).catch(() => undefined);
      throw this.#faultOf(error, limits.timeoutMs);
    } finally {
      endConnectDeadline();
    }
  }

  /** Sends a cancel request. Returns false if the backend no longer works on the statement. */
  async #sendCancel(pid: number): Promise<boolean> {
    const client = new pg.Client({ ...this.#config, connectionTimeoutMillis: CANCEL_TIMEOUT_MS });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rowCount } = await client.query({
        text: `select pg_cancel_backend(pid) from pg_stat_activity where pid = $1 and usename = current_user`,
        values: [pid],
        query_timeout: CANCEL_TIMEOUT_MS,
      } as pg.QueryConfig);
      return rowCount! > 0;
    } finally {
      client.end().catch(() => undefined);
    }
  }
  // Cancels a statement. If svc can't send the cancel request, it closes the statement's socket. The server then ends
  // the statement because of client_connection_check_interval.
  #cancelBackend(pid: number): Promise<unknown> {
    return this.#sendCancel(pid).catch(() => undefined);
  }

  #faultOf(error: unknown, timeoutMs: number) {
    return toPostgresFault(error, timeoutMs, this.#engine.findFaultClass);
  }
}

const runSessionStatement = (client: pg.ClientBase, text: string) =>
  client.query({ text, query_timeout: STEP_TIMEOUT_MS } as pg.QueryConfig);
