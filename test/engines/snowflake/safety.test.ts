// Statements that Snowflake must never run, with and without the guard. The emulator has no roles, so the tests cover
// only the adapter's own barrier: it sends nothing but one SELECT.
import { afterAll, describe, expect, it } from 'vitest';
import { parseConnectionConfig } from '../../../src/adapters/warehouse/connection-config.ts';
import type { Warehouse } from '../../../src/domain/ports.ts';
import { snowflakeCompilerRules } from '../../../src/engines/snowflake/dialect/compiling.ts';
import { unguardedSql } from '../../plugin-kit/statements.ts';
import { openEngineStage } from '../engine-stage.ts';
import { adapterOf, clientMissing, ENGINE_CONTEXT, guardSuite, kitSuite, withoutRating } from '../guard-suite.ts';
import { snowflakeStatements } from './snowflake-tables.ts';
import { KEYS, READER, startSnowflake, TOKEN } from './start-snowflake.ts';

const adapter = adapterOf('snowflake');
const CAPS = { maxRows: 100, maxBytes: 1_000_000, timeoutMs: 20_000 };
const ENDLESS =
  'select count(*) from shop.jobs a, shop.jobs b, shop.jobs c, shop.jobs d, shop.jobs e, shop.jobs f, shop.jobs g, shop.jobs h, shop.jobs i, shop.jobs j where a.price + b.price + j.price <> 0.001';
const stored = (overrides: object = {}) => ({
  kind: 'snowflake',
  account: 'local',
  host: '127.0.0.1',
  port: snowflake.port,
  ssl: false,
  database: 'WORKSHOP',
  schema: 'SHOP',
  ...READER,
  ...overrides,
});
const makeConnection = (overrides: object = {}) => parseConnectionConfig('workshop', stored(overrides) as never);
const snowflake = await startSnowflake(...snowflakeStatements(), 'create table shop.secrets as select 1 as secret');
const stage = await openEngineStage(stored(), 'shop.', withoutRating);
const warehouse: Warehouse = await adapter.open(makeConnection(), ENGINE_CONTEXT);
afterAll(() => warehouse.close());
const tryRun = (sql: string) =>
  warehouse.fetch(unguardedSql('snowflake', sql), CAPS).then(
    ({ rows }) => `answered ${JSON.stringify(rows)}`,
    (problem: { code?: string }) => problem.code ?? 'fault',
  );
/** Statements that svc sends for its own purposes: the role, the catalog and dictionaries. */
const OWN = /^use secondary roles none$|information_schema\.|svc_value|as one from|current_version/i;
const asked = async (): Promise<string[]> =>
  (await snowflake.log()).map(({ sql }) => sql).filter((sql) => !OWN.test(sql));

guardSuite('snowflake', () => stage, asked);

