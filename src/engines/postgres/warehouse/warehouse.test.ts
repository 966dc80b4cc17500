import { afterAll, describe, expect, it, vi } from 'vitest';
import { caseRows } from '../../../../test/support/case-rows.ts';
import { expectHeldBack } from '../../../../test/support/held-back.ts';
import { connect, connectionTo, createDatabase } from '../../../../test/support/postgres.ts';
import { isClientCancellation } from '../../../adapters/warehouse/faults.ts';
import type { Cell, FetchOptions } from '../../../domain/ports.ts';
import type { GuardedSql } from '../../../guard/guarded-sql.ts';
import type { PostgresOptions } from './sessions.ts';
import { openPostgresWarehouse } from './warehouse.ts';

const FETCH_LIMITS: FetchOptions = { maxRows: 5_000, maxBytes: 16_777_216, timeoutMs: 10_000 };
const createGuardedSql = (runs: string) =>
  ({ dialect: 'postgres', sql: runs, runs, parameters: [] }) as unknown as GuardedSql;
const url = new URL(await createDatabase());
const owner = await connect(url.href);
await owner.query(`
    create table parents (a int, b int, primary key (a, b), unique (b));
    create table children (id int primary key, a int, b int, kind varchar(9), price numeric(10,2), at timestamptz,
      foreign key (a, b) references parents (a, b));
    comment on table children is 'Small ones'; comment on column children.kind is 'What it is';
    insert into parents select n, n from generate_series(0, 9) n;
    insert into children select n, n % 10, n % 10, (array['x','y',null])[n % 3 + 1], n * 1.10, '2024-01-01' from generate_series(0, 29) n;
    create table many as select n, 'row ' || n as name from generate_series(1, 60000) n; analyze many;`);
const options: PostgresOptions = { ...connectionTo(url), ssl: false };
const warehouse = await openPostgresWarehouse(options);
afterAll(() => warehouse.close());

const fetchSql = (runs: string, limits: Partial<FetchOptions> = {}) =>
  warehouse.fetch(createGuardedSql(runs), { ...FETCH_LIMITS, ...limits });
const fetchRow = async (expression: string) => (await fetchSql(`select ${expression}`)).rows[0];
const catchFault = (work: Promise<unknown>): Promise<unknown> => work.then(() => null).catch((error) => error);
const isBusy = async (mark: string) => {
  const text = `select 1 from pg_stat_activity where query like '%' || $1 || '%' and state = 'active' and pid <> pg_backend_pid()`;
  return (await owner.query(text, [mark])).rowCount!;
};

// test/plugins/our-adapters.test.ts runs the checks that apply to every engine.
it.each(caseRows<[string, Cell[]]>(import.meta.dirname, 'values.test.jsonl'))(
  'returns %s exactly',
  async (text, cells) => {
    expect(await fetchRow(text)).toEqual(cells);
  },
);

describe('caps', () => {
  it('holds a large result back until there is room, and then returns the whole result', async () => {
    const wide = "select n || repeat('x', 1000) as t from many where n <= 4000";
    await expectHeldBack((hold) => fetchSql(wide, hold));
    expect(await fetchRow('1')).toEqual(['1']);
  });
  it('stops reading a cell of 100 MB', async () => {
    const rssBefore = process.memoryUsage.rss();
    const fetched = await fetchSql("select repeat('x', 100000000)", { maxBytes: 4_000_000 });
    expect(fetched).toMatchObject({ rows: [], bytesCut: true });
    expect((process.memoryUsage.rss() - rssBefore) / 1e6).toBeLessThan(90);
    await expect.poll(() => isBusy('100000000'), { timeout: 10_000 }).toBe(0);
  });
});

