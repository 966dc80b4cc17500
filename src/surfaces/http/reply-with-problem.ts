// Only this module converts errors to HTTP responses. For an error other than a Problem, the response has a generic
// message, and the log has the details.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ProblemBody } from '../../contract/problem.ts';
import { PROBLEMS, type ProblemCode } from '../../contract/problem-codes.ts';
import { ProjectRefusal } from '../../domain/project/apply-project.ts';
import { Problem } from '../../platform/problem.ts';
import { reportLimit } from './limit-requests.ts';

export const toProblemBody = (problem: Problem, requestId: string): ProblemBody => ({
  error: {
    code: problem.code,
    message: problem.message,
    type: PROBLEMS[problem.code].type,
    param: problem.param,
    details: problem.details,
    request_id: requestId,
  },
});

/** Returns undefined for errors other than refused project files. */
export const toRefusalBody = (fault: unknown, requestId: string) =>
  fault instanceof ProjectRefusal
    ? {
        ...toProblemBody(fault, requestId),
        problems: fault.problems.map(({ severity: _, ...problem }) => problem),
        warnings: fault.warnings,
      }
    : undefined;

const REST_OF_BODY_TIMEOUT_MS = 2_000;
/**
 * If svc closed the connection earlier, a client that writes its whole request before it reads would lose the response.
 */
async function discardRestOfBody({ raw }: FastifyRequest): Promise<void> {
  if (raw.complete || raw.destroyed) return;
  raw.resume();
  await Promise.race([
    once(raw, 'close'),
    once(raw, 'end'),
    sleep(REST_OF_BODY_TIMEOUT_MS, undefined, { ref: false }),
  ]).catch(() => undefined);
}

export async function replyToFault(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if ('code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') await discardRestOfBody(request);
  return replyWithProblem(
    error,
    request,
    reply,
    request.routeOptions.config.refusesFaultyFiles && toRefusalBody(error, request.id),
  );
}

export function replyWithProblem(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
  extraMembers?: object,
): FastifyReply {
  const problem = toProblem(error);
  const { code, detail, cause } = problem;
  if (problem.status >= 500) request.log.error({ code, detail, cause, err: error }, 'request failed');
  else request.log.info({ code, detail }, 'request refused');
  if (problem.retryAfter !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(problem.retryAfter)));
  if (problem.limit) reportLimit(reply, problem.limit, { remaining: 0, resetSeconds: problem.retryAfter ?? 1 });
  if (problem.status === 401 && !reply.hasHeader('www-authenticate'))
    reply.header('www-authenticate', 'Bearer realm="svc"');
  return reply
    .code(problem.status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .serializer((body: unknown) => JSON.stringify(body))
    .send({ ...toProblemBody(problem, request.id), ...extraMembers });
}

/** The keys are error codes of Fastify, and PostgreSQL's code for a string that it can't store. */
const PROBLEM_BY_ERROR_CODE: Record<string, [ProblemCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'The body is too large for this server. Send a smaller body.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send the body as application/json.'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'This URL does not exist: no name is this long.'],
  FST_ERR_BAD_URL: ['malformed', 'The URL can’t be decoded. Percent-encode it as UTF-8.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed', 'The length of the body differs from its Content-Length.'],
  '22021': ['malformed', 'The request contains characters that can’t be stored.'],
  '22P05': ['malformed', 'The request contains characters that can’t be stored.'],
};

export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { code = '', statusCode = 500 } = (error ?? {}) as { code?: string; statusCode?: number };
  const [problemCode, message] =
    PROBLEM_BY_ERROR_CODE[code] ??
    (statusCode >= 400 && statusCode < 500
      ? (['malformed', 'The request is not valid HTTP.'] as const)
      : (['internal', 'Internal error in svc. Try again. If you report it, include the request ID.'] as const));
  return new Problem(problemCode, message, { cause: error });
}

/** Node.js can't parse these requests as HTTP, so svc responds on the raw socket. */
export function replyToMalformedHttp(
  error: NodeJS.ErrnoException,
  socket: Socket,
  securityHeaders: Record<string, string>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const requestId = randomUUID();
  const problem = new Problem('malformed', 'This is not valid HTTP.');
  const body = JSON.stringify(toProblemBody(problem, requestId));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': requestId,
    'cache-control': 'no-store',
    ...securityHeaders,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
}

/** RFC 9112 requires Host in HTTP/1.1 requests. */
export function requireHost({ raw }: FastifyRequest): void {
  if (raw.headers.host === undefined && raw.httpVersion !== '1.0')
    throw new Problem('malformed', 'Send the header Host.');
}

/** A small compressed body could expand to a large body. */
export function refuseCompressedBody(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Problem('unsupported_media_type', 'Send the body uncompressed, without Content-Encoding.');
  }
}
