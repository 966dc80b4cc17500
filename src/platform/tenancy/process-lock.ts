// Allows one process per installation. The database releases a session lock even after kill -9.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const LOCK_TIMEOUT_MS = 2_000; // the database may need a moment to detect that a process was killed
const RETRY_MS = 250;

export interface ProcessLock {
  release(): Promise<void>;
}

/** Returns null if another running process holds the lock. */
export async function takeProcessLock(url: string, key: number): Promise<ProcessLock | null> {
  let isReleased = false;
  let lockClient: pg.Client | null = null;
  const tryLock = async (): Promise<boolean> => {
    const client = new pg.Client({ connectionString: url, application_name: 'svc process lock', keepAlive: true });
    client.on('error', () => undefined);
    client.once('end', () => {
      if (client === lockClient && !isReleased) void reacquire();
    });
    await client.connect();
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [key]);
    if (rows[0]?.free && !isReleased) lockClient = client;
    else await client.end();
    return lockClient === client;
  };
  const reacquire = async () => {
    while (!isReleased && !(await tryLock().catch(() => false))) await sleep(RETRY_MS, undefined, { ref: false });
  };
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
  while (!(await tryLock())) {
    if (Date.now() > deadline) return null;
    await sleep(RETRY_MS);
  }
  return {
    async release() {
      isReleased = true;
      await lockClient?.end().catch(() => undefined);
    },
  };
}
