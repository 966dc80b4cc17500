// Runs DuckDB work that might not stop (see worker-process.ts): it builds files and runs one statement at a time.

import type { Cell, FetchOptions, FetchResult, Warehouse } from '../../../domain/ports.ts';
import { restoreGuardedSql, type SentStatement } from '../../../guard/guarded-sql.ts';
import { type PartSender, serveWorker } from '../../../platform/schedule/serve-worker.ts';
import { buildTables, type TableSource } from './build-tables.ts';
import { type DuckDbOptions, openDuckDbWarehouse } from './warehouse.ts';

export type DuckDbRequest =
  | { kind: 'fetch'; options: DuckDbOptions; statement: SentStatement; fetchOptions: Omit<FetchOptions, 'signal'> }
  | { kind: 'describe'; options: DuckDbOptions; statement: SentStatement; timeoutMs: number }
  | { kind: 'estimate'; options: DuckDbOptions; statement: SentStatement }
  | { kind: 'build'; path: string; sources: TableSource[] };
export type FetchResultWithoutRows = Omit<FetchResult, 'rows'>;

/** The result is sent in parts of this size, so that the receiving process can do other work between them. */
const CELLS_PER_PART = 5_000;

let openedWarehouse: { path: string; warehouse: Promise<Warehouse> } | undefined;

function getWarehouse(options: DuckDbOptions): Promise<Warehouse> {
  openedWarehouse ??= { path: options.path, warehouse: openDuckDbWarehouse({ ...options, threads: 1 }) };
  return openedWarehouse.warehouse;
}

async function fetchInParts(
  { options, statement, fetchOptions: fetching }: Extract<DuckDbRequest, { kind: 'fetch' }>,
  sendPart: PartSender,
): Promise<FetchResultWithoutRows> {
  const warehouse = await getWarehouse(options);
  const { rows, ...fetched } = await warehouse.fetch(restoreGuardedSql(statement), fetching);
  const rowsPerPart = Math.max(1, Math.floor(CELLS_PER_PART / Math.max(1, fetched.columns.length)));
  for (let offset = 0; offset < rows.length; offset += rowsPerPart) {
    const part: Cell[][] = rows.slice(offset, offset + rowsPerPart);
    await sendPart(part);
  }
  return fetched;
}

serveWorker(async (request: DuckDbRequest, sendPart) => {
  if (request.kind === 'build') return buildTables(request.path, request.sources);
  if (request.kind === 'fetch') return fetchInParts(request, sendPart);
  const warehouse = await getWarehouse(request.options);
  const statement = restoreGuardedSql(request.statement);
  return request.kind === 'estimate'
    ? warehouse.estimate(statement)
    : warehouse.describe(statement, { timeoutMs: request.timeoutMs });
});
