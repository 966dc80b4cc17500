// What readers leave unread is counted and bounded, and a connection that takes nothing for a while is closed: an answer is
// in memory until it is read. For every route, whatever it sends.
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { readerOf } from '../../domain/identity/principal.ts';
import { sourceOf } from '../../platform/http/source-address.ts';
import { KEPT, type Reader } from '../../platform/http/unread-answers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** While an answer waits to be read, or is expected after a wait for room: forgets it. */
    release: (() => void) | undefined;
  }
}

/** Of a stream that makes what it sends while it is read: a page of the log with long questions, for one. */
const STREAM_KEEPS = 1_048_576;
const SLOW_READER_S = 30;

const readerIn = ({ principal, ip }: FastifyRequest): Reader =>
  principal ? readerOf(principal) : { tenant: '', caller: sourceOf(ip) };

export function boundUnread(app: FastifyInstance, { config, unread }: Pick<Deps, 'config' | 'unread'>): void {
  const patienceMs = (config.operator.limits?.slow_reader_s ?? SLOW_READER_S) * 1_000;
  app.decorateRequest('release');
  /** Until the connection is gone, which it may be already. */
  const keep = (request: FastifyRequest, reply: FastifyReply, release: () => void) => {
    const before = request.release;
    request.release = release;
    before?.();
    if (reply.raw.destroyed) release();
  };
  // Before the body is read, once it is known who asks.
  app.addHook('preParsing', (request, reply, _payload, next) => {
    const reader = readerIn(request);
    if (unread.hasRoom(reader)) return next();
    unread.room('request', reader).then((place) => {
      keep(request, reply, place);
      next();
    }, next);
  });
  app.addHook('onSend', (request, reply, payload, next) => {
    const reader = readerIn(request);
    const { socket } = request.raw;
    const send = () => {
      keep(request, reply, unread.hold(reader, bytesKept(payload)));
      reply.raw.setTimeout(patienceMs, () => {
        // Nothing to take: it is the answer that is slow. Node asks once for each wait.
        if (socket.writableLength > 0) socket.destroy();
        else if (socket instanceof Socket) socket.setTimeout(patienceMs);
      });
      next();
    };
    // What is made while it is read has not begun.
    if (!isMadeWhileRead(payload) || unread.hasRoom(reader)) return send();
    unread.room('result', reader).then((place) => {
      keep(request, reply, place);
      send();
    }, next);
  });
}

const isMadeWhileRead = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && !(payload instanceof Uint8Array) && !(KEPT in payload);

function bytesKept(payload: unknown): number {
  if (typeof payload === 'string' || payload instanceof Uint8Array) return payload.length;
  if (isMadeWhileRead(payload)) return STREAM_KEEPS;
  return (payload as { [KEPT]?: number } | null | undefined)?.[KEPT] ?? 0;
}
