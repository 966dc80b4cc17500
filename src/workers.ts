// The primary process starts workers, which share the port, the control database and SVC_HOME, but no memory.
import cluster, { type Address, type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ConfigFault } from './config.ts';
import { serveWorkerMetrics } from './domain/observe/worker-metrics.ts';

/** If a worker ends sooner than this, svc waits before replacing it, to avoid constant restarts. */
const MIN_LIFETIME_MS = 10_000;
const RESTART_PAUSE_MS = 1_000;

/** Resolves when every worker listens. */
export async function startWorkers(count: number, log: Logger): Promise<{ baseUrl: string; stop(): Promise<void> }> {
  let isStopping = false;
  const start = (runsMaintenance: boolean): Worker => {
    const startedAt = performance.now();
    const worker = cluster.fork({ SVC_UPKEEP: runsMaintenance ? 'on' : 'off' });
    worker.once('exit', async (code: number, signal: string | null) => {
      if (isStopping) return;
      log.error({ worker: worker.process.pid, code, signal }, 'a worker ended unexpectedly; svc starts another one');
      if (performance.now() - startedAt < MIN_LIFETIME_MS) await sleep(RESTART_PAUSE_MS);
      if (!isStopping) start(runsMaintenance);
    });
    return worker;
  };
  const stop = async () => {
    isStopping = true;
    const workers = Object.values(cluster.workers ?? {}) as Worker[];
    await Promise.all(
      workers.map(async (worker) => {
        const workerExit = once(worker, 'exit');
        worker.process.kill('SIGTERM');
        await workerExit;
      }),
    );
    log.info('all workers stopped');
  };

  serveWorkerMetrics();
  try {
    // Waits for the first worker before starting the others, because a configuration error would end every worker.
    const firstWorker = start(true);
    const baseUrl = await waitForListening(firstWorker);
    await Promise.all(Array.from({ length: count - 1 }, () => waitForListening(start(false))));
    log.info({ workers: count }, 'all workers listen');
    return { baseUrl, stop };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

async function waitForListening(worker: Worker): Promise<string> {
  const abortController = new AbortController();
  const { signal } = abortController;
  const workerExit = once(worker, 'exit', { signal }).then(([code]: number[]) => {
    throw new ConfigFault('A worker could not start. The reason is in the message above, from the worker.', {
      exitCode: code === 2 ? 2 : 1,
    });
  });
  workerExit.catch(() => undefined);
  try {
    const listening = once(worker, 'listening', { signal }) as Promise<[Address]>;
    const [{ address, port }] = await Promise.race([listening, workerExit]);
    return `http://${address!.includes(':') ? `[${address}]` : address}:${port}`;
  } finally {
    abortController.abort();
  }
}
