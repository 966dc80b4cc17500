// Writes CSV (RFC 4180) in pieces that can end inside a row, because one row can hold megabytes. CSV libraries write
// only whole rows.
import type { Readable } from 'node:stream';
import type { JsonScalar } from '../../contract/ask.ts';
import { estimateSize, toCountedStream } from '../../platform/http/write-json.ts';

const MAX_INLINE_CELLS = 262_144;
const CHUNK_LENGTH = 65_536;

export function toCsvCell(cell: JsonScalar | undefined): string {
  if (cell === null || cell === undefined) return '';
  const text = typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A spreadsheet would treat such text as a formula. */
export const escapeFormula = (text: string): string => (/^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text);

export function writeCsv(rows: readonly (readonly JsonScalar[])[]): string | Readable {
  if (estimateSize(rows, MAX_INLINE_CELLS) <= MAX_INLINE_CELLS) return [...writeCsvChunks(rows)].join('');
  return toCountedStream(writeCsvChunks(rows), estimateSize(rows));
}

function* writeCsvChunks(rows: Iterable<readonly JsonScalar[]>): Generator<string> {
  let text = '';
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      text += `${index === 0 ? '' : ','}${toCsvCell(cell)}`;
      if (text.length < CHUNK_LENGTH) continue;
      yield text;
      text = '';
    }
    text += '\r\n';
  }
  yield text;
}
