// Serves the operations of a table: access, If-Match and ETag, Idempotency-Key, background runs, problems, and the
// entry in the OpenAPI document.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ok, runStarted } from '../../contract/mgmt/shared.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import type { Deps } from '../../deps.ts';
import type { RunContext } from '../../domain/runs/runs.ts';
import { actorOf } from './actor-of.ts';
import { askContext } from './ask-context.ts';
import { disconnectSignal } from './disconnect-signal.ts';
import { ifMatch, tagOf } from './entity-tag.ts';
import type { Access, Call, Operation } from './operation.ts';
import { refusedResponse, replyIfRefused } from './refuse-with-problems.ts';
import { orRun, preferHeader } from './respond-async.ts';
import { bearer, callerProblems, problems } from './route-schema.ts';
import { idempotencyHeader, runOnce } from './run-once.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access | undefined;
  }
}

type Mounting = Pick<Deps, 'tenancy' | 'project' | 'runs'>;

export function mountOperations<D>(
  app: FastifyInstance,
  deps: NoInfer<D> & Mounting,
  operations: readonly Operation<D>[],
): void {
  for (const operation of operations) {
    const { method, path: url, access, bodyLimit } = operation;
    app.route({
      ...{ method, url, schema: schemaOf(operation), config: { access } },
      ...(bodyLimit !== undefined && { bodyLimit }),
      handler: (request, reply) => answer(deps, operation, request, reply),
    });
  }
}

async function answer<D>(
  deps: D & Mounting,
  operation: Operation<D>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { result, view, revision, respondAsync, changesNothing, refusesFiles, status = 200 } = operation;
  const work = async (run: Partial<RunContext>) => {
    const call = callOf(deps, operation, request, reply, run);
    const output = await operation.run(call);
    if (view && revision) reply.header('etag', tagOf(revision(output)));
    if (view) return view(output, call);
    return result ? output : { ok: true };
  };
  const respond = async () =>
    respondAsync ? orRun(deps, request, reply, respondAsync, work) : { status, body: await work({}) };
  const settle = async () => {
    if (takesKeyOf(operation) && !changesNothing) return runOnce<unknown>(deps, request, reply, respond);
    const done = await respond();
    reply.code(done.status);
    return done.body;
  };
  if (refusesFiles) return replyIfRefused(request, reply, settle);
  const body = await settle();
  if (revision && !view) reply.header('etag', tagOf(revision(body)));
  return body;
}

function callOf<D>(
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
    ifMatch: operation.ifMatch ? ifMatch(request) : null,
    get signal() {
      return run.signal ?? disconnectSignal(reply);
    },
    asking: () => ({
      ...askContext(request, reply, operation.plane === 'data' ? 'v1' : 'mgmt'),
      signal: call.signal,
    }),
  };
  return call;
}

const takesKeyOf = ({ method, plane, takesKey }: Pick<Operation<unknown>, 'method' | 'plane' | 'takesKey'>): boolean =>
  plane === 'control' ? method !== 'GET' : takesKey === true;

function schemaOf<D>(operation: Operation<D>) {
  const { id, summary, description, tag, params, query, body, status = 200 } = operation;
  const headers = operation.respondAsync ? preferHeader : idempotencyHeader;
  return {
    ...{ tags: [tag], security: bearer, operationId: id, summary },
    description: operation.access === 'curator' ? `${description} For admins and curators.` : description,
    ...(takesKeyOf(operation) && { headers }),
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    response: {
      [status]: operation.result ?? ok,
      ...(operation.respondAsync && { 202: runStarted }),
      ...callerProblems(...problemCodesOf(operation)),
      ...(operation.ifMatch && problems('precondition_failed')),
      ...(operation.refusesFiles && refusedResponse),
    },
  };
}

/** Yields codes in the order in which descriptions list problems with the same status. */
function* problemCodesOf<D>({ method, plane, params, query, fails = [] }: Operation<D>): Generator<ProblemCode> {
  if (plane === 'data') return yield* fails;
  yield 'forbidden';
  if (method !== 'GET') yield* ['conflict', 'too_large', 'unsupported_media_type', 'invalid'] as const;
  if (params) yield 'not_found';
  if (query && method === 'GET') yield 'invalid';
  yield* fails;
}