describe('stopping a statement', () => {
  it('ends the statement at the timeout, on the server too', async () => {
    const startedAt = performance.now();
    const fault = await catchFault(fetchSql('select pg_sleep(60), 4711', { timeoutMs: 300 }));
    expect(fault).toMatchObject({ code: 'timeout' });
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    await expect.poll(() => isBusy('4711'), { timeout: 10_000 }).toBe(0);
  });
  it('frees the backend when the client disconnects', async () => {
    const abortController = new AbortController();
    const pendingFault = catchFault(fetchSql('select pg_sleep(60), 4712', { signal: abortController.signal }));
    await expect.poll(() => isBusy('4712'), { timeout: 15_000 }).toBe(1);
    abortController.abort();
    expect(isClientCancellation(await pendingFault)).toBe(true);
    await expect.poll(() => isBusy('4712'), { timeout: 15_000, interval: 50 }).toBe(0);
    expect(await fetchRow('1')).toEqual(['1']);
  });
  it('leaves no connection in a transaction', async () => {
    const { rows } = await owner.query(
      "select state from pg_stat_activity where datname = current_database() and state like 'idle in%'",
    );
    expect(rows).toEqual([]);
  });
});

describe('the engine without the guard', () => {
  const computeChecksum = async () =>
    (
      await owner.query(
        "select (select md5(string_agg(c::text, ',' order by id)) from children c) as c, (select count(*) from pg_largeobject_metadata) as l, (select count(*) from pg_class) as t",
      )
    ).rows;
  it.each([
    'commit',
    'rollback',
    'begin',
    'set transaction read write',
    'set statement_timeout = 0',
    'discard all',
    'reset all',
    'select 1; select 2',
    'commit; drop table children',
    'select 1; drop table children',
    '--$$\n;drop table children',
    'drop table children',
    'delete from children',
    'insert into children (id) values (99) returning id',
    'with gone as (delete from children returning id) select * from gone',
    'select * into copied from children',
    'create temp table t as select 1',
    "copy children to '/tmp/svc-canary.csv'",
    "copy (select 1) to program 'true'",
    'copy children to stdout',
    'lock table children',
    'select * from children for update',
    "select setval('none', 1)",
    'do $$ begin delete from children; end $$',
    'listen x',
    'vacuum',
    'explain analyze delete from children',
  ])('G-CANARY: refuses %s', async (statement) => {
    const checksumBefore = await computeChecksum();
    const error = await catchFault(fetchSql(statement, { timeoutMs: 3_000 }));
    expect(error).toMatchObject({
      code: 'upstream',
      message: expect.stringMatching(/^The warehouse could not run the statement\. /),
    });
    expect(await computeChecksum()).toEqual(checksumBefore);
    expect(await fetchRow("current_setting('transaction_read_only')")).toEqual(['on']);
  });
  it.each([
    'select lo_create(0)',
    "select lo_from_bytea(0, 'x')",
    "select pg_notify('x', 'y')",
    "select set_config('transaction_read_only', 'off', false)",
  ])('G-CANARY: undoes %s', async (statement) => {
    const checksumBefore = await computeChecksum();
    await catchFault(fetchSql(statement));
    expect(await computeChecksum()).toEqual(checksumBefore);
    expect(await fetchRow("current_setting('transaction_read_only')")).toEqual(['on']);
  });
  it('releases advisory locks with the statement', async () => {
    await fetchSql('select pg_advisory_lock(4713)');
    expect((await owner.query('select pg_try_advisory_lock(4713) as free')).rows).toEqual([{ free: true }]);
    await owner.query('select pg_advisory_unlock(4713)');
  });
  it('keeps a stored value out of message and detail', async () => {
    const error = await catchFault(fetchSql("select kind::int from children where kind = 'x'"));
    expect(error).toMatchObject({
      code: 'upstream',
      details: [{ code: 'bad_value' }],
      detail: expect.stringContaining('22P02'),
    });
    expect((error as { detail: string }).detail).not.toContain('"x"');
  });
});

