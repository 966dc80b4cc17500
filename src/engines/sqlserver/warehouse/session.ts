// Runs statements in SQL Server sessions. svc discards a session if a statement in it fails or is stopped.

import { enableRequestIds } from '../../../platform/request-storage.ts';
import { DEFAULT_SERVER_CONCURRENCY } from '../../limits.ts';
import { sqlserverDialect } from '../dialect/dialect.ts';
import { DIGITS_CHECK_SQL, LOGIN_CHECK_SQL, requireExactDigits, requireReadOnlyLogin } from './check-login.ts';
import {
  type Client,
  type Connection,
  loadTedious,
  type Request,
  type ResultColumn,
  type SqlserverOptions,
} from './client.ts';
import type { BoundStatement } from './parameters.ts';

const getCurrentRequestId = enableRequestIds();

const ROWS_PER_BATCH = 500;
const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 60_000;

export interface ExecutionResult {
  /** Null if the statement returns no columns. */
  columns: ResultColumn[] | null;
  /** The batches of rows. Ending the iteration early cancels the statement at the server. */
  rows: AsyncGenerator<unknown[][]>;
}
interface Session {
  connection: Connection;
  isLost: boolean;
  idleTimer?: NodeJS.Timeout;
}
export interface Sessions {
  /** Runs a statement. If `signal` aborts, svc cancels the statement at the server. */
  run<T>(
    statement: BoundStatement,
    signal: AbortSignal,
    readResult: (result: ExecutionResult) => Promise<T>,
  ): Promise<T>;
  version(): string;
  check(signal: AbortSignal): Promise<void>;
  close(): void;
}

const createSettings = ({ query_cost_limit: cost }: SqlserverOptions): string =>
  [...sqlserverDialect.settings, ...(cost ? [`QUERY_GOVERNOR_COST_LIMIT ${cost}`] : [])]
    .map((item) => `SET ${item};`)
    .join('\n');

export function openSessions(options: SqlserverOptions): Sessions {
  const client = loadTedious(options);
  const freeSessions: Session[] = [];
  const liveSessions = new Set<Session>();
  let version = '';

  async function openSession(signal: AbortSignal): Promise<Session> {
    const connection = await client.connect(CONNECT_TIMEOUT_MS);
    const session: Session = { connection, isLost: false };
    connection.on('end', () => drop(session));
    liveSessions.add(session);
    try {
      await fetchRows(session, { sql: createSettings(options), values: [] }, signal, 'batch');
      if (version === '') await checkSession(session, signal);
      return session;
    } catch (error) {
      drop(session);
      throw error;
    }
  }
  async function checkSession(session: Session, signal: AbortSignal): Promise<void> {
    const serverVersion = requireReadOnlyLogin(
      await fetchRows(session, { sql: LOGIN_CHECK_SQL, values: [] }, signal, 'batch'),
    );
    const [row] = await fetchRows(session, { sql: DIGITS_CHECK_SQL, values: [] }, signal, 'batch');
    requireExactDigits(row?.[0]);
    version = serverVersion;
  }
  function drop(session: Session): void {
    clearTimeout(session.idleTimer);
    session.isLost = true;
    if (liveSessions.delete(session)) session.connection.close();
    const index = freeSessions.indexOf(session);
    if (index >= 0) freeSessions.splice(index, 1);
  }
  function keepIdle(session: Session): void {
    if (session.isLost) return;
    if (freeSessions.length >= DEFAULT_SERVER_CONCURRENCY) {
      drop(session);
      return;
    }
    session.idleTimer = setTimeout(() => drop(session), IDLE_TIMEOUT_MS).unref();
    freeSessions.push(session);
  }
  async function fetchRows(
    session: Session,
    statement: BoundStatement,
    signal: AbortSignal,
    sendMode: SendMode,
  ): Promise<unknown[][]> {
    const { rows } = await startExecution(client, session.connection, statement, signal, sendMode);
    const allRows: unknown[][] = [];
    for await (const batch of rows) allRows.push(...batch);
    return allRows;
  }
  async function withSession<T>(signal: AbortSignal, work: (session: Session) => Promise<T>): Promise<T> {
    const session = freeSessions.pop() ?? (await openSession(signal));
    clearTimeout(session.idleTimer);
    try {
      const result = await work(session);
      if (signal.aborted) drop(session);
      else keepIdle(session);
      return result;
    } catch (error) {
      drop(session);
      throw error;
    }
  }

  return {
    run: (statement, signal, readResult) =>
      withSession(signal, async ({ connection }) => {
        const executionResult = await startExecution(client, connection, statement, signal, 'tagged');
        try {
          return await readResult(executionResult);
        } finally {
          await executionResult.rows.return(undefined);
        }
      }),
    version: () => version,
    check: (signal) => withSession(signal, (session) => checkSession(session, signal)),
    close() {
      for (const session of liveSessions) drop(session);
    },
  };
}

