import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { okReplySchema, runStartedSchema } from '../../contract/mgmt/shared.ts';
import type { ProblemCode } from '../../contract/problem-codes.ts';
import type { Deps } from '../../deps.ts';
import type { RunContext } from '../../domain/runs/runs.ts';
import { Problem } from '../../platform/problem.ts';
import { type KeyedReply, runOnceByKey } from '../../platform/tenancy/idempotency.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import { type Operation, type OperationCall, type RequiredAccess, toEntityTag } from './operation.ts';
import { type PageRequest, readPageByKey } from './page.ts';
import { toRefusalBody } from './reply-with-problem.ts';
import { createAskContext, createDisconnectSignal, toActor } from './request-context.ts';
import {
  bearerSecurity,
  createCallerProblemResponses,
  createProblemResponses,
  refusalResponse,
} from './route-schema.ts';
import { refuseBodyMembers } from './validate-request.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RequiredAccess | undefined;
    refusesFaultyFiles?: true | undefined;
  }
}

type MountDeps = Pick<Deps, 'tenancy' | 'project' | 'runs'>;

export function mountOperations<D>(
  app: FastifyInstance,
  deps: NoInfer<D> & MountDeps,
  operations: readonly Operation<D>[],
): void {
  for (const operation of operations) {
    const { method, path: url, access, refusesFaultyFiles, bodyLimit, body: bodySchema, checkBody } = operation;
    app.route({
      ...{ method, url, schema: createRouteSchema(operation), config: { access, refusesFaultyFiles } },
      ...(bodyLimit !== undefined && { bodyLimit }),
      ...(method !== 'GET' && !bodySchema && { preValidation: refuseBodyMembers }),
      ...(checkBody && { preValidation: async ({ body }: FastifyRequest) => checkBody(body) }),
      handler: (request, reply) => answerRequest(deps, operation, request, reply),
    });
  }
}

async function answerRequest<D>(
  deps: D & MountDeps,
  operation: Operation<D>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { result, view, orderBy, revision, respondAsync, readOnly, status = 200 } = operation;
  const runOperation = async (run: Partial<RunContext>) => {
    const call = createOperationCall(deps, operation, request, reply, run);
    if (operation.load) Object.assign(call, await operation.load(call));
    if (orderBy) {
      const readRows = async (page: RowPage<unknown>) => (await operation.run({ ...call, page })) as unknown[];
      return {
        body: await readPageByKey(orderBy, call.query as PageRequest, readRows, view && ((row) => view(row, call))),
      };
    }
    const output = await operation.run(call);
    const etag = revision && toEntityTag(revision(output));
    if (view) return { body: await view(output, call), etag };
    return { body: result ? output : { ok: true }, etag };
  };
  // Like the reply, the result of a run has only the members of the reply's schema.
  const runInBackground = async (run: RunContext) =>
    (result ?? okReplySchema).encode((await runOperation(run)).body as never);
  const respond = async (): Promise<KeyedReply> => {
    if (!respondAsync || !prefersAsync(request)) return { status, ...(await runOperation({})) };
    reply.header('preference-applied', 'respond-async');
    const run = { kind: respondAsync, refusal: (fault: unknown) => toRefusalBody(fault, request.id) };
    return { status: 202, body: { run_id: await deps.runs.start(toActor(request), run, runInBackground) } };
  };
  if (operation.send) return operation.send(request, reply, (await runOperation({})).body);
  const response =
    acceptsIdempotencyKey(operation) && !readOnly
      ? await runOnceByIdempotencyKey(deps, request, respond)
      : await respond();
  reply.code(response.status);
  if (response.etag !== undefined) reply.header('etag', response.etag);
  return response.body;
}

function createOperationCall<D>(
  deps: D,
  operation: Operation<D>,
  request: FastifyRequest,
  reply: FastifyReply,
  run: Partial<RunContext>,
): OperationCall<D> {
  const { principal, params, query, body } = request;
  // Not an accessor, because V8 would create a hidden class for each call, which keeps the memory of its request until
  // the next full garbage collection.
  const signal = run.signal ?? createDisconnectSignal(reply);
  return {
    ...{ deps, principal, params, query, body, run, orgId: principal.orgId },
    actor: toActor(request),
    ifMatch: operation.ifMatch ? readIfMatch(request) : null,
    signal,
    createAskContext: () => createAskContext(request, signal, operation.plane === 'data' ? 'v1' : 'mgmt'),
  };
}

