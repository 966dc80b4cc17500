// Runs a statement that might not stop in a separate process, which svc ends at the time limit.
import { stat } from 'node:fs/promises';
import {
  createCancellationProblem,
  createTimeoutProblem,
  createUnreachableProblem,
} from '../../../adapters/warehouse/faults.ts';
import {
  type Cell,
  type FetchOptions,
  type FetchResult,
  LARGE_RESULT_BYTES,
  type Warehouse,
  type WarehouseColumn,
} from '../../../domain/ports.ts';
import { type GuardedSql, toSentStatement } from '../../../guard/guarded-sql.ts';
import { Problem } from '../../../platform/problem.ts';
import { type WorkerJob, WorkerPool } from '../../../platform/schedule/worker-pool.ts';
import type { BuildLimits } from '../../engine.ts';
import type { TableSource } from './build-tables.ts';
import type { DuckDbRequest, FetchResultWithoutRows } from './duckdb-process.ts';
import { type DuckDbOptions, ESTIMATE_TIMEOUT_MS } from './warehouse.ts';

const MODULE_EXTENSION = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const processModuleUrl = new URL(`./duckdb-process${MODULE_EXTENSION}`, import.meta.url);
const statementPool = new WorkerPool({
  module: processModuleUrl,
  maxProcesses: 4,
  perTenant: 2,
  perCaller: 1,
  waitMs: 10_000,
  memoryMb: 1_024,
});

const BUILD_QUEUE_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 250;
const builderPool = new WorkerPool({
  module: processModuleUrl,
  maxProcesses: 2,
  perTenant: 1,
  perCaller: 1,
  waitMs: BUILD_QUEUE_TIMEOUT_MS,
  idleMs: 5_000,
});

interface WorkerLimits {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  caller?: string | undefined;
}

export function withWorkerProcess(localWarehouse: Warehouse, options: DuckDbOptions, tenant: string): Warehouse {
  const runInOwnProcess = <Reply>(
    request: DuckDbRequest,
    { timeoutMs, signal, caller = '' }: WorkerLimits,
    onPart?: WorkerJob['onPart'],
  ) =>
    statementPool
      .run<Reply>({
        owner: { tenant, caller },
        affinityKey: options.path,
        request,
        timeoutMs,
        signal,
        createTimeoutError: () => createTimeoutProblem(timeoutMs),
        createCanceledError: createCancellationProblem,
        ...(onPart && { onPart }),
      })
      .catch((error: unknown) => {
        throw error instanceof Problem ? error : createUnreachableProblem(error);
      });

  async function fetchInOwnProcess(statement: GuardedSql, fetchOptions: FetchOptions): Promise<FetchResult> {
    const { parameters, maxRows, maxBytes, timeoutMs, beforeLarge } = fetchOptions;
    // svc sends only these members, because messages between processes can't contain functions.
    const sentOptions = { ...(parameters && { parameters }), maxRows, maxBytes, timeoutMs };
    const rows: Cell[][] = [];
    let bytes = 0;
    let isLarge = false;
    const fetched = await runInOwnProcess<FetchResultWithoutRows>(
      { kind: 'fetch', options, statement: toSentStatement(statement), fetchOptions: sentOptions },
      fetchOptions,
      async (part) => {
        for (const row of part as Cell[][]) {
          for (const cell of row) bytes += 8 + (typeof cell === 'string' ? cell.length : 0);
          rows.push(row);
        }
        if (isLarge || bytes <= LARGE_RESULT_BYTES) return;
        isLarge = true;
        await beforeLarge?.();
      },
    );
    return { ...fetched, rows };
  }

  return {
    ...localWarehouse,
    fetch: (statement, fetchOptions) =>
      statement.needsOwnProcess
        ? fetchInOwnProcess(statement, fetchOptions)
        : localWarehouse.fetch(statement, fetchOptions),
    describe: (statement, limits) =>
      statement.needsOwnProcess
        ? runInOwnProcess<WarehouseColumn[]>(
            { kind: 'describe', options, statement: toSentStatement(statement), timeoutMs: limits.timeoutMs },
            limits,
          )
        : localWarehouse.describe(statement, limits),
    estimate: (statement) =>
      statement.needsOwnProcess
        ? runInOwnProcess(
            { kind: 'estimate', options, statement: toSentStatement(statement) },
            { timeoutMs: ESTIMATE_TIMEOUT_MS },
          )
        : localWarehouse.estimate(statement),
  };
}

/**
 * Builds a file in a worker process. Each organization can run one build at a time, and svc limits the total number of
 * builds.
 */
export async function buildInWorker(input: {
  owner: string;
  path: string;
  sources: TableSource[];
  limits: BuildLimits;
}): Promise<void> {
  const { owner, path, sources, limits } = input;
  const tooLarge = new AbortController();
  const watchTimer = setInterval(async () => {
    const { size } = await stat(path).catch(() => ({ size: 0 }));
    if (size > limits.maxBytes) tooLarge.abort();
  }, POLL_INTERVAL_MS);
  const [tenant] = owner.split('/') as [string];
  const tooLargeProblem = (message: string) =>
    new Problem(
      'invalid',
      `The warehouse built from these files ${message}. Use fewer files, or a select that returns less data.`,
    );
  try {
    await builderPool.run({
      owner: { tenant, caller: '' },
      affinityKey: tenant,
      request: { kind: 'build', path, sources },
      timeoutMs: limits.timeoutMs,
      signal: tooLarge.signal,
      createTimeoutError: () => tooLargeProblem(`takes longer than ${Math.round(limits.timeoutMs / 1_000)} s to build`),
      createCanceledError: () => tooLargeProblem(`grows beyond ${Math.round(limits.maxBytes / 1024 ** 2)} MB`),
    });
  } finally {
    clearInterval(watchTimer);
  }
}
