// Allows only one process to build a file. If the process that the lock file names no longer exists, another process
// takes the lock.
import { open, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isProcessAlive } from '../../../platform/is-process-alive.ts';
import { Problem } from '../../../platform/problem.ts';

const ABANDONED_AFTER_MS = 10 * 60_000;
const MAX_WAIT_MS = 120_000;

export async function withBuildLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + MAX_WAIT_MS;
  while (!(await tryTakeLock(path))) {
    if (await isAbandoned(path)) await rm(path, { force: true });
    else if (Date.now() > deadline)
      throw new Problem('unreachable', 'Another svc process is still building this warehouse. Try again shortly.', {
        retryAfter: 5,
      });
    else await sleep(50);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function tryTakeLock(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
    const age = Date.now() - mtimeMs;
    // The lock file can be empty for a moment, because a process first creates the file and then writes the process ID.
    return age > ABANDONED_AFTER_MS || (text === '' ? age > 5_000 : !isProcessAlive(Number(text)));
  } catch {
    return false;
  }
}
