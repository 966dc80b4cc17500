// Statements that ClickHouse must never run, with and without the guard. The second barrier is the login's grants and
// the session settings.

import { createServer } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { parseConnectionConfig } from '../../../src/adapters/warehouse/connection-config.ts';
import type { Warehouse } from '../../../src/domain/ports.ts';
import { CLICKHOUSE_FUNCTIONS } from '../../../src/engines/clickhouse/dialect/functions.ts';
import { unguardedSql } from '../../plugin-kit/statements.ts';
import { openEngineStage } from '../engine-stage.ts';
import { adapterOf, clientMissing, ENGINE_CONTEXT, guardSuite, kitSuite, withoutRating } from '../guard-suite.ts';
import { clickhouseStatements } from './clickhouse-tables.ts';
import { DATABASE, READER, startTestClickhouse } from './start-clickhouse.ts';

const adapter = adapterOf('clickhouse');
const CAPS = { maxRows: 100, maxBytes: 1_000_000, timeoutMs: 20_000 };
let visits = 0;
const makeConnection = (overrides: object = {}) =>
  parseConnectionConfig('workshop', {
    kind: 'clickhouse',
    host: '127.0.0.1',
    port: clickhouse.port,
    database: DATABASE,
    ...READER,
    ...overrides,
  } as never);
const trap = createServer((_request, response) => {
  visits++;
  response.end('x\n');
});
await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
const clickhouse = await startTestClickhouse(clickhouseStatements());
const stage = await openEngineStage(makeConnection(), `${DATABASE}.`, withoutRating);
const warehouse: Warehouse = await adapter.open(makeConnection(), ENGINE_CONTEXT);
afterAll(async () => {
  await warehouse.close();
  trap.close();
});
const port = () => (trap.address() as { port: number }).port;
const tryRun = (sql: string) =>
  warehouse.fetch(unguardedSql('clickhouse', sql), CAPS).then(
    ({ rows }) => `answered ${JSON.stringify(rows)}`,
    (problem: { code?: string }) => problem.code ?? 'fault',
  );

guardSuite(
  'clickhouse',
  () => stage,
  async () =>
    (await clickhouse.log()).filter((sql) => !sql.includes('uniqExact') && !/system\.(tables|columns)/.test(sql)),
);

describe('the adapter with the guard switched off', () => {
  it.each([
    'create table shop.x (a Int8) engine = Memory',
    'create temporary table x (a Int8)',
    'insert into shop.jobs select * from shop.jobs where 1 = 0',
    'alter table shop.jobs delete where 1',
    'delete from shop.jobs where 1',
    'drop table shop.jobs',
    'truncate table shop.jobs',
    'optimize table shop.jobs final',
    'create function f as (x) -> x',
    'create user x',
    'grant select on *.* to default',
    'system shutdown',
    'system drop dns cache',
    'set readonly = 0',
    "select * from file('/etc/passwd', 'LineAsString')",
    "select * from remote('127.0.0.1:9000', 'system', 'one')",
    "select * from mysql('127.0.0.1:3306', 'd', 't', 'u', 'p')",
    "select * from postgresql('127.0.0.1:5432', 'd', 't', 'u', 'p')",
    "select * from s3('http://127.0.0.1:9/b/x', 'CSV')",
    "select * from executable('cat', 'TSV', 'x String', (select 1))",
    "insert into function file('x.csv') select 1",
    'select * from other.t',
    'select kind from shop.jobs settings readonly = 0, max_execution_time = 0',
    'select 1; drop table shop.jobs',
  ])('refuses %s', async (sql) => {
    expect(await tryRun(sql)).toBe('upstream');
  });

  it('connects to no URL in a statement, and leaves every row unchanged', async () => {
    await tryRun(`select * from url('http://127.0.0.1:${port()}/', 'LineAsString')`);
    await tryRun(`insert into function url('http://127.0.0.1:${port()}/', 'LineAsString') select 'x'`);
    expect(visits).toBe(0);
    expect((await warehouse.fetch(unguardedSql('clickhouse', 'select count(*) from shop.jobs'), CAPS)).rows).toEqual([
      ['12'],
    ]);
  });

  it('reads no more rows than the connection allows', async () => {
    const bounded = await adapter.open(makeConnection({ max_rows_to_read: 5 }), ENGINE_CONTEXT);
    const count = bounded.fetch(unguardedSql('clickhouse', 'select sum(price) from shop.jobs'), CAPS);
    await expect(count).rejects.toMatchObject({ code: 'upstream', details: [{ code: 'out_of_memory' }] });
    await bounded.close();
  });

  it('stops the statement when the caller disconnects', async () => {
    const gone = new AbortController();
    const endless =
      'select count(*) from shop.jobs a, shop.jobs b, shop.jobs c, shop.jobs d, shop.jobs e, shop.jobs f, shop.jobs g, shop.jobs h, shop.jobs i, shop.jobs j where a.price + b.price + j.price <> 0.001';
    const startedAt = performance.now();
    const pendingFetch = warehouse.fetch(unguardedSql('clickhouse', endless), { ...CAPS, signal: gone.signal });
    setTimeout(() => gone.abort(), 500);
    await expect(pendingFetch).rejects.toMatchObject({ code: 'timeout' });
    expect(performance.now() - startedAt).toBeLessThan(2_500);
    const countRunning = async () =>
      (await (await fetch(`http://127.0.0.1:${clickhouse.port}/running`)).json()) as number;
    await expect.poll(countRunning, { timeout: 2_000 }).toBe(0);
  });

  it('tags each statement with its request ID', async () => {
    await clickhouse.tags();
    const reply = await stage.svc.post('/v1/sql', { lens: 'workshop', sql: 'select count(*) as n from jobs' });
    expect(await clickhouse.tags()).toContain(`svc ${reply.headers['x-request-id']}`);
  });
});

describe('the ClickHouse adapter', () => {
  kitSuite('clickhouse', makeConnection);

  it('classifies each function in its list as the engine does', async () => {
    const { rows } = await warehouse.fetch(
      unguardedSql('clickhouse', 'select name, is_aggregate, case_insensitive, alias_to from system.functions'),
      { ...CAPS, maxRows: 10_000 },
    );
    const known = new Map(
      rows.flatMap(([name, aggregate, anyCase]) =>
        [String(name), ...(String(anyCase) === '1' ? [String(name).toLowerCase()] : [])].map(
          (item) => [item, String(aggregate) === '1'] as const,
        ),
      ),
    );
    const wrong = [...CLICKHOUSE_FUNCTIONS.names()].filter((name) => {
      const kind = CLICKHOUSE_FUNCTIONS.kind(name);
      const aggregate = known.get(name) ?? (name.endsWith('If') && known.get(name.slice(0, -2)));
      if (kind === 'grammar' || kind === 'window') return false;
      return aggregate === undefined || aggregate === false
        ? kind === 'aggregate' || !known.has(name)
        : kind !== 'aggregate';
    });
    expect(wrong).toEqual([]);
  });

  clientMissing('clickhouse', '@clickhouse/client', makeConnection);
});
