// A temporary MariaDB server, if mariadb-server is installed: a free port, and a temporary folder for data, sockets and
// logs.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysql from 'mysql2';
import { inject } from 'vitest';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { untilFileEnds } from './until-file-ends.ts';

export interface TestMariadb {
  port: number;
  /** Runs statements as the owner, on a connection with default settings. */
  run(...statements: string[]): Promise<unknown[][]>;
  stop(): Promise<void>;
}

export const READER = { user: 'reader', password: 'reads only' };
export const DATABASE = 'shop';

const isInstalled = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
export const MARIADB_MISSING = !(isInstalled('mariadbd') && isInstalled('mariadb-install-db'));
/** Append this to the name of a test that is skipped without a server. */
export const NEEDS_MARIADB = MARIADB_MISSING
  ? ' (SKIPPED: mariadb-server is not installed; apt-get install mariadb-server)'
  : '';

/** Several servers at the same time can exceed the kernel's limit for asynchronous I/O. */
const NO_NATIVE_AIO = '--innodb-use-native-aio=0';
const SMALL_LOG = '--innodb-log-file-size=8M';
const MAX_TRIES = 600; // a minute
const AS_ROOT = process.getuid?.() === 0;
const user = AS_ROOT ? ['--user=mysql'] : [];

/** The files of a fresh server, created once in a run. */
async function installedFiles(): Promise<string> {
  const sharedFolder = join(inject('builtWarehouses'), 'mariadb');
  if (existsSync(sharedFolder)) return sharedFolder;
  const ownFolder = await mkdtemp(join(tmpdir(), 'svc-mariadb-'));
  if (AS_ROOT) execFileSync('chown', ['mysql', ownFolder]);
  const options = ['--auth-root-authentication-method=normal', '--skip-test-db', NO_NATIVE_AIO, SMALL_LOG, ...user];
  execFileSync('mariadb-install-db', [`--datadir=${ownFolder}`, ...options], { stdio: 'ignore' });
  await rename(ownFolder, sharedFolder).catch(() => rm(ownFolder, { recursive: true })); // another worker was faster
  return sharedFolder;
}

export async function startTestMariadb(): Promise<TestMariadb> {
  const homeFolder = await temporaryFolder();
  await chmod(homeFolder, 0o711);
  if (AS_ROOT) execFileSync('chown', ['mysql', homeFolder]);
  const data = join(homeFolder, 'data');
  execFileSync('cp', ['-rp', await installedFiles(), data]);
  const port = await freePort();
  const server = spawn(
    'mariadbd',
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(homeFolder, 's')}`,
      `--pid-file=${join(homeFolder, 'pid')}`,
      '--skip-name-resolve',
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-buffer-pool-size=32M',
      '--performance-schema=OFF',
      NO_NATIVE_AIO,
      SMALL_LOG,
      ...user,
    ],
    { stdio: 'ignore' },
  );
  const exit = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  process.once('exit', () => server.kill('SIGKILL')); // if the set-up of the test file fails, nothing calls `stop`
  const query = (statement: string) =>
    new Promise<unknown[][]>((resolve, reject) => {
      const connection = mysql.createConnection({ socketPath: join(homeFolder, 's'), user: 'root', rowsAsArray: true });
      connection.on('error', reject);
      connection.query(statement, (error, rows) => {
        connection.destroy();
        if (error) reject(error);
        else resolve(rows as unknown as unknown[][]);
      });
    });
  for (let tries = 0; ; tries++) {
    const isUp = await query('select 1').then(
      () => true,
      () => false,
    );
    if (isUp) break;
    if (tries > MAX_TRIES || server.exitCode !== null) throw new Error('mariadbd did not start');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await query(`create database ${DATABASE} character set utf8mb4`);
  await query(`create user '${READER.user}'@'%' identified by '${READER.password}'`);
  await query(`grant select on ${DATABASE}.* to '${READER.user}'@'%'`);
  return {
    port,
    async run(...statements) {
      let rows: unknown[][] = [];
      for (const statement of statements) rows = await query(statement);
      return rows;
    },
    stop: untilFileEnds(() => {
      server.kill('SIGKILL');
      return exit;
    }),
  };
}
