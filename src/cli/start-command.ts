// svc start: runs the server until a signal stops it.
import cluster from 'node:cluster';
import { readConfig, startedByNpm } from '../config.ts';
import { start } from '../main.ts';

const ORPHAN_MS = 250;

export async function startCommand(): Promise<void> {
  const starting = start(readConfig(undefined, true));
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await (await starting).stop();
    process.exit(0);
  };
  process.on('SIGINT', () => void stop());
  process.on('SIGTERM', () => void stop());
  const parent = process.ppid;
  if (startedByNpm()) setInterval(() => process.ppid !== parent && void stop(), ORPHAN_MS).unref();
  try {
    await starting;
  } catch (fault) {
    cluster.worker?.disconnect(); // an open connection to the primary process keeps this process running
    throw fault;
  }
}
