// The types come from the server's OpenAPI document, so the app uses only what other clients can use.
import createClient from 'openapi-fetch';
import type { paths } from './schema.d.ts';
import { toUserMessage } from './user-messages.ts';

/** The server's Problem, or a problem with status 0 if the app can't reach the server. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly details: { path: string; message: string }[];

  constructor(
    message: string,
    problem: { status: number; code: string; requestId?: string | null; details?: { path: string; message: string }[] },
  ) {
    super(message);
    this.status = problem.status;
    this.code = problem.code;
    this.requestId = problem.requestId ?? null;
    this.details = problem.details ?? [];
  }
}

export const apiClient = createClient<paths>({
  baseUrl: '/',
  fetch: async (request) => {
    try {
      return await fetch(request);
    } catch (fault) {
      if (request.signal.aborted) throw fault;
      throw new ApiProblem('The server can’t be reached. Check your connection, then try again.', {
        status: 0,
        code: 'unreachable',
      });
    }
  },
});

interface ApiResult<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

export async function unwrapData<Data>(answering: Promise<ApiResult<Data>>): Promise<Data> {
  const { data, error, response } = await answering;
  if (response.ok) return data as Data;
  throw toProblem(error, response);
}

export function toProblem(body: unknown, response: Response): ApiProblem {
  const error = (body as { error?: Partial<WireProblem> | null } | undefined)?.error;
  const requestId = error?.request_id ?? response.headers.get('x-request-id');
  const code = error?.code ?? (response.status > 500 ? 'unreachable' : 'internal'); // a proxy's error page isn't a Problem
  const details = error?.details?.map((detail) => ({ ...detail, message: toUserMessage(detail.message) }));
  return new ApiProblem(toUserMessage(error?.message ?? '', code), {
    status: response.status,
    code,
    requestId,
    details,
  });
}

interface WireProblem {
  code: string;
  message: string;
  request_id: string;
  details: { path: string; message: string }[];
}