/**
 * How svc sends a statement. `batch` is for svc's own SQL. `tagged` is for a caller's statement, with its request ID.
 */
type SendMode = 'batch' | 'tagged';

/** Makes sys.dm_exec_requests show the request ID without changing the SQL of the caller's statement. */
const SET_CONTEXT_INFO = 'SET CONTEXT_INFO @svc;\n';
const CONTEXT_INFO_BYTES = 128;

/** Starts a statement. Resolves when the columns are known, or when the statement has ended without columns. */
function startExecution(
  client: Client,
  connection: Connection,
  statement: BoundStatement,
  signal: AbortSignal,
  sendMode: SendMode,
): Promise<ExecutionResult> {
  return new Promise((resolve, reject) => {
    const rowFlow = new RowStream(() => connection.cancel());
    const request = client.createRequest(
      sendMode === 'tagged' ? SET_CONTEXT_INFO + statement.sql : statement.sql,
      (error) => {
        signal.removeEventListener('abort', rowFlow.stop);
        rowFlow.finish(error ?? null);
        if (error) reject(error);
        else resolve({ columns: null, rows: rowFlow.readBatches() });
      },
    );
    rowFlow.attach(request);
    request.on('columnMetadata', (columns) => resolve({ columns, rows: rowFlow.readBatches() }));
    for (const [index, value] of statement.values.entries()) request.addParameter(`p${index + 1}`, client.text, value);
    if (sendMode === 'tagged') {
      const tag = Buffer.from(`svc ${getCurrentRequestId() ?? 'upkeep'}`).subarray(0, CONTEXT_INFO_BYTES);
      request.addParameter('svc', client.bytesType, tag);
      connection.execSql(request);
    } else connection.execSqlBatch(request);
    if (signal.aborted) rowFlow.stop();
    else signal.addEventListener('abort', rowFlow.stop, { once: true });
  });
}

/** A stream of rows. The client pushes rows, so svc pauses the client while the reader is busy. */
class RowStream {
  #request: Request | undefined;
  #rows: unknown[][] = [];
  #isEnded = false;
  #error: Error | null = null;
  #wake: () => void = () => undefined;
  readonly #cancel: () => void;

  constructor(cancel: () => void) {
    this.#cancel = cancel;
  }
  attach(request: Request): void {
    this.#request = request;
    request.on('row', (cells) => {
      this.#rows.push(cells.map(({ value }) => value));
      if (this.#rows.length < ROWS_PER_BATCH) return;
      request.pause();
      this.#wake();
    });
  }
  readonly stop = (): void => {
    if (this.#isEnded) return;
    this.#cancel();
    this.#request?.resume();
  };
  finish(error: Error | null): void {
    this.#isEnded = true;
    this.#error = error;
    this.#wake();
  }
  async *readBatches(): AsyncGenerator<unknown[][]> {
    try {
      for (;;) {
        if (this.#rows.length < ROWS_PER_BATCH && !this.#isEnded)
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        const batch = this.#rows.splice(0);
        if (batch.length > 0) yield batch;
        if (this.#error) throw this.#error;
        if (this.#isEnded && this.#rows.length === 0) return;
        this.#request?.resume();
      }
    } finally {
      await this.#waitForEnd();
    }
  }
  /** Waits until the server has finished, because the session isn't free before then. */
  async #waitForEnd(): Promise<void> {
    while (!this.#isEnded) {
      this.stop();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
