// A large value as JSON, piece by piece: written at once it would hold everybody's requests for as long.
import { Readable } from 'node:stream';
import { nextTurn } from '../schedule/in-turns.ts';
import { KEPT } from './unread-answers.ts';

/** What takes a millisecond or so to write. */
const AT_ONCE = 262_144;
const PIECE = 65_536;
/** Of a member or an item in memory, beside its text. */
const EACH = 48;

/** About as many bytes as it takes, in memory or as JSON; counted no further than `most`. */
export function roughSize(value: unknown, most = Number.POSITIVE_INFINITY): number {
  if (typeof value === 'string') return EACH + value.length;
  if (typeof value !== 'object' || value === null) return EACH;
  let size = EACH;
  for (const name in value) {
    size += roughSize((value as Record<string, unknown>)[name], most - size);
    if (size > most) break;
  }
  return size;
}

/** As JSON.stringify writes it, between two texts: at once where that takes no time, otherwise as it is read. */
export function writeJson(value: object, before = '', after = ''): string | Readable {
  if (roughSize(value, AT_ONCE) <= AT_ONCE) return before + JSON.stringify(value) + after;
  return keptUntilRead(between(before, piecesOf(value), after), roughSize(value));
}

function* between(before: string, pieces: Iterable<string>, after: string): Generator<string> {
  if (before !== '') yield before;
  yield* pieces;
  if (after !== '') yield after;
}

function* piecesOf(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || roughSize(value, PIECE) <= PIECE) {
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
    size += roughSize(inner, PIECE);
    if (size > PIECE) {
      yield text;
      yield* piecesOf(inner);
      text = '';
      size = 0;
    } else text += JSON.stringify(inner) ?? 'null';
  }
  yield text + (list ? ']' : '}');
}

/** `kept` bytes, which the pieces are made of, are in memory until they are read. */
export const keptUntilRead = (pieces: Iterable<string>, kept: number): Readable =>
  Object.assign(inPieces(pieces), { [KEPT]: kept });

/** Made while it is read, a piece in each round of the event loop. */
export function inPieces(texts: Iterable<string> | AsyncIterable<string>): Readable {
  const inTurn = async function* () {
    let text = '';
    for await (const one of texts) {
      text += one;
      if (text.length < PIECE) continue;
      yield text;
      text = '';
      await nextTurn();
    }
    yield text;
  };
  return Readable.from(inTurn(), { objectMode: false, highWaterMark: PIECE });
}
