import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { makeLedger } from '../support/ledger.ts';
import { svcSays } from '../support/own-process.ts';
import { createDatabase } from '../support/postgres.ts';
import { deploy, type Replica } from '../support/replicas.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LIMIT = 100;
const CLIENTS = 8;

vi.setConfig({ testTimeout: 90_000 });
const ledger = await makeLedger(await createDatabase());
const project = await temporaryFolder();
await writeFile(join(project, 'svc.config.yaml'), `limits: {requests_per_minute: ${LIMIT}}\n`);
const env = { SVC_PROJECT: project };
const deployment = await deploy(await createDatabase(), ledger.files, { lenses: ['ledger'], env });
const server: Replica = await deployment.start({ SVC_WORKERS: '2' });

const ask = (key: string) =>
  fetch(`${server.url}/v1/lenses/ledger/metrics`, {
    method: 'POST',
    // Closes the connection, because an open one stays with its worker.
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      connection: 'close',
    },
    body: JSON.stringify({ metrics: ['revenue'], dimensions: ['lines.region'] }),
  });

async function createKey(): Promise<string> {
  const keyOutput = await deployment.command(['key', 'create', '--caller', 'load', '--lens', 'ledger', '--json']);
  return (JSON.parse(keyOutput) as { key: string }).key;
}

const workersOf = ({ child }: Replica): number[] =>
  readdirSync(`/proc/${child.pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${child.pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
async function waitUntil(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 20_000; !(await holds()); await sleep(50))
    if (Date.now() > end) throw new Error(`${holds} did not become true:\n${server.output()}`);
}

/** The sum of a metric over its samples. */
async function fetchMetric(name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`, { headers: { connection: 'close' } })).text();
  const samples = text.split('\n').filter((line) => line.startsWith(`${name}{`));
  return samples.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

it('answers from every worker, and each of them returns the metrics of all', async () => {
  expect(workersOf(server)).toHaveLength(2);
  const before = await fetchMetric('svc_asks_total');
  const key = await createKey();
  const replies = await Promise.all(Array.from({ length: CLIENTS }, () => ask(key)));
  expect(replies.map(({ status }) => status)).toEqual(Array(CLIENTS).fill(200));
  const seenKeys = new Set<number>();
  for (let turn = 0; turn < 4; turn++) seenKeys.add((await fetchMetric('svc_asks_total')) - before);
  expect([...seenKeys]).toEqual([CLIENTS]);
});

it('replaces a killed worker', async () => {
  const [killedWorker, keptWorker] = workersOf(server);
  process.kill(killedWorker!, 'SIGKILL');
  await waitUntil(() => workersOf(server).length === 2 && !workersOf(server).includes(killedWorker!));
  expect(workersOf(server)).toContain(keptWorker);
  await waitUntil(() => /"worker":\d+.*a worker ended unexpectedly/.test(server.output()));
  expect((await ask(await createKey())).status).toBe(200);
});

it('counts the requests of a key across workers', async () => {
  const key = await createKey();
  const msLeft = 60_000 - (Date.now() % 60_000);
  if (msLeft < 20_000) await sleep(msLeft); // within one minute
  const statuses: number[] = [];
  for (let turn = 0; turn < LIMIT * 2; turn += CLIENTS) {
    const replies = await Promise.all(Array.from({ length: CLIENTS }, () => ask(key)));
    statuses.push(...replies.map(({ status }) => status));
  }
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  const allowed = statuses.filter((status) => status === 200).length;
  // Each worker can exceed the limit by the 4 % that it reserves.
  expect(allowed).toBeGreaterThanOrEqual(LIMIT * 0.9);
  expect(allowed).toBeLessThanOrEqual(LIMIT * 1.08);
});

it('stops its workers on SIGTERM and on SIGKILL', async () => {
  const workers = workersOf(server);
  expect(await server.end('SIGTERM')).toBe(0);
  expect(workers.filter(isRunning)).toEqual([]);
  const killed = await deployment.start({ SVC_WORKERS: '2' });
  await waitUntil(() => workersOf(killed).length === 2);
  const orphans = workersOf(killed);
  await killed.end('SIGKILL');
  await waitUntil(() => !orphans.some(isRunning));
});

it('refuses several workers on the embedded database', async () => {
  const { code, said } = await svcSays(['start'], { SVC_WORKERS: '2', SVC_HOME: join(project, 'home') });
  expect([code, said]).toEqual([2, expect.stringMatching(/^SVC_WORKERS: the embedded database.*Set DATABASE_URL/)]);
});

it.each([['migrate'], ['bootstrap', '--org', 'acme']])(
  'says that it can’t connect to the control database: %s',
  async (...command) => {
    const { code, said } = await svcSays(command, { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    expect([code, said]).toEqual([1, expect.stringMatching(/^Can't connect to the control database: .*ECONNREFUSED/)]);
  },
);

it('exits with 1 if no worker can start', async () => {
  const { code, said } = await svcSays(['start'], {
    ...deployment.env,
    SVC_WORKERS: '2',
    SVC_HOME: join(project, 'home'),
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  });
  expect(code).toBe(1);
  expect(said).toMatch(/Can't connect to the control database/);
});
