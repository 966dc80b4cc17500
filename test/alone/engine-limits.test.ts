// Limits on the work of an engine, on its parser and on building warehouses from files. One request never blocks the
// others.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startTestApp, type TestTenant } from '../support/app.ts';
import { fillOrders, lensOn } from '../support/engine-stage.ts';
import { connectionTo, createDatabase } from '../support/postgres.ts';

const TIMEOUT_MS = 3_000;
const url = await createDatabase();
await fillOrders(url);
const svc = await startTestApp({
  files: {
    'svc.config.yaml': `connections:\n  duck: {kind: duckdb, files: {orders: {path: ./data/orders.csv}}}\n  pg: ${JSON.stringify(connectionTo(url))}\n`,
    'lenses/duck/lens.yaml': lensOn('duck', 'main.orders'),
    'lenses/pg/lens.yaml': lensOn('pg', 'public.orders'),
  },
  operator: {
    limits: {
      requests_per_minute: 100_000,
      asks_in_flight: 32,
      warehouse_timeout_ms: TIMEOUT_MS,
      max_result_bytes: 16_777_216,
      build_timeout_ms: 8_000,
      max_built_bytes: 4_194_304,
    },
  },
});
const otherTenant: TestTenant = await svc.addTenant('other');

const postSql = (lens: string, text: string, key?: string) => svc.post('/v1/sql', { sql: text, lens, limit: 500 }, key);
const expectAnswer = async (lens = 'duck') => {
  const reply = await postSql(lens, 'select count(*) as n from orders', otherTenant.callerKey);
  expect(reply.body, reply.text).toMatchObject({ status: 'answered', data: [{ n: 8 }] });
};
const nest = (depth: number, open: (level: number) => string, inner: string, close = ')') =>
  `${Array.from({ length: depth }, (_, level) => open(level)).join('')}${inner}${close.repeat(depth)}`;

describe('parsing a statement', () => {
  it.each([
    ['9.6: a run of signs in DuckDB', 'duck', `select 1 ${'+-'.repeat(2_500)}1`, 'operator symbols in a row'],
    ['9.6: the same on Postgres', 'pg', `select 1 ${'+-'.repeat(2_500)}1`, 'operator symbols in a row'],
    ['9.8: comments that open and open', 'pg', '/*'.repeat(49_990), 'A comment is nested'],
    [
      '9.8: comments that open and close',
      'pg',
      `select 1 ${'/*'.repeat(9_000)}${'*/'.repeat(9_000)}`,
      'A comment is nested',
    ],
    ['9.8: comments in a row', 'duck', `select 1 ${'/**/'.repeat(9_000)}`, 'comments; the limit is 200'],
    ['9.8: a comment that does not close', 'pg', 'select 1 /* and', 'A comment is not closed'],
  ])(
    'refuses an expensive statement with the reason, and keeps answering other requests: %s',
    async (_name, lens, text, said) => {
      const attack = postSql(lens, text);
      await expectAnswer('duck');
      const reply = await attack;
      expect([reply.status, reply.body.error?.code]).toEqual([422, 'guard_refused']);
      expect(reply.body.error.message).toContain(said);
    },
  );

  it('accepts a long statement that is cheap to parse', async () => {
    const statement = `select count(*) as n from orders where row_id in (${Array.from({ length: 9_000 }, (_, n) => n).join(',')})`;
    for (const lens of ['duck', 'pg'])
      expect((await postSql(lens, statement)).body).toMatchObject({ data: [{ n: 8 }] });
  });
});

