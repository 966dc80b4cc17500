import {
  type Cell,
  type FetchOptions,
  type FetchResult,
  LARGE_RESULT_BYTES,
  type WarehouseColumn,
} from '../../domain/ports.ts';
import { createEngineRefusalProblem } from './faults.ts';

type ResultLimits = Pick<FetchOptions, 'maxRows' | 'maxBytes' | 'beforeLarge'>;

/** Reads a result whose columns become known with its first page. */
export async function readCappedResult<Column>(
  pages: AsyncIterable<{ columns: readonly Column[] | undefined; rows: readonly unknown[][] }>,
  caps: ResultLimits,
  cellOf: (value: unknown, column: Column) => Cell,
  columnOf: (column: Column) => WarehouseColumn,
): Promise<FetchResult> {
  let columns: readonly Column[] = [];
  async function* readBatches(): AsyncGenerator<Cell[][]> {
    for await (const page of pages) {
      if (columns.length === 0) columns = page.columns ?? [];
      yield page.rows.map((values) => {
        if (values.length !== columns.length)
          throw createEngineRefusalProblem('a row has a different number of cells than the first row');
        return values.map((value, index) => cellOf(value, columns[index]!));
      });
    }
  }
  const cappedRows = await readCappedRows(readBatches(), caps);
  if (columns.length === 0) throw createEngineRefusalProblem('the statement returns no rows');
  return { columns: columns.map(columnOf), ...cappedRows };
}

export async function readCappedRows(
  batches: AsyncIterable<Cell[][]>,
  { maxRows, maxBytes, beforeLarge }: ResultLimits,
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
