// Charges a request's time on the event loop, from its body to its response, to its organization (F10).
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';

type Piece = Awaited<ReturnType<Deps['loop']['begin']>>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set until the response is finished. */
    piece: Piece | undefined;
  }
}

export async function chargeEventLoop({ loop }: Pick<Deps, 'loop'>, request: FastifyRequest): Promise<Piece> {
  request.piece ??= await loop.begin(request.principal?.orgId ?? '');
  if (request.raw.socket.destroyed) request.piece.end(); // the client has disconnected in the meantime
  return request.piece;
}
