import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caseRows } from '../../../../test/support/case-rows.ts';
import { createDuckdbFile } from '../../../../test/support/duckdb-file.ts';
import { expectHeldBack } from '../../../../test/support/held-back.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { isClientCancellation } from '../../../adapters/warehouse/faults.ts';
import type { Cell, FetchOptions } from '../../../domain/ports.ts';
import type { GuardedSql } from '../../../guard/guarded-sql.ts';
import { openDuckDbWarehouse } from './warehouse.ts';

const FLIGHTS = 'node_modules/vega-datasets/data/flights-3m.parquet';
const FETCH_LIMITS: FetchOptions = { maxRows: 5_000, maxBytes: 16_777_216, timeoutMs: 10_000 };
const createGuardedSql = (runs: string, parameters: string[] = []) =>
  ({ dialect: 'duckdb', sql: runs, runs, parameters }) as unknown as GuardedSql;
const measureResidentMemory = () => process.memoryUsage().rss / 1e6;
const folder = await temporaryFolder();
await createDuckdbFile(
  join(folder, 'lake.duckdb'),
  `create table flights as from read_parquet('${FLIGHTS}')`,
  'create table parents (a int, b int, primary key (a, b), unique (b))',
  "create table children (id int primary key, a int, b int, kind varchar, foreign key (a, b) references parents (a, b)); comment on column children.kind is 'What it is'",
  'insert into parents select range, range from range(10)',
  "insert into children select range, range % 10, range % 10, ['x','y',null][range % 3 + 1] from range(30)",
);
const warehouse = await openDuckDbWarehouse({ path: join(folder, 'lake.duckdb'), label: 'lake.duckdb' });
afterAll(() => warehouse.close());

const fetchSql = (runs: string, limits: Partial<FetchOptions> = {}) =>
  warehouse.fetch(createGuardedSql(runs), { ...FETCH_LIMITS, ...limits });
const fetchRow = async (expression: string) => (await fetchSql(`select ${expression}`)).rows[0];

// test/plugins/our-adapters.test.ts runs the checks that apply to every engine.
it.each(caseRows<[string, Cell[]]>(import.meta.dirname, 'values.test.jsonl'))(
  'returns %s exactly',
  async (text, cells) => {
    expect(await fetchRow(text)).toEqual(cells);
  },
);

it('refuses a parameter that isn’t a value of its datatype', async () => {
  const parameters = [{ name: 'd', datatype: 'date' as const, value: 'soon' }];
  const boundFetch = warehouse.fetch(createGuardedSql('select $1', ['d']), { ...FETCH_LIMITS, parameters });
  await expect(boundFetch).rejects.toMatchObject({ code: 'invalid', param: 'd' });
});

describe('caps', () => {
  it('returns 5,000 of 3,000,000 rows, reports that there are more, and grows by less than 64 MB', async () => {
    await fetchSql('select * from flights limit 1');
    const rssBefore = measureResidentMemory();
    const fetched = await fetchSql('select * from flights');
    expect(measureResidentMemory() - rssBefore).toBeLessThan(64);
    expect(fetched).toMatchObject({ more: true, bytesCut: false });
    expect(fetched.rows).toHaveLength(5_000);
    const datatypes = fetched.columns.map((column) => column.datatype);
    expect(datatypes).toEqual(['datetime', 'integer', 'integer', 'string', 'string']);
  });
  it('holds a large result back until there is room, and then returns the whole result', async () => {
    await expectHeldBack((hold) => fetchSql("select range || repeat('x', 1000) as t from range(4000)", hold));
    expect(await fetchRow('1')).toEqual(['1']);
  });
  it('never decodes a cell of 100 MB', async () => {
    const memoryBefore = process.memoryUsage().external + process.memoryUsage().heapUsed;
    const fetched = await fetchSql("select null, repeat('x', 100000000)");
    expect(fetched).toMatchObject({ rows: [], bytesCut: true });
    expect((process.memoryUsage().external + process.memoryUsage().heapUsed - memoryBefore) / 1e6).toBeLessThan(64);
  });
});

it('reports a statement as canceled if its client disconnects before or while it runs', async () => {
  const endless = 'select count(*) from range(100000000) a, range(100000) b';
  const abortController = new AbortController();
  setTimeout(() => abortController.abort(), 100);
  for (const signal of [abortController.signal, AbortSignal.abort()]) {
    expect(isClientCancellation(await fetchSql(endless, { signal }).catch((error: unknown) => error))).toBe(true);
  }
});

