// A cell is at most 64 KB for every reader: the rows are cut before they are hashed, so the receipt proves what was served.
import type { JsonValue } from '../../contract/ask.ts';

export const MOST_BYTES = 65_536;
/** Of one UTF-16 unit. */
const WIDEST = 3;

export function cutCell(cell: JsonValue): JsonValue {
  if (typeof cell !== 'string' || cell.length * WIDEST <= MOST_BYTES) return cell;
  if (Buffer.byteLength(cell) <= MOST_BYTES) return cell;
  const bytes = Buffer.from(cell.slice(0, MOST_BYTES)).subarray(0, MOST_BYTES);
  // A character of which only a part fits is left out.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}
