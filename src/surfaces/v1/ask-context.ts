// What an ask needs to know of the request that carries it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AskContext } from '../../ask/entrances.ts';

export function askContext(
  request: FastifyRequest,
  reply: FastifyReply,
  surface: AskContext['surface'] = 'v1',
): AskContext {
  return {
    principal: request.principal,
    requestId: request.id,
    surface,
    client: request.headers['user-agent']?.slice(0, 200) ?? null,
    signal: goneSignal(reply),
  };
}

/** Aborted when the client goes away before its answer is out: the warehouse query is cancelled (SECURITY F11). */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
