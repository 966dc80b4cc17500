// Connects to SVC_BASE_URL with SVC_TOKEN, or to the instance running in SVC_HOME.
import { readCredentials } from '../home.ts';
import { readClientEnvironment } from './client-environment.ts';
import { Failure } from './terminal/failure.ts';

export interface Client {
  baseUrl: string;
  /** The client uses the owner's credentials, which the instance stores in SVC_HOME. */
  isOwner: boolean;
  call<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<T>;
}

interface ApiError {
  error?: { code: string; message: string; details?: { path: string; message: string }[] };
}

/** Includes the whole body, because some commands show more than the message. */
export class RefusalError extends Failure {
  readonly status: number;
  readonly body: unknown;
  constructor(status: number, body: ApiError) {
    const { message, details = [] } = body.error ?? { message: `The server responded with HTTP status ${status}.` };
    const otherDetails = details.filter((detail) => !message.includes(detail.message));
    super([message, ...otherDetails.map((detail) => `  ${detail.path}: ${detail.message}`)].join('\n'));
    this.status = status;
    this.body = body;
  }
}

/** Selects the stored credential: `admin` for control plane commands, `caller` for asks. */
export async function connectToServer(as: 'admin' | 'caller'): Promise<Client> {
  const { home, baseUrl, token } = readClientEnvironment();
  const storedCredentials = baseUrl && token ? null : await readCredentials(home).catch(() => null);
  if (!storedCredentials && !(baseUrl && token))
    throw new Failure(
      `No svc server is running in ${home}. Start one with npx svc start, or set SVC_BASE_URL and SVC_TOKEN.`,
      2,
    );
  const base = (baseUrl ?? storedCredentials?.base_url ?? '').replace(/\/+$/, '');
  const bearer = token ?? (as === 'admin' ? storedCredentials?.admin_token : storedCredentials?.caller_key) ?? '';
  return {
    baseUrl: base,
    isOwner: storedCredentials !== null && token === null,
    async call<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
      let response: Response;
      try {
        response = await fetch(base + path, {
          method,
          headers: {
            ...headers,
            authorization: `Bearer ${bearer}`,
            'user-agent': 'svc-cli',
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          body: body === undefined ? undefined : JSON.stringify(body),
        });
      } catch {
        throw new Failure(`No svc server is responding at ${base}. Start it with: npx svc start`, 1);
      }
      const responseBody = (await response.json().catch(() => ({}))) as T & ApiError;
      if (!response.ok && !('status' in (responseBody as object)))
        throw new RefusalError(response.status, responseBody);
      return responseBody;
    },
  };
}

/** Every list endpoint allows this page size. */
const LIST_PAGE_SIZE = 50;

/** Reads a list page by page. Stops at about `maxItems` items. */
export async function fetchAllPages<Item>(
  client: Client,
  path: string,
  { maxItems = Number.POSITIVE_INFINITY, pageSize = LIST_PAGE_SIZE } = {},
): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null && items.length < maxItems; ) {
    const query: string = `limit=${pageSize}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const url = `${path}${path.includes('?') ? '&' : '?'}${query}`;
    const page: { items: Item[]; next_cursor: string | null } = await client.call('GET', url);
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}
