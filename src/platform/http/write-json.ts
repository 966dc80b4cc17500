// Writes large values as JSON in pieces, because one long JSON.stringify would block all other requests.
import { Readable } from 'node:stream';
import { nextTurn } from '../schedule/in-turns.ts';
import { KEPT_BYTES } from './unread-answers.ts';

/** Writing this many bytes takes about a millisecond. */
const MAX_INLINE_BYTES = 262_144;
const PIECE_BYTES = 65_536;
/** Estimated memory overhead of one member or item, without its content. */
const BYTES_PER_ITEM = 48;

/** The approximate size in bytes, in memory or as JSON. Stops counting at `most`. */
export function approximateSize(value: unknown, most = Number.POSITIVE_INFINITY): number {
  if (typeof value === 'string') return BYTES_PER_ITEM + value.length;
  if (typeof value !== 'object' || value === null) return BYTES_PER_ITEM;
  let size = BYTES_PER_ITEM;
  for (const name in value) {
    size += approximateSize((value as Record<string, unknown>)[name], most - size);
    if (size > most) break;
  }
  return size;
}

/** Writes the same JSON as JSON.stringify, between `before` and `after`. Returns a stream if the value is large. */
export function writeJson(value: object, before = '', after = ''): string | Readable {
  if (approximateSize(value, MAX_INLINE_BYTES) <= MAX_INLINE_BYTES) return before + JSON.stringify(value) + after;
  return countedUntilRead(between(before, piecesOf(value), after), approximateSize(value));
}

function* between(before: string, pieces: Iterable<string>, after: string): Generator<string> {
  if (before !== '') yield before;
  yield* pieces;
  if (after !== '') yield after;
}

function* piecesOf(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || approximateSize(value, PIECE_BYTES) <= PIECE_BYTES) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const list = Array.isArray(value);
  let text = list ? '[' : '{';
  let size = 0;
  let first = true;
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined && !list) continue;
    text += `${first ? '' : ','}${list ? '' : `${JSON.stringify(name)}:`}`;
    first = false;
    size += approximateSize(inner, PIECE_BYTES);
    if (size > PIECE_BYTES) {
      yield text;
      yield* piecesOf(inner);
      text = '';
      size = 0;
    } else text += JSON.stringify(inner) ?? 'null';
  }
  yield text + (list ? ']' : '}');
}

/** Counts as `size` bytes of memory until it is read. */
export const countedUntilRead = (pieces: Iterable<string>, size: number): Readable =>
  Object.assign(streamOf(pieces), { [KEPT_BYTES]: size });

/** A stream that produces one piece per round of the event loop as a client reads it. */
export function streamOf(texts: Iterable<string> | AsyncIterable<string>): Readable {
  const inTurn = async function* () {
    let text = '';
    for await (const piece of texts) {
      text += piece;
      if (text.length < PIECE_BYTES) continue;
      yield text;
      text = '';
      await nextTurn();
    }
    yield text;
  };
  return Readable.from(inTurn(), { objectMode: false, highWaterMark: PIECE_BYTES });
}
