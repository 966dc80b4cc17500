// A response stays in memory until the client reads it. svc limits this memory on every route, and closes a connection
// whose client reads nothing for a while.
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { toAnswerOwner } from '../../domain/identity/principal.ts';
import { toRateLimitAddress } from '../../platform/http/source-address.ts';
import { type AnswerOwner, HELD_BYTES } from '../../platform/http/unread-answers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Stops counting the memory of the response or of the waiting request. */
    releaseMemory: (() => void) | undefined;
  }
}

/** svc counts this memory for a stream that it generates while a client reads it, such as a page of the log. */
const ESTIMATED_STREAM_BYTES = 1_048_576;
const SLOW_READER_SECONDS = 30;

const findAnswerOwner = ({ principal, ip }: FastifyRequest): AnswerOwner =>
  principal ? toAnswerOwner(principal) : { tenant: '', caller: toRateLimitAddress(ip) };

export function limitUnreadResponses(app: FastifyInstance, { config, unread }: Pick<Deps, 'config' | 'unread'>): void {
  const slowReaderMs = (config.operator.limits?.slow_reader_s ?? SLOW_READER_SECONDS) * 1_000;
  app.decorateRequest('releaseMemory');
  /** The memory counts until the connection closes. On a closed connection, svc releases the memory immediately. */
  const holdMemory = (request: FastifyRequest, reply: FastifyReply, release: () => void) => {
    const previousRelease = request.releaseMemory;
    request.releaseMemory = release;
    previousRelease?.();
    if (reply.raw.destroyed) release();
  };
  // At this point, svc knows the caller and hasn't read the body yet.
  app.addHook('preParsing', (request, reply, _payload, next) => {
    const reader = findAnswerOwner(request);
    if (unread.hasRoom(reader)) return next();
    unread.waitForRoom('request', reader).then((release) => {
      holdMemory(request, reply, release);
      next();
    }, next);
  });
  app.addHook('onSend', (request, reply, payload, next) => {
    const reader = findAnswerOwner(request);
    const { socket } = request.raw;
    const send = () => {
      holdMemory(request, reply, unread.hold(reader, countHeldBytes(payload)));
      reply.raw.setTimeout(slowReaderMs, () => {
        // If no data is buffered, svc itself is slow, so the connection stays open. Node.js emits `timeout` only once,
        // so svc sets the timeout again.
        if (socket.writableLength > 0) socket.destroy();
        else if (socket instanceof Socket) socket.setTimeout(slowReaderMs);
      });
      next();
    };
    // svc generates a stream while it sends it, so svc can pause the stream until memory is free.
    if (!isGeneratedStream(payload) || unread.hasRoom(reader)) return send();
    unread.waitForRoom('result', reader).then((release) => {
      holdMemory(request, reply, release);
      send();
    }, next);
  });
}

const isGeneratedStream = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && !(payload instanceof Uint8Array) && !(HELD_BYTES in payload);

function countHeldBytes(payload: unknown): number {
  if (typeof payload === 'string' || payload instanceof Uint8Array) return payload.length;
  if (isGeneratedStream(payload)) return ESTIMATED_STREAM_BYTES;
  return (payload as { [HELD_BYTES]?: number } | null | undefined)?.[HELD_BYTES] ?? 0;
}
