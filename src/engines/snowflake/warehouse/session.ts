// Runs statements in a session. svc opens the session for the first statement, and again when Snowflake has ended it.
// Each statement carries its own settings, so the session keeps only the role.
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { raceWithAbort } from '../../../adapters/warehouse/deadline.ts';
import { loadClient } from '../../../adapters/warehouse/optional-client.ts';
import { hasSessionEnded } from './faults.ts';
import type { BoundStatement } from './parameters.ts';

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
type ConnectError = Error | undefined;
interface Statement {
  cancel(done: (error: ConnectError) => void): void;
  getColumns(): ResultColumn[];
  streamRows(): Readable;
}
interface Connection {
  connect(done: (error: ConnectError) => void): void;
  execute(request: object): Statement;
  destroy(done: () => void): void;
}
interface ClientModule {
  default: { configure(options: object): void; createConnection(options: object): Connection };
}

export interface ExecutionRequest extends BoundStatement {
  parameters: Readonly<Record<string, string | number | boolean>>;
  describeOnly?: boolean;
}
export interface ExecutionResult {
  columns: ResultColumn[];
  rows(): Readable;
}
export interface Session {
  /** Runs a statement. If `signal` aborts, svc cancels the statement at Snowflake. */
  run(request: ExecutionRequest, signal: AbortSignal): Promise<ExecutionResult>;
  close(): Promise<void>;
}

const MAX_CANCEL_ATTEMPTS = 40;
const CANCEL_INTERVAL_MS = 250;
const CLOSE_TIMEOUT_MS = 2_000;
const ignoreLogMessage = (): void => undefined;

export async function openSession(options: SnowflakeOptions): Promise<Session> {
  const { default: client } = await loadClient<ClientModule>('snowflake', 'snowflake-sdk@3', options.projectFolder);
  client.configure({
    // Replaces the client's default logger, which writes a file and evaluates a response that isn't JSON as code.
    customLogger: {
      error: ignoreLogMessage,
      warn: ignoreLogMessage,
      info: ignoreLogMessage,
      debug: ignoreLogMessage,
      trace: ignoreLogMessage,
    },
    jsonColumnVariantParser: (text: string) => text,
    xmlColumnVariantParser: (text: string) => text,
  });
  let openedConnection: Promise<Connection> | undefined;
  const pendingStops = new Set<Promise<void>>();

  async function connect(): Promise<Connection> {
    const connection = client.createConnection(toClientConfig(options));
    await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())));
    // Without this statement, a session can use every role of the login.
    await executeToEnd(connection, { sql: 'use secondary roles none', binds: [], parameters: {} }, null, pendingStops);
    return connection;
  }
  function ensureConnection(): Promise<Connection> {
    openedConnection ??= connect().catch((error: unknown) => {
      openedConnection = undefined;
      throw error;
    });
    return openedConnection;
  }

  return {
    // If the signal aborts, the sign-in continues, and the next caller waits for it.
    async run(request, signal) {
      const firstConnection = ensureConnection();
      try {
        return await executeToEnd(await raceWithAbort(firstConnection, signal), request, signal, pendingStops);
      } catch (error) {
        if (!hasSessionEnded(error)) throw error;
        if (openedConnection === firstConnection) openedConnection = undefined;
        return executeToEnd(await raceWithAbort(ensureConnection(), signal), request, signal, pendingStops);
      }
    },
    async close() {
      const connection = await openedConnection?.catch(() => undefined);
      await Promise.race([Promise.all(pendingStops), wait(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
      if (connection) await new Promise<void>((resolve) => connection.destroy(() => resolve()));
    },
  };
}

function executeToEnd(
  connection: Connection,
  request: ExecutionRequest,
  signal: AbortSignal | null,
  pendingStops: Set<Promise<void>>,
): Promise<ExecutionResult> {
  return new Promise((resolve, reject) => {
    let isFinished = false;
    const statement = connection.execute({
      sqlText: request.sql,
      ...(request.binds.length > 0 && { binds: request.binds }),
      parameters: request.parameters,
      ...(request.describeOnly && { describeOnly: true }),
      streamResult: true,
      rowMode: 'array',
      fetchAsString: ['Number', 'JSON'],
      complete: (error: ConnectError, statement: Statement) => {
        isFinished = true;
        signal?.removeEventListener('abort', stop);
        if (error) reject(error);
        else resolve({ columns: statement.getColumns() ?? [], rows: () => statement.streamRows() });
      },
    });
    /** Repeats the cancel request, because a request can arrive at the server before the statement does. */
    async function cancel(): Promise<void> {
      for (let times = 0; times < MAX_CANCEL_ATTEMPTS && !isFinished; times++) {
        await new Promise<void>((done) => statement.cancel(() => done()));
        if (!isFinished) await wait(CANCEL_INTERVAL_MS, undefined, { ref: false });
      }
    }
    function stop(): void {
      reject(new Error('stopped'));
      const cancellation = cancel().finally(() => pendingStops.delete(cancellation));
      pendingStops.add(cancellation);
    }
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

function toClientConfig(options: SnowflakeOptions): object {
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
  const sessionDefaults = Object.entries({ role: options.role, warehouse: options.warehouse });
  return {
    account,
    host,
    protocol: ssl ? 'https' : 'http',
    ...(port && { port }),
    username: user,
    ...proof,
    ...Object.fromEntries(sessionDefaults.filter(([, value]) => value)),
    database: options.database,
    ...(options.schema && { schema: options.schema }),
    application: 'svc',
    clientSessionKeepAlive: false,
    representNullAsStringNull: false,
    clientStoreTemporaryCredential: false,
    sfRetryMaxLoginRetries: 1,
  };
}
