// Aborts if the client disconnects before its response is sent, to cancel the warehouse query (SECURITY F11).
import type { FastifyReply } from 'fastify';

export function createDisconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.destroyed) controller.abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
