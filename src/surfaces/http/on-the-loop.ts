// What a request takes of the event loop, from its body to its answer, is its organization's (F10).
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';

type Piece = Awaited<ReturnType<Deps['loop']['begin']>>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Until the response is over. */
    piece: Piece | undefined;
  }
}

export async function onTheLoop({ loop }: Pick<Deps, 'loop'>, request: FastifyRequest): Promise<Piece> {
  request.piece ??= await loop.begin(request.principal?.orgId ?? '');
  if (request.raw.socket.destroyed) request.piece.end(); // whoever asked has gone meanwhile
  return request.piece;
}
