// A session of the official client. svc opens it for the first statement, and again when Snowflake has ended it. Each
// statement carries its settings, so the session keeps only the role.
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { loadClient } from '../../../adapters/warehouse/optional-client.ts';
import { isSessionOver } from './faults.ts';
import type { Bound } from './parameters.ts';

export interface SnowflakeOptions {
  account: string;
  host: string;
  port?: number | undefined;
  ssl: boolean;
  user: string;
  password: string;
  private_key?: string | undefined;
  private_key_passphrase?: string | undefined;
  token?: string | undefined;
  role?: string | undefined;
  warehouse?: string | undefined;
  database: string;
  schema?: string | undefined;
  databases: string[];
  projectFolder?: string | undefined;
}

export interface ResultColumn {
  getName(): string;
  getType(): string;
  getScale(): number;
}
type Failed = Error | undefined;
interface Statement {
  cancel(done: (error: Failed) => void): void;
  getColumns(): ResultColumn[];
  streamRows(): Readable;
}
interface Connection {
  connect(done: (error: Failed) => void): void;
  execute(request: object): Statement;
  destroy(done: () => void): void;
}
interface ClientModule {
  default: { configure(options: object): void; createConnection(options: object): Connection };
}

export interface ExecutionRequest extends Bound {
  parameters: Readonly<Record<string, string | number | boolean>>;
  describeOnly?: boolean;
}
export interface ExecutionResult {
  columns: ResultColumn[];
  rows(): Readable;
}
export interface Session {
  /** `signal` cancels the statement at Snowflake. */
  run(request: ExecutionRequest, signal: AbortSignal): Promise<ExecutionResult>;
  close(): Promise<void>;
}

const MAX_CANCELS = 40;
const CANCEL_AGAIN_MS = 250;
const CLOSING_MS = 2_000;
const noop = (): void => undefined;

export async function openSession(options: SnowflakeOptions): Promise<Session> {
  const { default: client } = await loadClient<ClientModule>('snowflake', 'snowflake-sdk@3', options.projectFolder);
  client.configure({
    // The default logger writes a file, and evaluates a response that isn't JSON as code.
    customLogger: { error: noop, warn: noop, info: noop, debug: noop, trace: noop },
    jsonColumnVariantParser: (text: string) => text,
    xmlColumnVariantParser: (text: string) => text,
  });
  let opened: Promise<Connection> | undefined;
  const stopping = new Set<Promise<void>>();

  async function connect(): Promise<Connection> {
    const connection = client.createConnection(loginOf(options));
    await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())));
    // Otherwise the session can use every role of the login.
    await executeToEnd(connection, { sql: 'use secondary roles none', binds: [], parameters: {} }, null, stopping);
    return connection;
  }
  function connected(): Promise<Connection> {
    opened ??= connect().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }

  return {
    async run(request, signal) {
      const first = connected();
      try {
        return await executeToEnd(await orAbort(first, signal), request, signal, stopping);
      } catch (error) {
        if (!isSessionOver(error)) throw error;
        if (opened === first) opened = undefined;
        return executeToEnd(await orAbort(connected(), signal), request, signal, stopping);
      }
    },
    async close() {
      const connection = await opened?.catch(() => undefined);
      await Promise.race([Promise.all(stopping), wait(CLOSING_MS, undefined, { ref: false })]);
      if (connection) await new Promise<void>((resolve) => connection.destroy(() => resolve()));
    },
  };
}

/** Stops waiting when the signal aborts. The next caller waits for the same sign-in, which can take long. */
function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('stopped'));
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function executeToEnd(
  connection: Connection,
  request: ExecutionRequest,
  signal: AbortSignal | null,
  stopping: Set<Promise<void>>,
): Promise<ExecutionResult> {
  return new Promise((resolve, reject) => {
    let over = false;
    const statement = connection.execute({
      sqlText: request.sql,
      ...(request.binds.length > 0 && { binds: request.binds }),
      parameters: request.parameters,
      ...(request.describeOnly && { describeOnly: true }),
      streamResult: true,
      rowMode: 'array',
      fetchAsString: ['Number', 'JSON'],
      complete: (error: Failed, done: Statement) => {
        over = true;
        signal?.removeEventListener('abort', stop);
        if (error) reject(error);
        else resolve({ columns: done.getColumns() ?? [], rows: () => done.streamRows() });
      },
    });
    /** Repeats until the statement has ended, because a cancel request can arrive before the statement. */
    async function cancel(): Promise<void> {
      for (let times = 0; times < MAX_CANCELS && !over; times++) {
        await new Promise<void>((done) => statement.cancel(() => done()));
        if (!over) await wait(CANCEL_AGAIN_MS, undefined, { ref: false });
      }
    }
    function stop(): void {
      reject(new Error('stopped'));
      const cancelled = cancel().finally(() => stopping.delete(cancelled));
      stopping.add(cancelled);
    }
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

function loginOf(options: SnowflakeOptions): object {
  const { account, host, port, ssl, user, password, private_key, private_key_passphrase, token } = options;
  const proof = private_key
    ? {
        authenticator: 'SNOWFLAKE_JWT',
        privateKey: private_key,
        ...(private_key_passphrase && { privateKeyPass: private_key_passphrase }),
      }
    : token
      ? { authenticator: 'OAUTH', token }
      : { password };
  const placed = Object.entries({ role: options.role, warehouse: options.warehouse });
  return {
    account,
    host,
    protocol: ssl ? 'https' : 'http',
    ...(port && { port }),
    username: user,
    ...proof,
    ...Object.fromEntries(placed.filter(([, value]) => value)),
    database: options.database,
    ...(options.schema && { schema: options.schema }),
    application: 'svc',
    clientSessionKeepAlive: false,
    representNullAsStringNull: false,
    clientStoreTemporaryCredential: false,
    sfRetryMaxLoginRetries: 1,
  };
}
