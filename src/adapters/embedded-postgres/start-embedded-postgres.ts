// The control database of `npm start`: a real PostgreSQL of our own. A postmaster that a killed svc left behind is
// taken over; a stale lock file is cleared. It stops when we stop.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Binaries, prepareBinaries } from './binaries.ts';
import { clusterFolder, giveTo, type OsUser, unprivilegedUser } from './os-user.ts';

const OWNER = 'svc_owner';
const DATABASE = 'svc';
const READY_MS = 15_000;

export interface EmbeddedPostgres {
  /** Owner URL of the control database; a superuser, for migrations only. */
  url: string;
  dataDir: string;
  /** It was already running: another svc's, or left behind by a killed one. */
  reused: boolean;
  stop(): Promise<void>;
}

export async function startEmbeddedPostgres(options: { home: string; settings?: string[] }): Promise<EmbeddedPostgres> {
  await mkdir(options.home, { recursive: true, mode: 0o700 });
  const user = await unprivilegedUser();
  const binaries = await prepareBinaries({ asRoot: user !== null, home: options.home });
  const folder = await clusterFolder(options.home, user);
  const dataDir = join(folder, 'data');
  const password = await ownerPassword(options.home);
  if (!existsSync(join(dataDir, 'PG_VERSION'))) await initialise(binaries, user, folder, dataDir, password);
  const running = await livePostmaster(dataDir);
  const { pid, port } = running ?? (await launch(binaries, user, dataDir, options));
  const url = (database: string) => `postgres://${OWNER}:${password}@127.0.0.1:${port}/${database}`;
  await makeDatabase(url('postgres'));
  return { url: url(DATABASE), dataDir, reused: running !== null, stop: () => stopPostmaster(pid) };
}

async function ownerPassword(home: string): Promise<string> {
  const path = join(home, 'postgres-password');
  await writeFile(path, randomBytes(24).toString('hex'), { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return (await readFile(path, 'utf8')).trim();
}

// Built beside and renamed into place, so that a kill at any moment leaves no half cluster.
async function initialise(
  binaries: Binaries,
  user: OsUser | null,
  folder: string,
  dataDir: string,
  password: string,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const making = await mkdtemp(join(folder, 'making-'));
  await giveTo(making, user);
  const passwordFile = join(making, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  await giveTo(passwordFile, user);
  const made = join(making, 'data');
  const args = [
    '-D',
    made,
    '-U',
    OWNER,
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
  ];
  const child = spawn(binaries.initdb, args, {
    ...user,
    cwd: making,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, LC_ALL: 'C' },
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) {
    await rm(making, { recursive: true, force: true });
    throw new Error(`PostgreSQL could not make its cluster in ${folder}: ${complaint.trim()}`);
  }
  await rename(made, dataDir).catch((error: NodeJS.ErrnoException) => {
    if (!existsSync(join(dataDir, 'PG_VERSION'))) throw error; // another start was quicker
  });
  await rm(making, { recursive: true, force: true });
}

/** The postmaster that already serves this cluster, if it lives; otherwise its lock file is stale and goes. */
async function livePostmaster(dataDir: string): Promise<{ pid: number; port: number } | null> {
  const lock = join(dataDir, 'postmaster.pid');
  const text = await readFile(lock, 'utf8').catch(() => null);
  if (text === null) return null;
  const lines = text.split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (pid > 0 && isAlive(pid) && (await servesCluster(pid, dataDir))) return port > 0 ? { pid, port } : null;
  await rm(lock, { force: true });
  return null;
}

async function servesCluster(pid: number, dataDir: string): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
  // Without /proc (macOS) the live pid has to be believed; PostgreSQL itself then refuses to start twice.
  return command === null ? !existsSync('/proc') : command.includes(dataDir);
}

async function launch(
  binaries: Binaries,
  user: OsUser | null,
  dataDir: string,
  options: { home: string; settings?: string[] },
): Promise<{ pid: number; port: number }> {
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'client_connection_check_interval=1s',
    'max_connections=100',
    ...(options.settings ?? []),
  ];
  const log = openSync(join(options.home, 'postgres.log'), 'a', 0o600);
  // Detached: Ctrl-C reaches svc alone, which first lets asks in flight finish.
  const child = spawn(binaries.postgres, ['-D', dataDir, ...settings.flatMap((setting) => ['-c', setting])], {
    ...user,
    cwd: dirname(dataDir),
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...process.env, LC_ALL: 'C' },
  });
  closeSync(log);
  child.unref();
  let exited = false;
  child.once('error', () => {
    exited = true;
  });
  child.once('exit', () => {
    exited = true;
  });
  const deadline = Date.now() + READY_MS;
  while (!exited && Date.now() < deadline) {
    const lines = (await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
    if (lines[7]?.trim() === 'ready' && Number(lines[0]) === child.pid) return { pid: child.pid!, port };
    await sleep(10);
  }
  throw new Error(`PostgreSQL did not start; its log is ${join(options.home, 'postgres.log')}.`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function makeDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: READY_MS });
  await client.connect();
  try {
    await client.query(`create database ${DATABASE}`).catch((error: { code?: string }) => {
      if (error.code !== '42P04' && error.code !== '23505') throw error;
    });
  } finally {
    await client.end();
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Fast shutdown: open transactions roll back, committed ones are safe. */
async function stopPostmaster(pid: number): Promise<void> {
  try {
    process.kill(pid, 'SIGINT');
  } catch {
    return;
  }
  const deadline = Date.now() + READY_MS;
  while (isAlive(pid) && Date.now() < deadline) await sleep(10);
}
