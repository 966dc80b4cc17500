// A large answer as JSON, piece by piece: written at once it would hold everybody's requests for as long.
import { Readable } from 'node:stream';
import type { SentEnvelope } from '../../contract/ask.ts';
import { nextTurn } from '../../platform/in-turns.ts';

/** A smaller answer takes a millisecond at most. */
export const CELLS_AT_ONCE = 5_000;

export const jsonInSlices = (envelope: SentEnvelope): Readable => Readable.from(slicesOf(envelope));

async function* slicesOf(envelope: SentEnvelope): AsyncGenerator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(envelope)) {
    const text = JSON.stringify(name === 'data' ? [] : value);
    if (text === undefined) continue;
    yield `${before}${JSON.stringify(name)}:${name === 'data' ? '[' : text}`;
    if (name === 'data') yield* rowsInSlices(envelope.data!);
    before = ',';
  }
  yield '}';
}

async function* rowsInSlices(rows: readonly object[]): AsyncGenerator<string> {
  const rowsAtOnce = Math.ceil(CELLS_AT_ONCE / Object.keys(rows[0]!).length);
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const text = JSON.stringify(rows.slice(at, at + rowsAtOnce)).slice(1, -1);
    yield at === 0 ? text : `,${text}`;
    await nextTurn();
  }
  yield ']';
}
