// Statements that Trino must never run, with and without the guard. The second barrier is the read-only transaction.
// The third is the access rules in docs/engines/trino.md.
import { afterAll, describe, expect, it } from 'vitest';
import { parseConnectionConfig } from '../../../src/adapters/warehouse/connection-config.ts';
import type { Warehouse } from '../../../src/domain/ports.ts';
import { trinoCompilerRules } from '../../../src/engines/trino/dialect/compiling.ts';
import { trinoDialect as dialect } from '../../../src/engines/trino/dialect/dialect.ts';
import { TRINO_FUNCTIONS } from '../../../src/engines/trino/dialect/functions.ts';
import { unguardedSql } from '../../plugin-kit/statements.ts';
import { createDatabase } from '../../support/postgres.ts';
import { treeOf } from '../../support/round-trip.ts';
import { openEngineStage } from '../engine-stage.ts';
import { adapterOf, ENGINE_CONTEXT, guardSuite, kitSuite, withoutRating } from '../guard-suite.ts';
import { READER, startTrino } from './start-trino.ts';
import { behind, MEMORY, TPCH, trinoStatements } from './trino-tables.ts';

const adapter = adapterOf('trino');
const CAPS = { maxRows: 100, maxBytes: 1_000_000, timeoutMs: 30_000 };
const ENDLESS = 'select count(*) from tpch.sf100.lineitem a, tpch.sf100.orders b where a.comment < b.comment';
const makeConnection = (overrides: object = {}) =>
  parseConnectionConfig('workshop', {
    kind: 'trino',
    host: '127.0.0.1',
    port: trino.port,
    catalog: 'memory',
    schema: 'shop',
    ...READER,
    ...overrides,
  } as never);
const url = await createDatabase();
const trino = await startTrino({ catalogs: { memory: MEMORY, tpch: TPCH, postgresql: behind(url) } });
await trino.owner('create table postgresql.public.clients as select 1 as client_id');
await trino.owner('create table postgresql.public.secrets as select 1 as secret');
for (const sql of trinoStatements()) await trino.owner(sql);
const stage = await openEngineStage(makeConnection(), 'shop.', withoutRating);
const reader: Warehouse = await adapter.open(makeConnection(), ENGINE_CONTEXT);
/** This login has all rights, so that only svc's transaction can stop a statement. */
const owner: Warehouse = await adapter.open(makeConnection({ user: 'owner' }), ENGINE_CONTEXT);
afterAll(async () => {
  await reader.close();
  await owner.close();
});
const tryRun = (warehouse: Warehouse, sql: string) =>
  warehouse.fetch(unguardedSql('trino', sql), CAPS).then(
    ({ rows }) => `answered ${JSON.stringify(rows)}`,
    (problem: { code?: string }) => problem.code ?? 'fault',
  );
/** Statements that svc sends for its own purposes: transactions, the catalog and dictionaries. */
const OWN = /^(start transaction read only|rollback)$|information_schema\.|svc_value|as one from/;

guardSuite(
  'trino',
  () => stage,
  async () => (await trino.log()).map(({ query }) => query).filter((query) => !OWN.test(query)),
);

const WRITES = [
  'create table memory.shop.x (a bigint)',
  'create table memory.shop.x as select 1 as a',
  'insert into memory.shop.jobs select * from memory.shop.jobs',
  'delete from memory.shop.jobs',
  'update memory.shop.jobs set price = 0',
  'truncate table memory.shop.jobs',
  'merge into memory.shop.jobs j using memory.shop.jobs s on j.job_id = s.job_id when matched then delete',
  'drop table memory.shop.jobs',
  'alter table memory.shop.jobs rename to x',
  'alter table memory.shop.jobs add column x bigint',
  "comment on table memory.shop.jobs is 'x'",
  'create schema memory.x',
  'drop schema memory.shop',
  'create view memory.shop.v as select 1 as a',
  'insert into postgresql.public.secrets values 2',
  'drop table postgresql.public.secrets',
  "call postgresql.system.execute('drop table secrets')",
  "call system.runtime.kill_query('x', 'y')",
  'select 1; drop table memory.shop.jobs',
  "execute immediate 'drop table memory.shop.jobs'",
];

