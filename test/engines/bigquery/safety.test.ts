// Statements that BigQuery must never run, with and without the guard. The second barrier is a dry run, which must be a
// SELECT within the byte limit. The third is the roles in docs/engines/bigquery.md, which no emulator has.
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { parseConnectionConfig } from '../../../src/adapters/warehouse/connection-config.ts';
import type { Warehouse } from '../../../src/domain/ports.ts';
import { unguardedSql } from '../../plugin-kit/statements.ts';
import { openEngineStage } from '../engine-stage.ts';
import { adapterOf, clientMissing, ENGINE_CONTEXT, guardSuite, kitSuite, withoutRating } from '../guard-suite.ts';
import { BIGQUERY_TABLES } from './bigquery-tables.ts';
import { DATASET, type Heard, PROJECT, startBigquery } from './start-bigquery.ts';

const adapter = adapterOf('bigquery');
const CAPS = { maxRows: 100, maxBytes: 1_000_000, timeoutMs: 30_000 };
const ENDLESS = `select count(*) from ${'abcdefghij'
  .split('')
  .map((item) => `shop.jobs ${item}`)
  .join(', ')} where a.price + b.price + j.price <> 0.001`;
const given = (overrides: object = {}) => ({
  kind: 'bigquery',
  project: PROJECT,
  dataset: DATASET,
  host: '127.0.0.1',
  port: bigquery.port,
  ...overrides,
});
const makeConnection = (overrides: object = {}) => parseConnectionConfig('workshop', given(overrides) as never);
const bigquery = await startBigquery(BIGQUERY_TABLES);
const stage = await openEngineStage(given(), `${DATASET}.`, withoutRating);
const warehouse: Warehouse = await adapter.open(makeConnection(), ENGINE_CONTEXT);
afterAll(() => warehouse.close());
beforeEach(async () => {
  await bigquery.heard();
});

const tryRun = (sql: string) =>
  warehouse.fetch(unguardedSql('bigquery', sql), CAPS).then(
    ({ rows }) => `answered ${JSON.stringify(rows)}`,
    (problem: { code?: string }) => problem.code ?? 'fault',
  );
