// `Prefer: respond-async` (RFC 7240) for slow operations. Responds with 202 and a run. The result of the run is the
// response that the client would otherwise wait for.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import type { RunContext } from '../../domain/runs/runs.ts';
import { actorOf } from './actor-of.ts';
import { refusalOf } from './refuse-with-problems.ts';
import { idempotencyHeader } from './run-once.ts';

export const preferHeader = idempotencyHeader.extend({
  prefer: z
    .string()
    .max(200)
    .optional()
    .describe(
      '`respond-async`: returns 202 with a run. Its `progress` has {step, done, total}, and its `result` is the response body',
    ),
});

export async function respondOrRun<Body>(
  deps: Pick<Deps, 'runs'>,
  request: FastifyRequest,
  reply: FastifyReply,
  kind: string,
  work: (run: Partial<RunContext>) => Promise<Body>,
): Promise<{ status: 200 | 202; body: Body | { run_id: string } }> {
  const { prefer } = request.headers as { prefer?: string };
  if (!/(?:^|[,;\s])respond-async(?:$|[,;\s])/i.test(prefer ?? '')) return { status: 200, body: await work({}) };
  reply.header('preference-applied', 'respond-async');
  const toRefusal = (fault: unknown) => refusalOf(fault, request.id);
  return { status: 202, body: { run_id: await deps.runs.start(actorOf(request), { kind, refusal: toRefusal }, work) } };
}
