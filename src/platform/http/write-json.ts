// Writes large values as JSON in pieces, because one long JSON.stringify would block all other requests.
import { Readable } from 'node:stream';
import { waitForTurn } from '../schedule/in-turns.ts';
import { HELD_BYTES } from './unread-answers.ts';

/** JSON.stringify writes about this many bytes in a millisecond. */
const MAX_INLINE_BYTES = 262_144;
const BYTES_PER_PIECE = 65_536;
/** Estimated memory overhead of one member or item, without its content. */
const BYTES_PER_ITEM = 48;

/** The approximate size in bytes, in memory or as JSON. Stops counting at `limit`. */
export function estimateSize(value: unknown, limit = Number.POSITIVE_INFINITY): number {
  if (typeof value === 'string') return BYTES_PER_ITEM + value.length;
  if (typeof value !== 'object' || value === null) return BYTES_PER_ITEM;
  let size = BYTES_PER_ITEM;
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    // Most members aren't objects, and a call for each of them would take several times as long.
    if (typeof member === 'object' && member !== null) size += estimateSize(member, limit - size);
    else size += BYTES_PER_ITEM + (typeof member === 'string' ? member.length : 0);
    if (size > limit) break;
  }
  return size;
}

/** Returns a stream if the value is large. */
export function writeJson(value: object, prefix = '', suffix = ''): string | Readable {
  if (estimateSize(value, MAX_INLINE_BYTES) <= MAX_INLINE_BYTES) return prefix + JSON.stringify(value) + suffix;
  return toCountedStream(wrapPieces(prefix, splitJson(value), suffix), estimateSize(value));
}

function* wrapPieces(prefix: string, pieces: Iterable<string>, suffix: string): Generator<string> {
  if (prefix !== '') yield prefix;
  yield* pieces;
  if (suffix !== '') yield suffix;
}

function* splitJson(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || estimateSize(value, BYTES_PER_PIECE) <= BYTES_PER_PIECE) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  let size = 0;
  let isFirst = true;
  for (const [name, innerValue] of Object.entries(value)) {
    if (innerValue === undefined && !isList) continue;
    text += `${isFirst ? '' : ','}${isList ? '' : `${JSON.stringify(name)}:`}`;
    isFirst = false;
    size += estimateSize(innerValue, BYTES_PER_PIECE);
    if (size > BYTES_PER_PIECE) {
      yield text;
      yield* splitJson(innerValue);
      text = '';
      size = 0;
    } else text += JSON.stringify(innerValue) ?? 'null';
  }
  yield text + (isList ? ']' : '}');
}

/** The stream counts as `size` bytes of memory until a client reads it. */
export const toCountedStream = (pieces: Iterable<string>, size: number): Readable =>
  Object.assign(toStream(pieces), { [HELD_BYTES]: size });

/** The stream produces one piece per round of the event loop. */
export function toStream(texts: Iterable<string> | AsyncIterable<string>): Readable {
  const yieldInTurns = async function* () {
    let text = '';
    for await (const piece of texts) {
      text += piece;
      if (text.length < BYTES_PER_PIECE) continue;
      yield text;
      text = '';
      await waitForTurn();
    }
    yield text;
  };
  return Readable.from(yieldInTurns(), { objectMode: false, highWaterMark: BYTES_PER_PIECE });
}
