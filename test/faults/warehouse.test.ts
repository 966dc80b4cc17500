// F06, F07, F11: the warehouse hangs, disconnects or refuses the login, or the client disconnects during a statement.
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { History } from '../support/history.ts';
import { checkInvariants } from '../support/invariants.ts';
import { lensText } from '../support/lens-text.ts';
import { connect, createDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LENS = lensText(`name: core
title: Core
description: Items of a warehouse behind a network.
connection: core
datasets:
  items: public.items (id integer key, kind string, note string) {description: One row per item.}
  slow: public.slow (id integer key, waited string) {description: One row per item, slowly.}
metrics:
  items: {expression: count(items.id), description: Items.}
  waits: {expression: count(slow.waited), description: Slow items.}
`);
const CERTIFIED = `- id: items-by-kind
  question: How many items of each kind?
  sql: select kind, count(*) as items from public.items group by kind
  approved_by: ops@example.com
  approved_at: 2026-01-31
`;
const LOCAL = lensText(`name: local
title: Local
description: Another warehouse.
connection: local
datasets:
  stock: main.stock (id integer key) {description: One row per article.}
metrics:
  articles: {expression: count(stock.id), description: Articles.}
`);
const RUN = '/v1/lenses/core/certified/items-by-kind/run';
const LISTING = { metrics: [], dimensions: ['items.id', 'items.kind', 'items.note'] };
const LOCAL_ASK = { metrics: ['articles'] };
const url = await createDatabase();
const warehouse = await connect(url);
await warehouse.query(`
    create table items as select n as id, 'kind ' || n % 3 as kind, repeat('x', 200) as note from generate_series(1, 4000) n;
    create view slow as select id, pg_sleep(0.05)::text as waited from items;
    drop role if exists fault_reader;
    create role fault_reader login password 'reader';
    grant select on items, slow to fault_reader`);
const at = new URL(url);
const proxy = await startFaultProxy({ host: at.hostname, port: Number(at.port) });
const project = await temporaryFolder();
await writeFile(join(project, 'stock.csv'), 'id\n1\n2\n');
const svc = await startTestApp({
  project,
  files: {
    'svc.config.yaml': `connections:
  core: {kind: postgres, host: 127.0.0.1, port: ${proxy.port}, database: ${at.pathname.slice(1)}, user: fault_reader, password: reader, ssl: false}
  local: {kind: duckdb, files: {stock: {path: ./stock.csv}}}
`,
    'lenses/core/lens.yaml': LENS,
    'lenses/core/certified/core.yaml': CERTIFIED,
    'lenses/local/lens.yaml': LOCAL,
  },
  operator: {
    limits: {
      requests_per_minute: 6_000,
      asks_in_flight: 32,
      warehouse_timeout_ms: 4_000,
      max_result_bytes: 16_777_216,
    },
  },
});
afterAll(() => warehouse.query('drop owned by fault_reader; drop role fault_reader'));
beforeEach(() => proxy.set({ kind: 'pass' }));

const countRunningStatements = async (): Promise<number> => {
  const { rows } = await warehouse.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where usename = 'fault_reader' and state = 'active'`,
  );
  return rows[0]!.n;
};

async function expectNoneRunning(withinMs: number): Promise<void> {
  const until = Date.now() + withinMs;
  while ((await countRunningStatements()) > 0 && Date.now() < until) await sleep(50);
  expect(await countRunningStatements()).toBe(0);
}

async function measureTime<T>(work: Promise<T>): Promise<[T, number]> {
  const startedAt = performance.now();
  return [await work, performance.now() - startedAt];
}

/** svc works again at once, and all receipts still verify. */
async function expectRecovery(history: History): Promise<void> {
  const reply = await svc.post(RUN, {});
  history.add(svc.orgId, svc.callerKey, reply);
  expect(reply.body, reply.text).toMatchObject({ status: 'answered', certification: 'certified', row_count: 3 });
  await checkInvariants(svc, history);
}

describe('a warehouse with extreme values', () => {
  const select = (columns: string, from = 'public.items') =>
    svc.post('/v1/sql', { lens: 'core', sql: `select ${columns} from ${from}` });

  it('returns numbers beyond a double as text', async () => {
    const { body } = await select('max(1e309::numeric) as big, max(1e-400::numeric) as small');
    expect([body.data[0].big, Number(body.data[0].small), body.warnings]).toEqual([`1${'0'.repeat(309)}`, 0, []]);
    expect(body.data[0].small).toMatch(/^0\.0+1$/);
  });

  it('says that it cut a row beyond the byte limit, not that there is no row', async () => {
    const { status, body } = await select(
      "string_agg(a.note, '') as notes",
      'public.items a, public.items b where b.id < 30',
    );
    expect([status, body.data, body.empty, body.truncated]).toEqual([200, [], null, { returned: 0, total: null }]);
    expect(body.checks).toContainEqual(expect.objectContaining({ name: 'rows_complete', outcome: 'fail' }));
  });
});

describe('a warehouse that fails', () => {
  it('F06: ends sessions as soon as they are ready: svc answers 503 and keeps running', async () => {
    const history = new History();
    proxy.set({ kind: 'refuse' }); // ends the open sessions
    await svc.post(RUN, {});
    proxy.set({ kind: 'terminate' });
    const reply = await svc.post(RUN, {});
    expect([reply.status, reply.body.error.code], reply.text).toEqual([503, 'unreachable']);
    proxy.set({ kind: 'pass' });
    await expectRecovery(history);
  });

  it('F06: hangs: svc answers 503 or 504 in time, not certified_failed, while other connections answer', async () => {
    const history = new History();
    await expectRecovery(history);
    proxy.set({ kind: 'hang' });
    const [[hung, waitedMs], [otherReply]] = await Promise.all([
      measureTime(svc.post(RUN, {})),
      measureTime(svc.post('/v1/lenses/local/metrics', LOCAL_ASK)),
    ]);
    expect(waitedMs, 'milliseconds until the hung ask was given up').toBeLessThan(20_000);
    expect([503, 504]).toContain(hung.status);
    expect(hung.body).toMatchObject({
      status: 'failed',
      certification: 'none',
      receipt: null,
      data: null,
      request_id: hung.headers['x-request-id'],
    });
    expect(otherReply.body).toMatchObject({ status: 'answered', data: [{ articles: 2 }] });
    proxy.set({ kind: 'pass' });
    await expectRecovery(history);
    await expectNoneRunning(2_500);
  });

  it('F06: is slow: svc cancels the statement at the server and answers 504', async () => {
    const slowReply = await svc.post('/v1/lenses/core/metrics', { metrics: ['waits'] });
    expect(slowReply.status, slowReply.text).toBe(504);
    expect(slowReply.body).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
    await expectNoneRunning(2_500);
    await expectRecovery(new History());
  });

  it('F8: can’t stop a statement: its admins, /ready and /metrics count it until it ends', async () => {
    const { items } = (await svc.admin('GET', '/connections')).body;
    const { id } = items.find(({ name }: { name: string }) => name === 'core');
    const otherTenant = await svc.addTenant('elsewhere');
    const [theirs] = (await svc.get('/mgmt/connections', otherTenant.adminToken)).body.items;
    const stuckCounts = async () => [
      (await svc.get('/ready', null)).body.info.stuck_statements,
      (await svc.admin('GET', `/connections/${id}`)).body.stuck_statements,
      Number(/^svc_warehouse_stuck_statements (\d+)/m.exec((await svc.get('/metrics', svc.adminToken)).text)?.[1]),
      (await svc.get(`/mgmt/connections/${theirs.id}`, otherTenant.adminToken)).body.stuck_statements,
    ];
    expect(await stuckCounts()).toEqual([0, 0, 0, 0]);
    const pendingAsk = svc.post('/v1/lenses/core/metrics', { metrics: ['waits'] });
    let pid: number | undefined;
    while (!pid)
      pid = (
        await warehouse.query(`select pid from pg_stat_activity where usename = 'fault_reader' and state = 'active'`)
      ).rows[0]?.pid;
    // A stopped backend ignores cancellation, like one that is planning.
    process.kill(pid, 'SIGSTOP');
    try {
      expect((await pendingAsk).status).toBe(504);
      await expect.poll(stuckCounts, { timeout: 10_000 }).toEqual([1, 1, 1, 0]);
      expect((await svc.post(RUN, {})).body.status).toBe('answered');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await expect.poll(stuckCounts, { timeout: 10_000 }).toEqual([0, 0, 0, 0]);
    await expectNoneRunning(2_500);
    await expectRecovery(new History());
  });

  it('F06: disconnects in the middle of a result, and svc shows none of it', async () => {
    const history = new History();
    await expectRecovery(history);
    proxy.set({ kind: 'cut', bytes: 100_000 });
    const brokenReply = await svc.post('/v1/lenses/core/metrics', LISTING);
    expect([502, 503]).toContain(brokenReply.status);
    expect(brokenReply.body).toMatchObject({ status: 'failed', data: null, receipt: null, certification: 'none' });
    proxy.set({ kind: 'pass' });
    await expectRecovery(history);
  });

  it('F07: refuses the login or is unreachable: svc answers 503 without the address or login', async () => {
    const history = new History();
    await warehouse.query(`alter role fault_reader nologin`);
    await warehouse.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'fault_reader'`);
    await sleep(100);
    const refusal = await svc.post(RUN, {});
    await warehouse.query(`alter role fault_reader login`);
    proxy.set({ kind: 'refuse' });
    const gone = await svc.post(RUN, {});
    for (const reply of [refusal, gone]) {
      expect(reply.status, reply.text).toBe(503);
      expect(reply.headers['retry-after']).toBeDefined();
      expect(reply.body).toMatchObject({
        status: 'failed',
        certification: 'none',
        error: { code: 'unreachable' },
      });
      expect(reply.text).not.toMatch(/127\.0\.0\.1|fault_reader|ECONN/);
    }
    proxy.set({ kind: 'pass' });
    await expectRecovery(history);
  });

  it('has lost its file: svc answers 503 without the path, until the file is back', async () => {
    const file = join(project, 'stock.csv');
    await rename(file, `${file}.away`);
    for (const [path, body] of [
      ['/v1/lenses/local/metrics', LOCAL_ASK],
      ['/v1/lenses/local/query', { q: 'articles' }],
      ['/v1/sql', { lens: 'local', sql: 'select id from main.stock' }],
    ] as const)
      await vi.waitFor(
        async () => {
          const reply = await svc.post(path, body);
          expect([path, reply.status, reply.body.error?.code]).toEqual([path, 503, 'unreachable']);
          expect(reply.text).not.toContain('stock.csv');
        },
        { timeout: 20_000, interval: 500 },
      );
    await rename(`${file}.away`, file);
    expect((await svc.post('/v1/lenses/local/metrics', LOCAL_ASK)).body).toMatchObject({ data: [{ articles: 2 }] });
  });

  it('F11: has a client that disconnects: svc cancels the statement, frees its slot and traces it', async () => {
    const history = new History();
    await expectRecovery(history);
    const address = svc.app.server.listening ? '' : await svc.listen();
    const leave = new AbortController();
    const pendingAsks = Array.from({ length: 8 }, () =>
      fetch(`${address}/v1/lenses/core/metrics`, {
        method: 'POST',
        headers: { authorization: `Bearer ${svc.callerKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ metrics: ['waits'] }),
        signal: leave.signal,
      }).catch(() => undefined),
    );
    let running = 0;
    while (running === 0) running = await countRunningStatements();
    leave.abort();
    await Promise.all(pendingAsks);
    await expectNoneRunning(2_500); // well before the timeout of the statement
    await expectRecovery(history);
    const findCancelled = () => svc.sql(`select from svc.traces where outcome = 'cancelled'`);
    await vi.waitFor(async () => expect((await findCancelled()).length).toBeGreaterThanOrEqual(running), {
      timeout: 10_000,
      interval: 100,
    });
  });
});
