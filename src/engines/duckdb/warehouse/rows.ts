// Reads rows within a byte limit. svc adds up the sizes in the vectors before it decodes a string, so it never copies a
// cell beyond the limit.
import type * as DuckDB from '@duckdb/node-api';
import bindings from '@duckdb/node-bindings';
import { type Cell, type FetchOptions, LARGE_RESULT_BYTES } from '../../../domain/ports.ts';
import { describeTooManyColumns, MAX_COLUMNS } from '../../../guard/statement-size.ts';
import { Problem } from '../../../platform/problem.ts';
import { createYieldIfDue } from '../../../platform/schedule/in-turns.ts';
import { createCellReader } from './cells.ts';

// VARCHAR, BLOB, BIT, BIGNUM and GEOMETRY. Each value has a 16-byte header that starts with the length.
const TEXT_LIKE_TYPE_IDS = new Set([17, 18, 29, 35, 40]);
const LIST_LIKE_TYPE_IDS = new Set([24, 26]); // LIST, MAP
const FIXED_VALUE_BYTES = 8;

export async function readRows(
  result: DuckDB.DuckDBResult,
  { maxRows, maxBytes, beforeLarge }: Pick<FetchOptions, 'maxRows' | 'maxBytes' | 'beforeLarge'>,
  stopReason: () => Error | null,
): Promise<{ rows: Cell[][]; more: boolean; bytesCut: boolean }> {
  const types = Array.from({ length: result.columnCount }, (_, index) => result.columnTypeId(index) as number);
  const readers = types.map(createCellReader);
  const rows: Cell[][] = [];
  let bytes = 0;
  let isLarge = false;
  if (types.length > MAX_COLUMNS) throw new Problem('invalid', describeTooManyColumns(types.length), { param: 'sql' });
  const yieldIfDue = createYieldIfDue();
  for (;;) {
    if (!isLarge && bytes > LARGE_RESULT_BYTES) {
      isLarge = true;
      await beforeLarge?.();
    }
    const chunk = await result.fetchChunk();
    const stopReasonNow = stopReason();
    if (stopReasonNow) throw stopReasonNow;
    if (!chunk || chunk.rowCount === 0) return { rows, more: false, bytesCut: false };
    const sizeOf = createRowSizeEstimator(chunk, types);
    for (let row = 0; row < chunk.rowCount; row++) {
      const pause = yieldIfDue();
      if (pause) await pause;
      if (rows.length === maxRows) return { rows, more: true, bytesCut: false };
      bytes += sizeOf(row);
      if (bytes > maxBytes) return { rows, more: false, bytesCut: true };
      rows.push(readers.map((readCell, column) => readCell(chunk.getColumnVector(column).getItem(row))));
    }
  }
}

function createRowSizeEstimator(chunk: DuckDB.DuckDBDataChunk, types: number[]): (row: number) => number {
  const count = chunk.rowCount;
  let sharedBytes = 0;
  const lengths: ((row: number) => number)[] = [];
  types.forEach((type, column) => {
    sharedBytes += FIXED_VALUE_BYTES;
    if (!TEXT_LIKE_TYPE_IDS.has(type) && !LIST_LIKE_TYPE_IDS.has(type)) return;
    const vector = bindings.data_chunk_get_vector(chunk.chunk, column);
    if (LIST_LIKE_TYPE_IDS.has(type)) {
      sharedBytes += (bindings.list_vector_get_size(vector) * FIXED_VALUE_BYTES) / count;
      return;
    }
    const headers = bindings.vector_get_data(vector, count * 16);
    const view = new DataView(headers.buffer, headers.byteOffset, headers.byteLength);
    const validity = bindings.vector_get_validity(vector, Math.ceil(count / 64) * 8);
    const isNull = (row: number) => validity !== null && (validity[row >> 3]! & (1 << (row & 7))) === 0;
    lengths.push((row) => (isNull(row) ? 0 : view.getUint32(row * 16, true)));
  });
  return (row) => lengths.reduce((sum, length) => sum + length(row), sharedBytes);
}
