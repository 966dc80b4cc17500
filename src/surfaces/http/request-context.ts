import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AskContext } from '../../ask/entry-points.ts';
import type { Actor } from '../../domain/audit/audit-log.ts';
import { isCurator } from '../../domain/identity/principal.ts';

export const toActor = ({ principal, id }: FastifyRequest): Actor => ({
  orgId: principal.orgId,
  name: principal.name,
  requestId: id,
  ...(isCurator(principal) && { keepsAccess: true as const }),
});

export function createAskContext(
  request: FastifyRequest,
  signal: AbortSignal,
  surface: AskContext['surface'],
): AskContext {
  return {
    principal: request.principal,
    requestId: request.id,
    surface,
    client: request.headers['user-agent']?.slice(0, 200) ?? null,
    signal,
  };
}

/** The signal cancels the warehouse query if the client disconnects before the response is sent. */
export function createDisconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.destroyed) controller.abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
