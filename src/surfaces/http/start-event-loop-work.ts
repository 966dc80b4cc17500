// svc charges the event loop time of a request, from its body to its response, to its organization.
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { StartedPieceOfWork } from '../../platform/schedule/scheduler.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The request's work on the event loop, until the response is finished. */
    eventLoopWork: StartedPieceOfWork | undefined;
  }
}

/** Returns a promise only if the request has to wait. */
export function startEventLoopWork(
  { scheduler }: Pick<Deps, 'scheduler'>,
  request: FastifyRequest,
): StartedPieceOfWork | Promise<StartedPieceOfWork> {
  const keepPiece = (piece: StartedPieceOfWork): StartedPieceOfWork => {
    request.eventLoopWork = piece;
    if (request.raw.socket.destroyed) piece.end(); // The client disconnected while the request was waiting.
    return piece;
  };
  const piece = request.eventLoopWork ?? scheduler.begin(request.principal?.orgId ?? '');
  return piece instanceof Promise ? piece.then(keepPiece) : keepPiece(piece);
}
