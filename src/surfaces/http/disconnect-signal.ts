// Aborted when the client goes away before its answer is out: the warehouse query is cancelled (SECURITY F11).
import type { FastifyReply } from 'fastify';

export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.destroyed) controller.abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