describe('the engine without the guard', () => {
  const computeChecksum = () => fetchRow('count(*), sum(delay), sum(hash(flights)) from flights');
  let checksumBefore: Cell[] | undefined;
  beforeAll(async () => {
    checksumBefore = await computeChecksum();
  });
  it.each([
    "select * from read_csv('/etc/passwd')",
    "select * from read_text('/etc/passwd')",
    "select * from glob('/etc/*')",
    "from '/etc/passwd'",
    "copy (select 1) to '/tmp/svc-canary.csv'",
    "export database '/tmp/svc-canary'",
    "attach '/tmp/svc-canary.duckdb'",
    'install httpfs',
    'load httpfs',
    'create temp table t as select 1',
    'insert into flights select * from flights',
    'delete from flights',
    'drop table flights',
    'checkpoint',
    'begin transaction',
    'commit',
    "set memory_limit = '4GB'",
    'set enable_external_access = true',
    'create secret s (type s3)',
    'select 1; select 2',
    'select 1; delete from flights',
  ])('refuses %s', async (statement) => {
    await expect(fetchSql(statement)).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringMatching(/^The warehouse could not run the statement\. /),
    });
  });
  it('changes no row for any of these statements', async () => {
    expect(await computeChecksum()).toEqual(checksumBefore);
  });
  it('keeps a stored value out of message and detail', async () => {
    const hidden = expect.not.stringContaining('top secret');
    const fault = { code: 'upstream', message: hidden, detail: hidden, details: [{ code: 'bad_value' }] };
    await expect(fetchSql("select 'top secret'::int")).rejects.toMatchObject(fault);
  });
});

it('sorts more rows than fit into memory, in two instances at once', async () => {
  const opened = { path: join(folder, 'lake.duckdb'), label: 'lake.duckdb', memoryLimit: '60MB', threads: 1 };
  const warehouses = await Promise.all([openDuckDbWarehouse(opened), openDuckDbWarehouse(opened)]);
  const sql = 'select max(r) from (select row_number() over (order by delay, distance, origin) r from flights)';
  const fetched = await Promise.all(
    warehouses.map((small) => small.fetch(createGuardedSql(sql), { ...FETCH_LIMITS, timeoutMs: 100_000 })),
  );
  await Promise.all(warehouses.map((small) => small.close()));
  expect(fetched.map(({ rows }) => Number(rows[0]![0]))).toEqual([3_000_000, 3_000_000]);
}, 120_000);

describe('statistics and the catalog', () => {
  it('include an estimate of rows', async () => {
    expect((await warehouse.estimate(createGuardedSql('select * from flights'))).rows).toBe(3_000_000);
  });
  it('include tables, keys and comments', async () => {
    const children = (await warehouse.catalog()).find((table) => table.table === 'children')!;
    expect(children).toMatchObject({ schema: 'main', kind: 'table', primaryKey: ['id'], rowEstimate: 30 });
    expect(children.foreignKeys).toMatchObject([
      { columns: ['a', 'b'], to: { schema: 'main', table: 'parents', columns: ['a', 'b'] } },
    ]);
    expect(children.columns[3]).toEqual({
      name: 'kind',
      datatype: 'string',
      nativeType: 'VARCHAR',
      nullable: true,
      comment: 'What it is',
    });
  });
  it('include the profile of a sample of a large table', async () => {
    const options = { maxValues: 5, sampleRows: 10_000 };
    const [origin] = await warehouse.profile({ schema: 'main', table: 'flights' }, ['origin'], options);
    expect(origin).toMatchObject({ rows: 3_000_000, distinct: null, values: null, sampled: true });
  });
});

describe('a file that can’t be opened', () => {
  it('is reported as missing, with its name', async () => {
    const pendingOpen = openDuckDbWarehouse({ path: join(folder, 'none.duckdb'), label: 'warehouse/none.duckdb' });
    await expect(pendingOpen).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/"warehouse\/none\.duckdb" does not exist/),
    });
  });
  it('is reported as locked by another program', async () => {
    const path = join(folder, 'held.duckdb');
    const { spawn } = await import('node:child_process');
    const holder = spawn(process.execPath, [
      '-e',
      `require('@duckdb/node-api').DuckDBInstance.create(${JSON.stringify(path)}).then(async (i) => { globalThis.c = await i.connect(); console.log('held'); setInterval(() => {}, 1000); })`,
    ]);
    await new Promise((resolve) => holder.stdout.once('data', resolve));
    try {
      await expect(openDuckDbWarehouse({ path, label: 'held.duckdb' })).rejects.toMatchObject({
        code: 'unreachable',
        message: expect.stringMatching(/"held\.duckdb" is locked by another program/),
      });
    } finally {
      holder.kill('SIGKILL');
    }
  });
});
