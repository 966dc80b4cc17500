// Sends statements to Trino. The response to a statement links to the next page. A DELETE request for that page cancels
// the statement. svc uses only the path of a link and never its host.
import http from 'node:http';
import https from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { rejectOnAbort } from '../../../adapters/warehouse/deadline.ts';
import {
  createCredentialsProblem,
  createEngineRefusalProblem,
  createUnreachableProblem,
} from '../../../adapters/warehouse/faults.ts';
import { createPinnedAgent } from '../../../adapters/warehouse/pinned-agent.ts';
import { parseExactJson } from '../../duckdb/dialect/exact-json.ts';
import { DEFAULT_CLUSTER_CONCURRENCY } from '../../limits.ts';
import type { PostgresOptions } from '../../postgres/warehouse/sessions.ts';

export interface TrinoColumn {
  name: string;
  type: string;
}
export interface TrinoError {
  message?: string;
  errorName?: string;
}
export interface ResultPage {
  columns?: TrinoColumn[];
  data?: unknown[][];
  error?: TrinoError;
  nextUri?: string;
}
export type RequestHeaders = Readonly<Record<string, string>>;
interface HttpReply {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}
export class TrinoFault extends Error {
  override name = 'TrinoFault';
  readonly fault: TrinoError;
  constructor(fault: TrinoError) {
    super(fault.message ?? 'failed');
    this.fault = { message: fault.message ?? '', errorName: fault.errorName ?? '' };
  }
}

const STATEMENT_PATH = '/v1/statement/';
/** Trino ends a page at about 16 MB, but a single row can be larger. */
const MAX_PAGE_BYTES = 134_217_728;
const BUSY_STATUSES = new Set([429, 502, 503, 504]);
const BUSY_RETRY_MS = 5_000;

export function connectTrino(
  options: Pick<PostgresOptions, 'host' | 'port' | 'address' | 'ssl' | 'user' | 'password'>,
) {
  // The agent has enough sockets to read all statements and to end each statement and transaction.
  const agent = createPinnedAgent(options, 2 * DEFAULT_CLUSTER_CONCURRENCY + 2);
  const commonHeaders: RequestHeaders = {
    'user-agent': 'svc',
    'x-trino-user': options.user,
    // Without TLS, svc sends no password, because anyone on the network could read it.
    ...(options.password &&
      options.ssl && {
        authorization: `Basic ${Buffer.from(`${options.user}:${options.password}`).toString('base64')}`,
      }),
  };

  function send(
    method: string,
    path: string,
    headers: RequestHeaders,
    body: string,
    signal?: AbortSignal,
  ): Promise<HttpReply> {
    return new Promise((resolve, reject) => {
      const request = (options.ssl ? https : http).request(
        {
          agent,
          method,
          host: options.host,
          port: options.port,
          path,
          headers: { ...commonHeaders, ...headers },
          signal,
        },
        (response) => {
          const chunks: Buffer[] = [];
          let bytes = 0;
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
            if (bytes > MAX_PAGE_BYTES) request.destroy(new Error('a page is too large'));
            else chunks.push(chunk);
          });
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(chunks).toString('utf8'),
            }),
          );
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  }

  /** Sends a request, and retries for a few seconds if the server, or a proxy in front of it, is too busy. */
  async function sendWithRetries(
    method: string,
    path: string,
    headers: RequestHeaders,
    body: string,
    signal?: AbortSignal,
  ) {
    const deadline = performance.now() + BUSY_RETRY_MS;
    for (let pause = 50; ; pause *= 2) {
      const reply = await send(method, path, headers, body, signal);
      if (reply.status === 200) return { headers: reply.headers, page: parsePage(reply.text) };
      if (!BUSY_STATUSES.has(reply.status) || performance.now() + pause > deadline) throw toFault(reply);
      await wait(pause, undefined, signal && { signal });
    }
  }
  const cancel = (page: ResultPage): void => {
    const path = findNextPath(page);
    if (path) void send('DELETE', path, {}, '').catch(() => undefined);
  };

  return {
    /**
     * Yields the pages of a result. If the caller stops early or aborts the signal, svc cancels the statement at the
     * server.
     */
    async *fetchPages(
      sql: string,
      headers: RequestHeaders,
      signal: AbortSignal,
      onHeaders?: (responseHeaders: http.IncomingHttpHeaders) => void,
    ) {
      // The signal doesn't abort this request, because svc needs the link in its response to cancel the statement.
      const pendingPost = sendWithRetries('POST', '/v1/statement', headers, sql);
      const abort = rejectOnAbort(signal);
      let page: ResultPage | undefined;
      try {
        const firstReply = await Promise.race([pendingPost, abort.promise]);
        onHeaders?.(firstReply.headers);
        page = firstReply.page;
        for (;;) {
          if (page.error) throw new TrinoFault(page.error);
          yield page;
          const path = findNextPath(page);
          if (!path) return;
          const nextReply = await sendWithRetries('GET', path, {}, '', signal);
          onHeaders?.(nextReply.headers);
          page = nextReply.page;
        }
      } finally {
        abort.end();
        if (page) cancel(page);
        else pendingPost.then((lateReply) => cancel(lateReply.page)).catch(() => undefined);
      }
    },
    close: () => agent.destroy(),
  };
}

const NOT_TRINO_MESSAGE =
  'The host and port of the connection are not those of a Trino server. Ask an admin to check both.';

function parsePage(text: string): ResultPage {
  try {
    return parseExactJson(text) as ResultPage;
  } catch (error) {
    throw createUnreachableProblem(error, NOT_TRINO_MESSAGE);
  }
}

/** Returns the path of the next page, without the host in the link. */
function findNextPath({ nextUri }: ResultPage): string | null {
  if (!nextUri) return null;
  const { pathname, search } = new URL(nextUri, 'http://trino');
  if (!pathname.startsWith(STATEMENT_PATH))
    throw createEngineRefusalProblem('the link to the next page is not an address of a statement');
  return pathname + search;
}

function toFault({ status, text }: HttpReply): Error {
  if (status === 401 || status === 403) return createCredentialsProblem(text);
  if (status === 404 || status === 405) return createUnreachableProblem(`${status} ${text}`, NOT_TRINO_MESSAGE);
  return createUnreachableProblem(new Error(`${status} ${text}`));
}
