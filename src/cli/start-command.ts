import cluster from 'node:cluster';
import { isStartedByNpm, readConfig } from '../config.ts';
import { startService } from '../main.ts';

const ORPHAN_CHECK_MS = 250;

export async function runStartCommand(): Promise<void> {
  const startPromise = startService(readConfig(undefined, true));
  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    await (await startPromise).stop();
    process.exit(0);
  };
  process.on('SIGINT', () => void stop());
  process.on('SIGTERM', () => void stop());
  const parentPid = process.ppid;
  if (isStartedByNpm()) setInterval(() => process.ppid !== parentPid && void stop(), ORPHAN_CHECK_MS).unref();
  try {
    await startPromise;
  } catch (fault) {
    cluster.worker?.disconnect(); // an open connection to the primary process would keep this process running
    throw fault;
  }
}