describe('a statement that DuckDB is slow to interrupt', () => {
  const GRIPS: [string, string][] = [
    ['nested lambdas', `select ${nest(28, (n) => `list_transform([1], x${n} -> `, '1')}`],
    ['nested subqueries', `select ${nest(40, () => '(select ', '1')}`],
    ['a pattern', `select count(*) as n from orders where '${'a'.repeat(150)}' like '${'%a_'.repeat(6)}%b'`],
    [
      'aliases of aliases',
      `select row_id as a0${Array.from({ length: 30 }, (_, n) => `, a${n} + a${n} as a${n + 1}`).join('')} from orders`,
    ],
    [
      'lambdas over long lists',
      `select ${nest(3, (n) => `list_sum(list_transform(range(10000), x${n} -> `, '1', '))')} from orders`,
    ],
    [
      'a distance of long texts',
      "select levenshtein(s, s || 'x') from (select string_agg(repeat(region, 900), repeat('b', 900)) as s from orders a, orders b, orders c, orders d) t",
    ],
  ];
  it.each(GRIPS)('ends in time, even four times at once, while other requests get answers: %s', async (_name, text) => {
    const startedAt = performance.now();
    const attacks = Promise.all(Array.from({ length: 4 }, () => postSql('duck', text)));
    for (let turn = 0; turn < 5; turn++) await expectAnswer();
    for (const { status, body } of await attacks) {
      expect([200, 422, 429, 504], JSON.stringify(body.error)).toContain(status);
    }
    expect(performance.now() - startedAt).toBeLessThan(40_000);
    expect((await postSql('duck', 'select count(*) as n from orders')).body).toMatchObject({ data: [{ n: 8 }] });
    // A small expression of the same kind still works.
    const smallReply = await postSql(
      'duck',
      'select list_sum(list_transform([1, 2], x -> x * 2)) as n from orders limit 1',
    );
    expect(smallReply.body, smallReply.text).toMatchObject({ data: [{ n: 6 }] });
  });

  it('leaves nothing running when the client disconnects', async () => {
    const gone = new AbortController();
    const base = await svc.listen();
    const pendingReply = fetch(`${base}/v1/sql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${svc.callerKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ sql: GRIPS[0]![1], lens: 'duck' }),
      signal: gone.signal,
    }).catch(() => 'gone');
    setTimeout(() => gone.abort(), 300);
    expect(await pendingReply).toBe('gone');
    await expectAnswer();
    // Waits until svc stops sharing the event loop with the organization whose client disconnected.
    const otherTask = await svc.deps.scheduler.begin('another organization');
    await expect.poll(() => svc.deps.scheduler.hasOtherTenants, { timeout: 10_000 }).toBe(false);
    otherTask.end();
  });
});

describe('a wide result', () => {
  const wideSelect = (columns: number) =>
    `select ${Array.from({ length: columns }, (_, n) => `row_id as c${n}`).join(', ')} from orders`;
  it.each(['duck', 'pg'])('is refused with more than 500 columns, and complete with 500, on %s', async (lens) => {
    const refusal = await postSql(lens, `select 1${',1'.repeat(9_899)} from orders`);
    expect([refusal.status, refusal.text]).toEqual([422, expect.stringContaining('9900 columns; the limit is 500')]);
    const refusedReply = await postSql(lens, wideSelect(501));
    expect([refusedReply.status, refusedReply.body.error?.message]).toEqual([
      422,
      expect.stringContaining('501 columns; the limit is 500'),
    ]);
    const most = await postSql(lens, wideSelect(500));
    expect(most.body.columns).toHaveLength(500);
    expect(most.body.row_count).toBe(8);
  });

  it('of 500 columns is truncated long before 5,000 rows, and the answer says so', async () => {
    const reply = await postSql('pg', `${wideSelect(500)} cross join generate_series(1, 1000) g`);
    expect(reply.body).toMatchObject({ row_count: 520, truncated: { returned: 500, total: null } });
  });
});

describe('a warehouse built from files', () => {
  const project = (select: string) => ({
    files: {
      'svc.config.yaml': `connections:\n  built: {kind: duckdb, files: {orders: {path: ./data/orders.csv, select: "${select}"}}}\n`,
      'lenses/built/lens.yaml': lensOn('built', 'main.orders'),
    },
  });
  it.each([
    [
      'that never ends',
      'select count(a.range + b.range) as row_id from range(100000000) a, range(100000000) b',
      'takes longer than 8 s',
    ],
    [
      'that fills the disk',
      'select hash(range)::varchar || hash(range + 1)::varchar as region from range(1000000000)',
      'grows beyond 4 MB',
    ],
  ])('fails at a named limit for a build %s, while other requests get answers', async (_name, select, said) => {
    const attack = svc.admin('POST', '/project/plan', project(select));
    await expectAnswer();
    const reply = await attack;
    expect(reply.text).toContain(said);
    const folder = join(svc.home, 'warehouses');
    expect((await readdir(folder)).filter((name) => name.includes('building') || name.endsWith('.lock'))).toEqual([]);
  });

  it('is deleted with its connection', async () => {
    const folder = join(svc.home, 'warehouses');
    const before = await readdir(folder);
    const config = { kind: 'duckdb', files: { orders: { path: './data/orders.csv' } } };
    const createReply = await svc.admin('POST', '/connections', { name: 'fleeting', ...config });
    expect(createReply.status, createReply.text).toBe(201);
    const tested = await svc.admin('POST', '/connections/fleeting/test', {});
    expect(tested.body, tested.text).toMatchObject({ ok: true });
    expect((await readdir(folder)).length).toBe(before.length + 1);
    await svc.admin('DELETE', '/connections/fleeting');
    await expect.poll(async () => (await readdir(folder)).length, { timeout: 10_000 }).toBe(before.length);
  });

  it('is deleted with its connection, also while svc profiles the connection', async () => {
    const folder = join(svc.home, 'warehouses');
    const before = await readdir(folder);
    for (let n = 0; n < 3; n++) {
      const config = { name: `passing-${n}`, kind: 'duckdb', files: { orders: { path: './data/orders.csv' } } };
      expect((await svc.admin('POST', '/connections', config)).status).toBe(201);
      const { body } = await svc.admin('POST', `/connections/${config.name}/profile`, {});
      await svc.admin('DELETE', `/connections/${config.name}`);
      const fetchState = async () => (await svc.admin('GET', `/runs/${body.run_id}`)).body.state;
      await expect.poll(fetchState, { timeout: 20_000 }).not.toBe('running');
    }
    await expect.poll(() => readdir(folder), { timeout: 10_000 }).toEqual(before);
  });
});
