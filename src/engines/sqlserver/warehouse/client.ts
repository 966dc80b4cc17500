// Configures `tedious` to keep every digit and to follow no redirect.
import net from 'node:net';
import { requireClient } from '../../../adapters/warehouse/optional-client.ts';
import { patchToKeepDigits, type ValueParser } from './exact-values.ts';

export interface SqlserverOptions {
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
  ssl: false | { verify: boolean; ca?: string | undefined };
  query_cost_limit?: number | undefined;
  address?: string | undefined;
  projectFolder?: string | undefined;
}

export interface ResultColumn {
  colName: string;
  type: { name: string };
  precision?: number;
  scale?: number;
}
export interface Request {
  on(event: 'columnMetadata', listen: (columns: ResultColumn[]) => void): void;
  on(event: 'row', listen: (cells: { value: unknown }[]) => void): void;
  addParameter(name: string, type: unknown, value: unknown): void;
  pause(): void;
  resume(): void;
}
export interface Connection {
  connect(done: (error?: Error) => void): void;
  execSql(request: Request): void;
  execSqlBatch(request: Request): void;
  cancel(): boolean;
  close(): void;
  on(event: 'error' | 'end', listen: () => void): void;
  on(event: 'errorMessage', listen: (message: { number: number }) => void): void;
}
interface ClientModule {
  Connection: new (config: object) => Connection;
  Request: new (sql: string, done: (error?: Error | null) => void) => Request;
  TYPES: Readonly<Record<'NVarChar' | 'VarBinary', unknown>>;
}

export interface Client {
  connect(timeoutMs: number): Promise<Connection>;
  createRequest: (sql: string, done: (error?: Error | null) => void) => Request;
  text: unknown;
  bytesType: unknown;
}

const CANCEL_TIMEOUT_MS = 5_000;

export function loadTedious(options: SqlserverOptions): Client {
  const load = <Module>(path: string): Module =>
    requireClient<Module>('sqlserver', 'tedious@19', path, options.projectFolder);
  const tedious = load<ClientModule>('tedious');
  // Without this patch, tedious returns decimals and money as floats.
  patchToKeepDigits(load<ValueParser>('tedious/lib/value-parser.js'));
  return {
    connect: (timeoutMs) => connect(new tedious.Connection(toClientConfig(options, timeoutMs))),
    createRequest: (sql, done) => new tedious.Request(sql, done),
    text: tedious.TYPES.NVarChar,
    bytesType: tedious.TYPES.VarBinary,
  };
}

function connect(connection: Connection): Promise<Connection> {
  return new Promise((resolve, reject) => {
    let errorNumber: number | undefined;
    // For a failed login, the server sends the reason before the general message.
    connection.on('errorMessage', (fault) => {
      errorNumber ??= fault.number;
    });
    // Without a listener for errors, a lost connection would end the process.
    connection.on('error', () => undefined);
    connection.connect((error) =>
      error ? reject(Object.assign(error, { number: errorNumber })) : resolve(connection),
    );
  });
}

function toClientConfig(options: SqlserverOptions, connectTimeout: number): object {
  const { host, port, database, user, password, ssl, address } = options;
  const ca = ssl ? ssl.ca : undefined;
  let hasDialed = false;
  return {
    server: host,
    authentication: { type: 'default', options: { userName: user, password } },
    options: {
      port,
      database,
      // Refuses a redirect, because svc hasn't checked the other host.
      connector: () => {
        if (hasDialed)
          return Promise.reject(
            new Error('The server redirects svc to another server. Use the address of that server.'),
          );
        hasDialed = true;
        return openSocket(address ?? host, port, ssl !== false);
      },
      encrypt: ssl !== false,
      trustServerCertificate: ssl !== false && !ssl.verify,
      ...(ca && { cryptoCredentialsDetails: { ca } }),
      readOnlyIntent: true,
      appName: 'svc',
      connectTimeout,
      cancelTimeout: CANCEL_TIMEOUT_MS,
      // svc cancels the request at its own time limit.
      requestTimeout: 0,
      maxRetriesOnTransientErrors: 0,
      useUTC: true,
    },
  };
}

const openSocket = (host: string, port: number, encrypted: boolean): Promise<net.Socket> =>
  new Promise((resolve, reject) => {
    const socket = net.connect({ host, port });
    if (encrypted) requireEncryption(socket);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });

/** The type of packets before sign-in, including the TLS handshake. Later packets are inside TLS. */
const PRELOGIN_PACKET = 0x12;
const TLS_DATA_RECORD = 0x17;

/**
 * Refuses a server, or an attacker, that claims that TLS isn't supported, because tedious would sign in without
 * encryption.
 */
function requireEncryption(socket: net.Socket): void {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  const watchedWrite = (chunk: Buffer, ...rest: unknown[]): boolean => {
    if (chunk[0] === PRELOGIN_PACKET) return write(chunk, ...rest);
    socket.write = write as net.Socket['write'];
    if (chunk[0] === TLS_DATA_RECORD) return write(chunk, ...rest);
    socket.destroy(new Error('The server does not support SSL.'));
    return false;
  };
  socket.write = watchedWrite as net.Socket['write'];
}
