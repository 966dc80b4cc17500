// Aborts when the client disconnects before its response is sent, so that the warehouse query is canceled
// (SECURITY F11).
import type { FastifyReply } from 'fastify';

export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.destroyed) controller.abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
