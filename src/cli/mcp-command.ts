// Clients that start a local command use MCP over stdin and stdout. This command forwards each message to /mcp of the
// server. If no server is running, the command starts one and stops it on exit.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { readCredentials } from '../home.ts';
import { createStartEnvironment, readClientEnvironment } from './client-environment.ts';
import { Failure } from './terminal/failure.ts';

interface ServerAccess {
  url: string;
  key: string;
}

const START_TIMEOUT_MS = 120_000;
/** The time to wait for another process that is already starting svc. */
const CONCURRENT_START_TIMEOUT_MS = 15_000;
const START_POLL_INTERVAL_MS = 200;
const PROTOCOL_VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

export async function runMcpCommand(): Promise<void> {
  const { StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const locator = new ServerLocator();
  await locator.findServer();
  const transport = new StdioServerTransport();
  const bridge = new McpBridge(locator, (message) => void transport.send(message));
  const endOfInput = new Promise<void>((resolve) => {
    transport.onclose = resolve;
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  transport.onmessage = (message) => void bridge.handleMessage(message);
  await transport.start();
  await endOfInput;
  await locator.stopServer();
  process.exit(0);
}

class McpBridge {
  readonly #serverLocator: ServerLocator;
  readonly #send: (message: JSONRPCMessage) => void;
  readonly #runningCalls = new Map<RequestId, AbortController>();
  /** From the reply to `initialize`, for clients that use a revision before 2026-07-28. */
  #protocolVersion: string | null = null;

  constructor(locator: ServerLocator, send: (message: JSONRPCMessage) => void) {
    this.#serverLocator = locator;
    this.#send = send;
  }

  async handleMessage(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message)) return;
    const id = 'id' in message ? message.id : null;
    if (message.method === 'notifications/cancelled') {
      // Closing the connection cancels its query. /mcp is stateless and can't cancel by request ID.
      this.#runningCalls.get(message.params?.['requestId'] as RequestId)?.abort();
      return;
    }
    const cancellation = new AbortController();
    if (id !== null) this.#runningCalls.set(id, cancellation);
    try {
      const response = await this.#ask(message, cancellation.signal);
      if (id === null || response === null) return;
      if (message.method === 'initialize' && 'result' in response)
        this.#protocolVersion = String((response.result as { protocolVersion?: unknown }).protocolVersion);
      this.#send(response);
    } catch (fault) {
      if (id !== null && !cancellation.signal.aborted)
        this.#send({ jsonrpc: '2.0', id, error: { code: -32_603, message: (fault as Error).message } });
    } finally {
      if (id !== null) this.#runningCalls.delete(id);
    }
  }

  async #ask(message: JSONRPCMessage & { method: string }, signal: AbortSignal): Promise<JSONRPCMessage | null> {
    const request = { method: 'POST', body: JSON.stringify(message), signal };
    const headers = createHeaders(message, this.#protocolVersion);
    const sendTo = ({ url, key }: ServerAccess) =>
      fetch(`${url}/mcp`, { ...request, headers: { ...headers, authorization: `Bearer ${key}` } });
    const server = await this.#serverLocator.findServer();
    const reply = await sendTo(server).catch(async (fault: unknown) => {
      if (signal.aborted) throw fault;
      return sendTo(await this.#serverLocator.findServer(server)); // the server may have restarted at another address
    });
    const text = await reply.text();
    if (text === '') return null;
    const response = JSON.parse(text) as JSONRPCMessage | { error: { message: string } };
    if ('jsonrpc' in response) return response;
    throw new Error('error' in response ? response.error.message : `svc responded with HTTP status ${reply.status}.`);
  }
}

/** The HTTP transport of MCP requires these headers. */
function createHeaders(
  message: JSONRPCMessage & { method: string },
  protocolVersion: string | null,
): Record<string, string> {
  const params = ('params' in message ? message.params : undefined) as Record<string, unknown> | undefined;
  const version = (params?.['_meta'] as Record<string, unknown> | undefined)?.[PROTOCOL_VERSION_KEY];
  const commonHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  if (typeof version !== 'string')
    return { ...commonHeaders, ...(protocolVersion && { 'mcp-protocol-version': protocolVersion }) };
  const name = params?.['name'];
  const isPlainName = typeof name === 'string' && /^[\x21-\x7e]+$/.test(name);
  return {
    ...commonHeaders,
    'mcp-protocol-version': version,
    'mcp-method': message.method,
    ...(typeof name === 'string' && {
      'mcp-name': isPlainName ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`,
    }),
  };
}

/** Finds the server once, and again if it stops responding. */
class ServerLocator {
  #serverPromise: Promise<ServerAccess> | null = null;
  #startedProcess: ChildProcess | null = null;

  findServer(unreachableServer?: ServerAccess): Promise<ServerAccess> {
    if (unreachableServer) this.#serverPromise = null;
    this.#serverPromise ??= this.#find();
    this.#serverPromise.catch(() => {
      this.#serverPromise = null;
    });
    return this.#serverPromise;
  }

  async #find(): Promise<ServerAccess> {
    const { home, baseUrl, token, usesEmbeddedDatabase } = readClientEnvironment();
    const credentials = await readCredentials(home);
    const url = (baseUrl ?? credentials?.base_url ?? '').replace(/\/+$/, '');
    const key = token ?? credentials?.caller_key ?? '';
    if (baseUrl) return { url, key };
    if (url && (await isReachable({ url, key }))) return { url, key };
    if (!usesEmbeddedDatabase)
      throw new Failure('No svc server is responding. Set SVC_BASE_URL and SVC_TOKEN (a caller key).', 2);
    return this.#start(home);
  }

  /** Another process may be starting a server in the same SVC_HOME. If so, uses that server. */
  async #start(homeFolder: string): Promise<ServerAccess> {
    const child = spawn(process.execPath, [process.argv[1]!, 'start'], {
      env: createStartEnvironment(),
      stdio: ['ignore', 'ignore', 'inherit'], // stdout is reserved for messages to the client
    });
    this.#startedProcess = child;
    let deadline = Date.now() + START_TIMEOUT_MS;
    child.once('exit', () => {
      deadline = Math.min(deadline, Date.now() + CONCURRENT_START_TIMEOUT_MS);
    });
    for (; Date.now() < deadline; await sleep(START_POLL_INTERVAL_MS)) {
      const credentials = await readCredentials(homeFolder);
      const server = credentials && { url: credentials.base_url, key: credentials.caller_key };
      if (server && (await isReachable(server))) return server;
    }
    throw new Failure(`svc did not start in ${homeFolder}. To see why, run: npx svc start`, 1);
  }

  async stopServer(): Promise<void> {
    const child = this.#startedProcess;
    if (!child || child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

/** Also checks that the server accepts the key, because another program could be listening on the port. */
async function isReachable({ url, key }: ServerAccess): Promise<boolean> {
  const headers = { authorization: `Bearer ${key}` };
  return fetch(`${url}/v1/lenses`, { headers }).then(
    ({ ok }) => ok,
    () => false,
  );
}
