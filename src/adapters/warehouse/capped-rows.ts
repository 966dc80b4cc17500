// Collects rows from an engine up to the limits on rows and bytes, then stops the engine.
import { type Cell, type FetchOptions, type FetchResult, LARGE_RESULT_BYTES } from '../../domain/ports.ts';

export async function readCappedRows(
  batches: AsyncIterable<Cell[][]>,
  { maxRows, maxBytes, beforeLarge }: Pick<FetchOptions, 'maxRows' | 'maxBytes' | 'beforeLarge'>,
): Promise<Pick<FetchResult, 'rows' | 'more' | 'bytesCut'>> {
  const rows: Cell[][] = [];
  let bytes = 0;
  let isLarge = false;
  for await (const batch of batches) {
    for (const cells of batch) {
      for (const cell of cells) bytes += 8 + (typeof cell === 'string' ? cell.length : 0);
      if (rows.length >= maxRows) return { rows, more: true, bytesCut: false };
      if (bytes > maxBytes) return { rows, more: false, bytesCut: true };
      rows.push(cells);
    }
    if (!isLarge && bytes > LARGE_RESULT_BYTES) {
      isLarge = true;
      await beforeLarge?.();
    }
  }
  return { rows, more: false, bytesCut: false };
}