describe('the adapter with the guard switched off', () => {
  it.each([
    'create table shop.x (a int)',
    'create table shop.x as select 1 as a',
    'insert into shop.jobs select * from shop.jobs',
    'update shop.jobs set price = 0',
    'delete from shop.jobs',
    'merge into shop.jobs j using shop.jobs s on j.job_id = s.job_id when matched then delete',
    'truncate table shop.jobs',
    'drop table shop.jobs',
    'alter table shop.jobs rename to shop.x',
    'copy into @~/x from shop.jobs',
    'put file:///etc/passwd @~',
    'get @~/x file:///tmp',
    'list @~',
    'select * from @~',
    'use role accountadmin',
    'use schema information_schema',
    'use secondary roles all',
    "alter session set timezone = 'Asia/Tokyo'",
    "set x = 'y'",
    'select $x',
    'call f()',
    "execute immediate 'drop table shop.jobs'",
    'execute immediate $$ begin drop table shop.jobs; end $$',
    'begin drop table shop.jobs; end',
    'select 1; drop table shop.jobs',
    'select 1 ->> drop table shop.jobs',
    'select system$wait(10)',
    'show tables',
    'describe table shop.jobs',
    'explain select 1',
  ])('refuses %s', async (sql) => {
    await snowflake.log();
    expect(await tryRun(sql)).toBe('upstream');
    expect(await asked()).toEqual([]);
  });

  it('leaves every row unchanged', async () => {
    expect(await tryRun('select count(*) from shop.jobs')).toBe('answered [["12"]]');
    expect(await snowflake.owner('select count(*) from shop.secrets')).toEqual([[1]]);
  });

  it('uses no secondary role of the login, and sends the session settings with each statement', async () => {
    await snowflake.log();
    const other = await adapter.open(makeConnection({ role: 'SVC', warehouse: 'ASKS' }), ENGINE_CONTEXT);
    await other.fetch(unguardedSql('snowflake', 'select 1 as one'), { ...CAPS, timeoutMs: 7_000 });
    await other.close();
    const [first, second] = await snowflake.log();
    expect(first?.sql).toBe('use secondary roles none');
    expect(second?.parameters).toMatchObject({
      STATEMENT_TIMEOUT_IN_SECONDS: 8,
      STATEMENT_QUEUED_TIMEOUT_IN_SECONDS: 8,
      QUERY_TAG: 'svc upkeep',
      TIMEZONE: 'UTC',
      TIMESTAMP_TYPE_MAPPING: 'TIMESTAMP_NTZ',
      WEEK_START: 1,
      QUOTED_IDENTIFIERS_IGNORE_CASE: false,
      MULTI_STATEMENT_COUNT: 1,
      ROWS_PER_RESULTSET: 0,
    });
  });

  it('tags each statement with its request ID', async () => {
    await snowflake.log();
    const reply = await stage.svc.post('/v1/sql', { lens: 'workshop', sql: 'select count(*) as n from jobs' });
    expect((await snowflake.log()).map(({ parameters }) => parameters['QUERY_TAG'])).toContain(
      `svc ${reply.headers['x-request-id']}`,
    );
  });

  it('stops a statement at the timeout and when the caller disconnects', async () => {
    const startedAt = performance.now();
    const late = warehouse.fetch(unguardedSql('snowflake', ENDLESS), { ...CAPS, timeoutMs: 1_000 });
    await expect(late).rejects.toMatchObject({ code: 'timeout' });
    await expect.poll(() => snowflake.running(), { timeout: 2_000 }).toBe(0);
    const gone = new AbortController();
    const pendingFetch = warehouse.fetch(unguardedSql('snowflake', ENDLESS), { ...CAPS, signal: gone.signal });
    setTimeout(() => gone.abort(), 500);
    await expect(pendingFetch).rejects.toMatchObject({ code: 'timeout' });
    await expect.poll(() => snowflake.running(), { timeout: 2_000 }).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(6_000);
  });

  it('leaves nothing running after the connection is closed', async () => {
    const one = await adapter.open(makeConnection(), ENGINE_CONTEXT);
    const pendingFetch = one
      .fetch(unguardedSql('snowflake', ENDLESS), CAPS)
      .catch((problem: { code?: string }) => problem.code);
    await expect.poll(() => snowflake.running(), { timeout: 5_000 }).toBe(1);
    await one.close();
    expect(await pendingFetch).toBe('unreachable');
    await expect.poll(() => snowflake.running(), { timeout: 2_000 }).toBe(0);
  });
});

describe('the Snowflake adapter', () => {
  kitSuite('snowflake', makeConnection);

  it.each([
    ['a password', {}, true],
    ['a private key', { password: '', private_key: KEYS.privateKey }, true],
    ['an access token', { password: '', token: TOKEN }, true],
    ['a wrong password', { password: 'no secret of mine' }, false],
    ['an expired token', { password: '', token: 'no token of mine' }, false],
  ])('reports whether sign-in works with %s', async (_, proof, right) => {
    const one = await adapter.open(makeConnection(proof), ENGINE_CONTEXT);
    const health = await one.test();
    await one.close();
    expect(health).toMatchObject(
      right
        ? { ok: true, serverVersion: expect.stringMatching(/^Snowflake \d/) }
        : { ok: false, error: expect.stringContaining('refused the credentials') },
    );
    expect(JSON.stringify(health)).not.toMatch(/of mine|reads only|127\.0\.0\.1/);
  });

  it('continues in a new session after Snowflake ends the old one', async () => {
    const one = await adapter.open(makeConnection(), ENGINE_CONTEXT);
    await one.fetch(unguardedSql('snowflake', 'select 1 as one'), CAPS);
    await snowflake.forget();
    expect((await one.fetch(unguardedSql('snowflake', 'select 2 as two'), CAPS)).rows).toEqual([['2']]);
    await one.close();
  });

  it('casts to types that the emulator knows', async () => {
    const casts = Object.values(snowflakeCompilerRules.types).map((type) => `cast(null as ${type})`);
    expect(await tryRun(`select ${casts.join(', ')}`)).toContain('answered');
  });

  it('connects only to Snowflake hosts, and only over TLS', () => {
    expect(() => makeConnection({ host: 'snowflake.example.com' })).toThrow(/host of snowflakecomputing/);
    expect(() => makeConnection({ host: 'x.snowflakecomputing.com.example.com' })).toThrow(
      /host of snowflakecomputing/,
    );
    expect(() => makeConnection({ host: 'myorg-prod.snowflakecomputing.com' })).toThrow(
      /only for a host on this machine/,
    );
    expect(() => makeConnection({ account: 'myorg/prod' })).toThrow(/account identifier/);
    expect(makeConnection({ host: undefined, ssl: true, account: 'myorg-my_account' })).toMatchObject({
      host: 'myorg-my-account.snowflakecomputing.com',
    });
  });

  clientMissing('snowflake', 'snowflake-sdk', makeConnection);
});
