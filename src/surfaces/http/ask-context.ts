// The properties of an HTTP request that an ask needs.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AskContext } from '../../ask/entrances.ts';
import { createDisconnectSignal } from './disconnect-signal.ts';

export function createAskContext(
  request: FastifyRequest,
  reply: FastifyReply,
  surface: AskContext['surface'] = 'v1',
): AskContext {
  return {
    principal: request.principal,
    requestId: request.id,
    surface,
    client: request.headers['user-agent']?.slice(0, 200) ?? null,
    signal: createDisconnectSignal(reply),
  };
}
