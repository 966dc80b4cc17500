// Calls BigQuery's REST API. svc uses the official client only to sign requests, because the client's row conversion
// loses digits, and its retries could run a statement twice.
import { setTimeout as wait } from 'node:timers/promises';
import { loadClient } from '../../../adapters/warehouse/optional-client.ts';
import { Problem } from '../../../platform/problem.ts';

export interface BigqueryOptions {
  project: string;
  dataset?: string | undefined;
  datasets: string[];
  location?: string | undefined;
  client_email?: string | undefined;
  private_key?: string | undefined;
  max_bytes_billed?: number | undefined;
  /** The host of an emulator, to which svc sends no credentials. */
  host?: string | undefined;
  port?: number | undefined;
  /** The IP address of the host that svc has checked. */
  address?: string | undefined;
  projectFolder?: string | undefined;
  /**
   * True if the connection comes from the operator's files. Only such connections can use the server's own credentials.
   */
  fromOperator: boolean;
}

interface ApiRequest {
  method: string;
  uri: string;
  json?: object;
  qs?: Record<string, string>;
}
interface ClientModule {
  BigQuery: new (
    options: object,
  ) => { request(request: ApiRequest, done: (error: unknown, body: unknown) => void): void };
}

export interface BigqueryErrorDetail {
  reason?: string;
  message?: string;
}
export class BigqueryFault extends Error {
  override name = 'BigqueryFault';
  readonly status: number;
  readonly reason: string;
  constructor(status: number, { reason = '', message = 'failed' }: BigqueryErrorDetail) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

const BUSY_STATUSES = new Set([429, 502, 503, 504]);
const MAX_RETRY_MS = 5_000;

export type ApiCaller = <Body>(
  method: 'GET' | 'POST',
  path: string,
  sent?: { body?: object; query?: Record<string, string | undefined> },
) => Promise<Body>;

export async function connectBigquery(options: BigqueryOptions): Promise<ApiCaller> {
  const isEmulated = options.host !== undefined;
  const hasServiceAccount = options.client_email !== undefined && options.private_key !== undefined;
  // Without this check, anyone who can add a connection without credentials could read data with the server's
  // permissions.
  if (!isEmulated && !hasServiceAccount && !options.fromOperator)
    throw new Problem(
      'invalid',
      "Connections of kind bigquery need the client_email and private_key of a service account. svc uses the server's own credentials only for connections in the operator's files.",
    );
  const { BigQuery } = await loadClient<ClientModule>('bigquery', '@google-cloud/bigquery@8', options.projectFolder);
  const server = isEmulated
    ? `http://${formatHost(options.address ?? options.host!)}:${options.port}`
    : 'https://bigquery.googleapis.com';
  const client = new BigQuery({
    projectId: options.project,
    apiEndpoint: server,
    autoRetry: false,
    ...(isEmulated && { authClient: ANONYMOUS_AUTH_CLIENT }),
    ...(!isEmulated &&
      hasServiceAccount && {
        credentials: {
          client_email: options.client_email,
          // A key from an environment variable contains escaped line breaks.
          private_key: options.private_key!.replaceAll('\\n', '\n'),
        },
      }),
  });

  const send = <Body>(request: ApiRequest): Promise<Body> =>
    new Promise((resolve, reject) => {
      client.request(request, (error, body) => (error ? reject(wrapClientError(error)) : resolve(body as Body)));
    });

  return async (method, path, { body, query = {} } = {}) => {
    const queryEntries = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const request: ApiRequest = {
      method,
      uri: `${server}/bigquery/v2/projects/${path}`,
      ...(body && { json: body }),
      ...(queryEntries.length > 0 && { qs: Object.fromEntries(queryEntries) }),
    };
    const deadline = performance.now() + MAX_RETRY_MS;
    for (let pause = 100; ; pause *= 2) {
      try {
        return await send(request);
      } catch (fault) {
        const isBusy = fault instanceof BigqueryFault && BUSY_STATUSES.has(fault.status);
        if (!isBusy || performance.now() + pause > deadline) throw fault;
        await wait(pause);
      }
    }
  };
}

const ANONYMOUS_AUTH_CLIENT = { getRequestHeaders: async () => new Headers() };
const formatHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** An error whose code isn't a number is a network error. */
function wrapClientError(error: unknown): unknown {
  const { code, errors = [], message } = error as { code?: unknown; errors?: BigqueryErrorDetail[]; message?: string };
  if (typeof code !== 'number') return error;
  const [firstError] = errors;
  return new BigqueryFault(code, { reason: firstError?.reason ?? '', message: firstError?.message ?? message ?? '' });
}
