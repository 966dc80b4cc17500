// Registers the routes for a list of operations. For each operation, handles access, If-Match and ETag,
// Idempotency-Key, background runs, problems, and the entry in the OpenAPI document.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ok, runStarted } from '../../contract/mgmt/shared.ts';
import type { ProblemCode } from '../../contract/problem-codes.ts';
import type { Deps } from '../../deps.ts';
import type { RunContext } from '../../domain/runs/runs.ts';
import { actorOf } from './actor-of.ts';
import { createAskContext } from './ask-context.ts';
import { createDisconnectSignal } from './disconnect-signal.ts';
import { entityTagOf, readIfMatch } from './entity-tag.ts';
import type { Access, Call, Operation } from './operation.ts';
import { refusalResponse, replyIfRefused } from './refuse-with-problems.ts';
import { preferHeader, respondOrRun } from './respond-async.ts';
import { bearerSecurity, callerProblemResponses, problemResponses } from './route-schema.ts';
import { idempotencyHeader, runOnce } from './run-once.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access | undefined;
  }
}

type MountDeps = Pick<Deps, 'tenancy' | 'project' | 'runs'>;

export function mountOperations<D>(
  app: FastifyInstance,
  deps: NoInfer<D> & MountDeps,
  operations: readonly Operation<D>[],
): void {
  for (const operation of operations) {
    const { method, path: url, access, bodyLimit } = operation;
    app.route({
      ...{ method, url, schema: schemaOf(operation), config: { access } },
      ...(bodyLimit !== undefined && { bodyLimit }),
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
  const { result, view, revision, respondAsync, changesNothing, refusesFiles, status = 200 } = operation;
  const runOperation = async (run: Partial<RunContext>) => {
    const call = createCall(deps, operation, request, reply, run);
    const output = await operation.run(call);
    if (view && revision) reply.header('etag', entityTagOf(revision(output)));
    if (view) return view(output, call);
    return result ? output : { ok: true };
  };
  const respond = async () =>
    respondAsync
      ? respondOrRun(deps, request, reply, respondAsync, runOperation)
      : { status, body: await runOperation({}) };
  const answer = async () => {
    if (acceptsIdempotencyKey(operation) && !changesNothing) return runOnce<unknown>(deps, request, reply, respond);
    const response = await respond();
    reply.code(response.status);
    return response.body;
  };
  if (refusesFiles) return replyIfRefused(request, reply, answer);
  const body = await answer();
  if (revision && !view) reply.header('etag', entityTagOf(revision(body)));
  return body;
}

function createCall<D>(
  deps: D,
  operation: Operation<D>,
  request: FastifyRequest,
  reply: FastifyReply,
  run: Partial<RunContext>,
): Call<D> {
  const { principal, params, query, body } = request;
  const call: Call<D> = {
    ...{ deps, principal, params, query, body, run, orgId: principal.orgId },
    actor: actorOf(request),
    ifMatch: operation.ifMatch ? readIfMatch(request) : null,
    get signal() {
      return run.signal ?? createDisconnectSignal(reply);
    },
    createAskContext: () => ({
      ...createAskContext(request, reply, operation.plane === 'data' ? 'v1' : 'mgmt'),
      signal: call.signal,
    }),
  };
  return call;
}

const acceptsIdempotencyKey = ({
  method,
  plane,
  takesKey,
}: Pick<Operation<unknown>, 'method' | 'plane' | 'takesKey'>): boolean =>
  plane === 'control' ? method !== 'GET' : takesKey === true;

function schemaOf<D>(operation: Operation<D>) {
  const { id, summary, description, tag, params, query, body, status = 200 } = operation;
  const headers = operation.respondAsync ? preferHeader : idempotencyHeader;
  return {
    ...{ tags: [tag], security: bearerSecurity, operationId: id, summary },
    description: operation.access === 'curator' ? `${description} For admins and curators.` : description,
    ...(acceptsIdempotencyKey(operation) && { headers }),
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    response: {
      [status]: operation.result ?? ok,
      ...(operation.respondAsync && { 202: runStarted }),
      ...callerProblemResponses(...problemCodesOf(operation)),
      ...(operation.ifMatch && problemResponses('precondition_failed')),
      ...(operation.refusesFiles && refusalResponse),
    },
  };
}

/** Yields problem codes in order. A description lists the problems of a status in this order. */
function* problemCodesOf<D>({ method, plane, params, query, fails = [] }: Operation<D>): Generator<ProblemCode> {
  if (plane === 'data') return yield* fails;
  yield 'forbidden';
  if (method !== 'GET') yield* ['conflict', 'too_large', 'unsupported_media_type', 'invalid'] as const;
  if (params) yield 'not_found';
  if (query && method === 'GET') yield 'invalid';
  yield* fails;
}
