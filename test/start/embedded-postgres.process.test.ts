// Special cases of the embedded PostgreSQL: root, homes without access for others, a killed parent, and a stale lock
// file.
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/adapters/embedded-postgres/start-embedded-postgres.ts';
import { connect } from '../support/postgres.ts';

const run = promisify(execFile);
const homes: string[] = [];
const startedServers: EmbeddedPostgres[] = [];
const createHome = async (): Promise<string> => {
  const homeFolder = await mkdtemp(join('/var/tmp', 'svc-home-'));
  homes.push(homeFolder);
  return homeFolder;
};
const start = async (at: string): Promise<EmbeddedPostgres> => {
  const postgres = await startEmbeddedPostgres({ home: at });
  startedServers.push(postgres);
  return postgres;
};
async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = await connect(url);
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

afterEach(async () => {
  // Two servers may share a folder, so both stop before it is removed.
  const all = startedServers.splice(0);
  for (const postgres of all) await postgres.stop();
  for (const { dataDir } of all) await rm(dirname(dataDir), { recursive: true, force: true });
  for (const homeFolder of homes.splice(0)) await rm(homeFolder, { recursive: true, force: true });
});

describe('the embedded PostgreSQL', { timeout: 120_000 }, () => {
  it('works in an SVC_HOME that only its owner can enter, and records the data folder there', async () => {
    const at = join(await createHome(), 'closed');
    await mkdir(at, { mode: 0o700 });
    await chmod(at, 0o700);
    const postgres = await start(at);
    expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    const { data_dir } = JSON.parse(await readFile(join(at, 'postgres.json'), 'utf8')) as { data_dir: string };
    expect(resolve(at, data_dir)).toBe(postgres.dataDir);
    expect(postgres.dataDir.startsWith(at)).toBe(process.getuid?.() !== 0);
  });

  it('runs in SVC_HOME, hides secrets from its process, and survives stops, kills and lock files', async () => {
    const at = await createHome();
    await chmod(at, 0o711);
    process.env['SVC_SECRET_KEY_CANARY'] = 'canary';
    const first = await start(at);
    delete process.env['SVC_SECRET_KEY_CANARY'];
    expect(first.dataDir.startsWith(`${at}/`)).toBe(true);
    expect((await stat(join(at, 'postgres.json'))).mode & 0o077).toBe(0);
    expect((await stat(first.dataDir)).mode & 0o077).toBe(0);
    const lock = join(first.dataDir, 'postmaster.pid');
    const pidOf = async () => Number((await readFile(lock, 'utf8')).split('\n')[0]);
    expect(await readFile(`/proc/${await pidOf()}/environ`, 'utf8').catch(() => '')).not.toContain('canary');
    await query(first.url, 'create table kept as select 42 as answer');

    const second = await start(at);
    expect([second.wasRunning, second.url]).toEqual([true, first.url]);

    const restarted = new Promise<void>((resolve) => first.keepAlive(resolve));
    process.kill(await pidOf(), 'SIGKILL');
    await restarted;
    expect(await query(first.url, 'select answer from kept')).toEqual([{ answer: 42 }]);

    await first.stop();
    const third = await start(at);
    expect(await query(third.url, 'select answer from kept')).toEqual([{ answer: 42 }]);

    await third.stop();
    await writeFile(lock, `${process.pid}\n${first.dataDir}\n0\n1\n\n\n0\nready\n`);
    const fourth = await start(at);
    expect([fourth.wasRunning, await query(fourth.url, 'select answer from kept')]).toEqual([false, [{ answer: 42 }]]);
  });

  it('starts with a new data folder in an SVC_HOME that was removed and created again', async () => {
    const at = join(await createHome(), 'again');
    const first = await start(at);
    await first.stop();
    await rm(at, { recursive: true });
    const second = await start(at);
    expect(second.dataDir).not.toBe(first.dataDir);
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('reports missing data of an SVC_HOME, and creates no empty database in its place', async () => {
    const at = await createHome();
    const first = await start(at);
    await first.stop();
    await rm(first.dataDir, { recursive: true });
    await expect(start(at)).rejects.toThrow('is missing');
  });

  it('gives two simultaneous first starts the same cluster', async () => {
    const at = await createHome();
    const [first, second] = await Promise.all([start(at), start(at)]);
    expect(first.dataDir).toBe(second.dataDir);
    expect(first.url).toBe(second.url);
  });

  it.runIf(process.getuid?.() === 0)('runs as an unprivileged user too', async () => {
    const at = await createHome();
    await chmod(at, 0o777);
    const script = `import('${new URL('../../src/adapters/embedded-postgres/start-embedded-postgres.ts', import.meta.url).href}').then(async ({ startEmbeddedPostgres }) => {
      const postgres = await startEmbeddedPostgres({ home: process.argv[1] }); await postgres.stop(); console.log('stopped', process.getuid()); })`;
    const { stdout } = await run(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script, join(at, 'inner')],
      { uid: 65534, gid: 65534, env: { ...process.env, HOME: at } },
    );
    expect(stdout).toContain('stopped 65534');
  });
});