/** Returns null without an If-Match header, or if its value is `*`. */
function readIfMatch(request: FastifyRequest): string | null {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return null;
  const tag = /^\s*(?:W\/)?"([^"]*)"\s*$/.exec(header)?.[1];
  if (tag === undefined) throw new Problem('malformed', 'If-Match takes one entity tag from an ETag header.');
  return tag;
}

const idempotencyHeaderSchema = z.looseObject({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Repeating a request with the same key within a day has no further effect and returns the same response'),
});

const acceptsIdempotencyKey = ({
  method,
  plane,
  takesIdempotencyKey,
}: Pick<Operation<unknown>, 'method' | 'plane' | 'takesIdempotencyKey'>): boolean =>
  plane === 'control' ? method !== 'GET' : takesIdempotencyKey === true;

/** `work` runs once for each Idempotency-Key of this credential. Without this header, `work` always runs. */
async function runOnceByIdempotencyKey(
  { tenancy, project }: MountDeps,
  { method, url, headers, body, principal }: FastifyRequest,
  work: () => Promise<KeyedReply>,
): Promise<KeyedReply> {
  const key = headers['idempotency-key'];
  if (key === undefined) return work();
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new Problem('invalid', 'Send one Idempotency-Key of 1 to 255 visible ASCII characters.');
  const keyedRequest = {
    orgId: principal.orgId,
    actor: `${principal.kind}:${principal.userId ?? principal.callerId ?? principal.credentialId ?? principal.name}`,
    key,
    fingerprint: createHash('sha256')
      .update(JSON.stringify([method, url, body ?? null]))
      .digest('hex'),
  };
  return runOnceByKey({ tenancy, secrets: project.secrets }, keyedRequest, work);
}

/**
 * With the header `Prefer: respond-async` (RFC 7240), the response is 202 with a run. The result of the run is the body
 * that svc otherwise returns directly.
 */
const preferHeaderSchema = idempotencyHeaderSchema.extend({
  prefer: z
    .string()
    .max(200)
    .optional()
    .describe(
      '`respond-async`: returns 202 with a run. Its `progress` has {step, done, total}, and its `result` is the response body',
    ),
});
const prefersAsync = ({ headers }: FastifyRequest): boolean =>
  /(?:^|[,;\s])respond-async(?:$|[,;\s])/i.test(String(headers['prefer'] ?? ''));

function createRouteSchema<D>(operation: Operation<D>) {
  const { id, summary, description, tag, params, query, body, status = 200 } = operation;
  const headers = operation.respondAsync ? preferHeaderSchema : idempotencyHeaderSchema;
  return {
    ...{ tags: [tag], security: bearerSecurity, operationId: id, summary },
    description: operation.access === 'curator' ? `${description} For admins and curators.` : description,
    ...(acceptsIdempotencyKey(operation) && { headers }),
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    response: {
      [status]: operation.response ?? operation.result ?? okReplySchema,
      ...(operation.respondAsync && { 202: runStartedSchema }),
      ...createCallerProblemResponses(...listProblemCodes(operation)),
      ...(operation.ifMatch && createProblemResponses('precondition_failed')),
      ...(operation.refusesFaultyFiles && refusalResponse),
      ...operation.problems,
    },
  };
}

/** The OpenAPI document lists the problems of a status in this order. */
function* listProblemCodes<D>({ method, plane, params, query, fails = [] }: Operation<D>): Generator<ProblemCode> {
  if (plane === 'data') return yield* fails;
  yield 'forbidden';
  if (method !== 'GET') yield* ['conflict', 'too_large', 'unsupported_media_type', 'invalid'] as const;
  if (params) yield 'not_found';
  if (query && method === 'GET') yield 'invalid';
  yield* fails;
}
