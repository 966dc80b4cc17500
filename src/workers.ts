// The primary process of SVC_WORKERS. It starts workers that share one port, replaces a worker that ends, and stops all
// workers. Workers are replicas on one machine and share only the control database.
import cluster, { type Address, type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ConfigFault } from './config.ts';
import { answerForWorkers } from './domain/observe/metrics-of-workers.ts';

/**
 * If a worker ends sooner than this, svc waits before replacing it, so that a lasting fault doesn't occupy the machine.
 */
const SOON_MS = 10_000;
const PAUSE_MS = 1_000;

/** Resolves when every worker listens. */
export async function startWorkers(count: number, log: Logger): Promise<{ baseUrl: string; stop(): Promise<void> }> {
  let stopping = false;
  const start = (upkeep: boolean): Worker => {
    const since = performance.now();
    const worker = cluster.fork({ SVC_UPKEEP: upkeep ? 'on' : 'off' });
    worker.once('exit', async (code: number, signal: string | null) => {
      if (stopping) return;
      log.error({ worker: worker.process.pid, code, signal }, 'a worker ended unexpectedly; svc starts another one');
      if (performance.now() - since < SOON_MS) await sleep(PAUSE_MS);
      if (!stopping) start(upkeep);
    });
    return worker;
  };
  const stop = async () => {
    stopping = true;
    const workers = Object.values(cluster.workers ?? {}) as Worker[];
    await Promise.all(
      workers.map(async (worker) => {
        const ended = once(worker, 'exit');
        worker.process.kill('SIGTERM');
        await ended;
      }),
    );
    log.info('all workers stopped');
  };

  answerForWorkers();
  try {
    // A configuration fault ends every worker, so wait for the first worker before starting the others.
    const first = start(true);
    const baseUrl = await listens(first);
    await Promise.all(Array.from({ length: count - 1 }, () => listens(start(false))));
    log.info({ workers: count }, 'all workers listen');
    return { baseUrl, stop };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

async function listens(worker: Worker): Promise<string> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(worker, 'exit', { signal }).then(([code]: number[]) => {
    throw new ConfigFault('A worker could not start. Its own message says why.', { exitCode: code === 2 ? 2 : 1 });
  });
  ended.catch(() => undefined);
  try {
    const listening = once(worker, 'listening', { signal }) as Promise<[Address]>;
    const [{ address, port }] = await Promise.race([listening, ended]);
    return `http://${address!.includes(':') ? `[${address}]` : address}:${port}`;
  } finally {
    over.abort();
  }
}