describe('statistics and the catalog', () => {
  it('include an estimate of rows and cost', async () => {
    const estimate = await warehouse.estimate(createGuardedSql('select * from many'));
    expect(estimate.rows).toBe(60_000);
    expect(estimate.cost).toBeGreaterThan(0);
  });
  it('include tables, keys and comments', async () => {
    const children = (await warehouse.catalog()).find((table) => table.table === 'children')!;
    expect(children).toMatchObject({ schema: 'public', kind: 'table', comment: 'Small ones', primaryKey: ['id'] });
    expect(children.foreignKeys).toMatchObject([
      { columns: ['a', 'b'], to: { schema: 'public', table: 'parents', columns: ['a', 'b'] } },
    ]);
    expect(children.columns[3]).toEqual({
      name: 'kind',
      datatype: 'string',
      nativeType: 'character varying(9)',
      nullable: true,
      comparesAsText: true,
      comment: 'What it is',
    });
  });
  it('include the profile of a sample of a large table', async () => {
    const sample = { maxValues: 5, sampleRows: 1_000 };
    const [n] = await warehouse.profile({ schema: 'public', table: 'many' }, ['n'], sample);
    expect(n).toMatchObject({ rows: 60_000, nulls: 0, distinct: null, values: null, sampled: true });
  });
});

describe('a server that svc can’t reach', () => {
  const tryWith = async (changes: Partial<PostgresOptions>) => {
    const otherWarehouse = await openPostgresWarehouse({ ...options, ...changes });
    const error = (await catchFault(otherWarehouse.fetch(createGuardedSql('select 1'), FETCH_LIMITS))) as Error;
    expect(await otherWarehouse.test()).toMatchObject({ ok: false });
    await otherWarehouse.close();
    return error;
  };
  it.each<[string, Partial<PostgresOptions>]>([
    ['a wrong password', { password: 'wrong' }],
    ['an empty password', { password: '' }],
    ['a missing database', { database: 'none' }],
    ['a closed port', { port: 1 }],
    ['a server without the required TLS', { ssl: { verify: false } }],
  ])('is reported as unreachable, without host or user, for %s', async (_, changes) => {
    const error = await tryWith(changes);
    expect(error).toMatchObject({ code: 'unreachable' });
    expect(error.message).not.toContain(options.host);
    expect(error.message).not.toContain(options.user);
  });
  it('gets new connections after it ended the old connections', async () => {
    await fetchRow('1');
    await owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'svc' and datname = current_database()",
    );
    await expect.poll(() => fetchRow('1').catch(() => null)).toEqual(['1']);
  });
});

it('keeps the slot of a backend that can’t be stopped until it finishes, and counts it', async () => {
  const single = await openPostgresWarehouse({ ...options, maxConnections: 1 });
  const slowSql = createGuardedSql('select /* not stopped */ pg_sleep(60)');
  const slow = catchFault(single.fetch(slowSql, { ...FETCH_LIMITS, timeoutMs: 2_000 }));
  const find = "select pid from pg_stat_activity where query like '%not stopped%' and pid <> pg_backend_pid()";
  const pid = await vi.waitFor(async () => (await owner.query(find)).rows[0].pid as number);
  // A stopped process ignores cancel requests, as a backend does while it plans a statement.
  process.kill(pid, 'SIGSTOP');
  try {
    expect(await slow).toMatchObject({ code: 'timeout' });
    const nextFault = await catchFault(single.fetch(createGuardedSql('select 1'), { ...FETCH_LIMITS, timeoutMs: 200 }));
    expect([nextFault, await isBusy('not stopped')]).toMatchObject([{ code: 'timeout' }, 1]);
    await expect.poll(() => single.stuck!(), { timeout: 10_000 }).toBe(1);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await expect.poll(() => single.stuck!(), { timeout: 10_000 }).toBe(0);
  expect((await single.fetch(createGuardedSql('select 1'), FETCH_LIMITS)).rows).toEqual([['1']]);
  await single.close();
}, 120_000);
