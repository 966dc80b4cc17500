// Cuts each cell to 64 KB before the rows are hashed, so that the receipt covers exactly the served rows.
import type { JsonValue } from '../../contract/ask.ts';

export const MAX_CELL_BYTES = 65_536;
/** The maximum number of UTF-8 bytes for one UTF-16 unit. */
const MAX_BYTES_PER_CHARACTER = 3;

export function cutCell(cell: JsonValue): JsonValue {
  if (typeof cell !== 'string' || cell.length * MAX_BYTES_PER_CHARACTER <= MAX_CELL_BYTES) return cell;
  if (Buffer.byteLength(cell) <= MAX_CELL_BYTES) return cell;
  const bytes = Buffer.from(cell.slice(0, MAX_CELL_BYTES)).subarray(0, MAX_CELL_BYTES);
  // Leaves out a character that doesn't fit completely.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}