const jobsIn = (requests: Heard[]) => requests.flatMap(({ configuration }) => (configuration ? [configuration] : []));
/** Statements that svc sends for its own purposes, such as reading dictionaries. */
const OWN = /svc_value|as one from|count\(distinct/;

guardSuite(
  'bigquery',
  () => stage,
  async () =>
    jobsIn(await bigquery.heard())
      .map(({ query }) => query.query)
      .filter((sql) => !OWN.test(sql)),
);

describe('the adapter with the guard switched off', () => {
  it.each([
    'create table shop.x (a int64)',
    'create or replace table shop.jobs as select 1 as a',
    'create temp function f(x int64) as (x); select f(1)',
    'create view shop.v as select 1 as a',
    'create schema x',
    'insert into shop.secrets (secret) values (2)',
    'update shop.secrets set secret = 2 where true',
    'delete from shop.secrets where true',
    'merge shop.secrets s using shop.jobs j on false when not matched by source then delete',
    'truncate table shop.secrets',
    'drop table shop.secrets',
    'alter table shop.secrets rename to x',
    'declare x int64 default 1; select x',
    'begin drop table shop.secrets; end',
    "execute immediate 'drop table shop.secrets'",
    'select 1; drop table shop.secrets',
    'call shop.p()',
    "export data options (uri = 'gs://x/*', format = 'CSV') as select 1",
  ])('runs nothing but a SELECT: %s', async (sql) => {
    expect(await tryRun(sql)).toBe('upstream');
    expect(jobsIn(await bigquery.heard()).filter(({ dryRun }) => !dryRun)).toEqual([]);
  });
});

describe('a query on BigQuery', () => {
  it('is refused over max_bytes_billed before it runs, and is sent with that limit', async () => {
    // Twelve rows of ten columns with eight bytes each.
    const count = unguardedSql('bigquery', 'select sum(price) as p from shop.jobs');
    const runBounded = async (maxBytes: number) => {
      const bounded = await adapter.open(makeConnection({ max_bytes_billed: maxBytes }), ENGINE_CONTEXT);
      const fetchProblem = await bounded.fetch(count, CAPS).catch((problem: unknown) => problem);
      await bounded.close();
      return fetchProblem;
    };
    expect(await runBounded(959)).toMatchObject({ code: 'upstream', details: [{ code: 'out_of_memory' }] });
    expect(jobsIn(await bigquery.heard()).map(({ dryRun }) => dryRun)).toEqual([true]);
    expect(await runBounded(960)).toMatchObject({ rows: [[expect.any(String)]] });
    expect(jobsIn(await bigquery.heard()).map(({ query }) => query.maximumBytesBilled)).toEqual(['960', '960']);
  });

  it('is labeled with its request ID, and has a timeout and a time zone', async () => {
    const reply = await stage.svc.post('/v1/sql', { lens: 'workshop', sql: 'select count(*) as n from jobs' });
    const job = jobsIn(await bigquery.heard()).find(({ dryRun, query }) => !dryRun && query.query.includes('`n`'));
    expect(job?.labels).toEqual({ svc_request: String(reply.headers['x-request-id']).toLowerCase() });
    expect(Number(job?.jobTimeoutMs)).toBeGreaterThan(1_000);
    expect(job?.query.connectionProperties).toEqual([{ key: 'time_zone', value: 'UTC' }]);
  });

  it('is stopped at the timeout and when the caller disconnects', async () => {
    const startedAt = performance.now();
    const late = warehouse.fetch(unguardedSql('bigquery', ENDLESS), { ...CAPS, timeoutMs: 1_000 });
    await expect(late).rejects.toMatchObject({ code: 'timeout' });
    const gone = new AbortController();
    const pendingFetch = warehouse.fetch(unguardedSql('bigquery', ENDLESS), { ...CAPS, signal: gone.signal });
    setTimeout(() => gone.abort(), 1_500);
    await expect(pendingFetch).rejects.toMatchObject({ code: 'timeout' });
    expect(performance.now() - startedAt).toBeLessThan(6_000);
    await expect.poll(() => bigquery.running(), { timeout: 2_000 }).toBe(0);
    expect((await bigquery.heard()).filter(({ path }) => /\/jobs\/svc_\w+\/cancel/.test(path))).toHaveLength(2);
  });

  it('is stopped when the caller disconnects before BigQuery responds', async () => {
    const gone = new AbortController();
    const pendingFetch = warehouse.fetch(unguardedSql('bigquery', ENDLESS), { ...CAPS, signal: gone.signal });
    await expect
      .poll(async () => jobsIn(await bigquery.heard()).some(({ dryRun }) => !dryRun), { interval: 5 })
      .toBe(true);
    gone.abort();
    await expect(pendingFetch).rejects.toMatchObject({ code: 'timeout' });
    await expect.poll(() => bigquery.running(), { timeout: 2_000 }).toBe(0);
  });

  it('reads only as many result pages as the row and byte limits need', async () => {
    const many =
      'select a + 10000 * b as g from unnest(generate_array(1, 10000)) as a, unnest(generate_array(0, 4)) as b order by g';
    const { rows, more } = await warehouse.fetch(unguardedSql('bigquery', many), {
      ...CAPS,
      maxRows: 41_000,
      maxBytes: 1e9,
    });
    expect([rows.length, rows.at(-1), more]).toEqual([41_000, ['41000'], true]);
    const pages = (await bigquery.heard()).filter(({ path }) => path.includes('/queries/svc_'));
    expect(pages.filter(({ path }) => path.includes('pageToken')).length).toBe(2);
    const cutResult = await warehouse.fetch(unguardedSql('bigquery', many), {
      ...CAPS,
      maxRows: 45_000,
      maxBytes: 1_000,
    });
    expect([cutResult.bytesCut, cutResult.rows.length < 200]).toEqual([true, true]);
  });
});

describe('the credentials of a BigQuery connection', () => {
  it('are not sent to an emulator', async () => {
    const secret = { client_email: 'svc@test-project.iam.gserviceaccount.com', private_key: 'a secret of ours' };
    const other = await adapter.open(makeConnection(secret), { ...ENGINE_CONTEXT, fromOperator: true });
    await other.fetch(unguardedSql('bigquery', 'select 1 as one'), CAPS);
    const requests = await bigquery.heard();
    expect(requests.length).toBeGreaterThan(1);
    expect(requests.filter(({ authorization }) => authorization !== null)).toEqual([]);
    await other.close();
  });

  it('are those of the server only for connections from the operator', async () => {
    const { host, port, ...real } = given();
    expect([host, typeof port]).toEqual(['127.0.0.1', 'number']);
    const open = adapter.open(parseConnectionConfig('workshop', real as never), ENGINE_CONTEXT);
    await expect(open).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('service account') });
  });

  it('are stored encrypted and never returned', async () => {
    const { svc } = stage;
    const body = { name: 'kept', ...given({ client_email: 'a@b.example', private_key: 'a secret of ours' }) };
    const { status, text } = await svc.post('/mgmt/connections', body, svc.adminToken);
    expect([status, text.includes('a secret of ours')]).toEqual([201, false]);
    const shown = await svc.get('/mgmt/connections/kept', svc.adminToken);
    expect(shown.text).not.toContain('a secret of ours');
    const [row] = await svc.sql<{ config: string }>("select config::text from svc.connections where name = 'kept'");
    expect(row?.config).not.toContain('a secret of ours');
  });

  clientMissing('bigquery', '@google-cloud/bigquery', makeConnection);
});

describe('the BigQuery adapter', () => {
  kitSuite('bigquery', makeConnection);
});
