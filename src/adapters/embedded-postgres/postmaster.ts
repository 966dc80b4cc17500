import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isProcessAlive } from '../../platform/is-process-alive.ts';
import { MINIMAL_ENVIRONMENT, type OsUser } from './os-user.ts';

const READY_TIMEOUT_MS = 60_000; // after a crash, recovery replays the changes since the last checkpoint
const STOP_TIMEOUT_MS = 10_000;

export interface Postmaster {
  pid: number;
  port: number;
}
export interface LaunchOptions {
  binFolder: string;
  user: OsUser | null;
  dataDir: string;
  logFile: string;
  settings: string[];
}

const toLockFilePath = (dataDir: string): string => join(dataDir, 'postmaster.pid');

async function readLockFile(dataDir: string): Promise<(Postmaster & { status: string }) | null> {
  const text = await readFile(toLockFilePath(dataDir), 'utf8').catch(() => null);
  if (text === null) return null;
  const lines = text.split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() ?? '' };
}

/** Waits until the running postmaster of this cluster is ready. Returns null if no postmaster is running. */
export async function findPostmaster(dataDir: string): Promise<Postmaster | null> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const lock = await readLockFile(dataDir);
    if (!lock) return null;
    if (!(await isServing(lock.pid, dataDir))) {
      // PostgreSQL removes the lock file of a dead process. If another process now has the same ID, PostgreSQL mistakes
      // that process for a running postmaster.
      if (isProcessAlive(lock.pid)) await rm(toLockFilePath(dataDir), { force: true });
      return null;
    }
    if (lock.status === 'ready') return { pid: lock.pid, port: lock.port };
    await sleep(20); // waits while PostgreSQL starts or stops
  }
  throw new Error(`PostgreSQL in ${dataDir} did not finish starting or stopping in time.`);
}

export async function isServing(pid: number, dataDir: string): Promise<boolean> {
  if (!isProcessAlive(pid)) return false;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
  // Without /proc (macOS), svc assumes that the process is the postmaster. PostgreSQL itself refuses to start twice.
  return command === null ? !existsSync('/proc') : command.split('\0').includes(dataDir);
}

export async function launchPostmaster(launch: LaunchOptions, port?: number): Promise<Postmaster> {
  const listenPort = port ?? (await findFreePort());
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${listenPort}`,
    'unix_socket_directories=',
    'client_connection_check_interval=1s',
    'max_wal_size=256MB',
    ...launch.settings,
  ];
  const log = openSync(launch.logFile, 'a', 0o600);
  // The process is detached so that Ctrl-C stops only svc. svc can then finish running asks before it stops PostgreSQL.
  const child = spawn(
    join(launch.binFolder, 'postgres'),
    ['-D', launch.dataDir, ...settings.flatMap((setting) => ['-c', setting])],
    { ...launch.user, cwd: launch.dataDir, detached: true, stdio: ['ignore', log, log], env: MINIMAL_ENVIRONMENT },
  );
  closeSync(log);
  child.unref();
  let hasExited = false;
  for (const event of ['error', 'exit'])
    child.once(event, () => {
      hasExited = true;
    });
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!hasExited && Date.now() < deadline) {
    const lock = await readLockFile(launch.dataDir);
    if (lock && lock.pid === child.pid && lock.status === 'ready') return { pid: lock.pid, port: listenPort };
    await sleep(10);
  }
  if (!hasExited) child.kill('SIGQUIT');
  const lastLogLines = (await readFile(launch.logFile, 'utf8')).trim().split('\n').slice(-3).join('\n');
  throw new Error(`PostgreSQL did not start. The last lines of its log (${launch.logFile}):\n${lastLogLines}`);
}

/** Requests a fast shutdown, which rolls back open transactions. */
export async function stopPostmaster({ pid }: Postmaster, dataDir: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!(await isServing(pid, dataDir))) return;
    process.kill(pid, signal);
    const deadline = Date.now() + STOP_TIMEOUT_MS;
    while ((await isServing(pid, dataDir)) && Date.now() < deadline) await sleep(10);
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