describe('the adapter with the guard switched off', () => {
  it.each(WRITES)('refuses to let the reader run %s', async (sql) => {
    expect(await tryRun(reader, sql)).toBe('upstream');
  });
  it.each(WRITES)('refuses to let a login with all rights run %s', async (sql) => {
    expect(await tryRun(owner, sql)).toBe('upstream');
  });
  it.each([
    'select * from system.runtime.queries',
    'select * from system.metadata.catalogs',
    'select * from tpch.sf1.orders',
    'select * from postgresql.public.secrets',
    "select * from table(postgresql.system.query(query => 'select * from secrets'))",
    "select * from table(postgresql.system.query(query => 'delete from secrets returning 1'))",
    'with function f() returns bigint return 1 select f()',
    "set session authorization 'owner'",
    'grant select on memory.shop.jobs to public',
  ])('limits the reader to its grants: %s', async (sql) => {
    const outcome = await tryRun(reader, sql);
    // An inline function is harmless.
    expect(outcome.startsWith('answered') ? sql : outcome).toBe(sql.startsWith('with function') ? sql : 'upstream');
  });

  it('keeps no setting, schema or prepared statement, and leaves every row unchanged', async () => {
    for (const sql of [
      "set session query_max_run_time = '1d'",
      'use postgresql.public',
      'prepare p from select 1',
      "set time zone 'Asia/Tokyo'",
    ])
      await tryRun(reader, sql);
    expect(await tryRun(reader, 'select count(*) from jobs')).toBe('answered [["12"]]');
    expect(await tryRun(reader, "select cast(timestamp '2024-01-01 00:00:00' as timestamp with time zone)")).toBe(
      'answered [["2024-01-01T00:00:00.000Z"]]',
    );
    expect(await tryRun(reader, 'execute p')).toBe('upstream');
    expect(await trino.owner('select count(*), min(secret) from postgresql.public.secrets')).toEqual([[1, 1]]);
  });

  it('stops a statement at the timeout and when the caller disconnects', async () => {
    await trino.log();
    const startedAt = performance.now();
    const late = reader.fetch(unguardedSql('trino', ENDLESS), { ...CAPS, timeoutMs: 1_000 });
    await expect(late).rejects.toMatchObject({ code: 'timeout' });
    const gone = new AbortController();
    const pendingFetch = reader.fetch(unguardedSql('trino', ENDLESS), { ...CAPS, signal: gone.signal });
    setTimeout(() => gone.abort(), 500);
    await expect(pendingFetch).rejects.toMatchObject({ code: 'timeout' });
    expect(performance.now() - startedAt).toBeLessThan(5_500);
    const running = `select count(*) from system.runtime.queries where "user" = 'reader' and state not in ('FINISHED', 'FAILED')`;
    await expect.poll(async () => (await trino.owner(running))[0]?.[0], { timeout: 2_000 }).toBe(0);
  });

  it('stops a statement when the caller disconnects before Trino responds', async () => {
    await trino.log();
    const gone = new AbortController();
    const pendingFetch = reader.fetch(unguardedSql('trino', ENDLESS), { ...CAPS, signal: gone.signal });
    setTimeout(() => gone.abort(), 5);
    await expect(pendingFetch).rejects.toMatchObject({ code: 'timeout' });
    const running = `select count(*) from system.runtime.queries where "user" = 'reader' and state not in ('FINISHED', 'FAILED')`;
    await expect.poll(async () => (await trino.owner(running))[0]?.[0], { timeout: 2_000 }).toBe(0);
  });

  it('scans no more bytes than the connection allows', async () => {
    const bounded = await adapter.open(makeConnection({ max_scan_bytes: 1_000 }), ENGINE_CONTEXT);
    const runBounded = (sql: string) => bounded.fetch(unguardedSql('trino', sql), CAPS);
    expect((await runBounded('select 1 as one')).rows).toEqual([['1']]);
    await expect(runBounded(ENDLESS)).rejects.toMatchObject({ code: 'upstream', details: [{ code: 'out_of_memory' }] });
    await bounded.close();
  });

  it('tags each statement with its request ID', async () => {
    await trino.log();
    const reply = await stage.svc.post('/v1/sql', { lens: 'workshop', sql: 'select count(*) as n from jobs' });
    expect((await trino.log()).map(({ source }) => source)).toContain(`svc ${reply.headers['x-request-id']}`);
  });
});

describe('the row policy barrier in Trino', () => {
  const explainSql = async (sql: string): Promise<string> => String((await trino.owner(`explain ${sql}`))[0]?.[0]);
  const body = 'select job_id, kind from memory.shop.jobs where job_id + 0 > 3';
  const around = (innerSql: string): string => `select kind from (${innerSql}) as jobs where 10 / (job_id - 1) > 1`;

  it('keeps the conditions of the caller above the row policy', async () => {
    const fence = dialect.write(dialect.fence!((await treeOf(dialect, body)) as never, ['job_id', 'kind'], 'jobs'));
    const [above, below] = [await explainSql(around(fence)), await explainSql(around(body))];
    // Without the barrier, the engine evaluates both conditions in any order.
    expect(below).toMatch(/filterPredicate = \(.* AND .*divide/);
    expect(above).not.toMatch(/filterPredicate = \(.* AND .*divide/);
    expect(above.indexOf('divide')).toBeLessThan(above.indexOf('Limit[count'));
    expect(above.lastIndexOf('filterPredicate')).toBeGreaterThan(above.lastIndexOf('Limit'));
  });
});

describe('the Trino adapter', () => {
  kitSuite('trino', makeConnection);

  it('classifies each function in its list as the engine does', async () => {
    const rows = await trino.owner('show functions');
    const known = new Map(rows.map(([name, , , kind]) => [String(name), String(kind)]));
    const GRAMMAR = new Set('coalesce nullif if current_date current_timestamp localtime localtimestamp'.split(' '));
    const wrong = [...TRINO_FUNCTIONS.names()].filter((name) => {
      const kind = TRINO_FUNCTIONS.kind(name);
      if (kind === 'grammar' || GRAMMAR.has(name)) return false;
      return kind !== known.get(name);
    });
    expect(wrong).toEqual([]);
  });

  it('casts to types that the engine knows', async () => {
    const casts = Object.values(trinoCompilerRules.types).map((type) => `cast(null as ${type})`);
    expect(await tryRun(reader, `select ${casts.join(', ')}`)).toContain('answered');
  });

  it('reports that the catalog of the connection doesn’t exist', async () => {
    const nowhere = await adapter.open(makeConnection({ catalog: 'nowhere' }), ENGINE_CONTEXT);
    expect(await nowhere.test()).toMatchObject({
      ok: false,
      error: expect.stringContaining('no catalog with the configured name'),
    });
    await nowhere.close();
  });
});
