import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectHeldBack } from '../../../../test/support/held-back.ts';
import { isClientCancellation } from '../../../adapters/warehouse/faults.ts';
import type { FetchOptions, Warehouse } from '../../../domain/ports.ts';
import type { GuardedSql } from '../../../guard/guarded-sql.ts';
import { openDuckDbWarehouse } from './warehouse.ts';

const FLIGHTS = 'node_modules/vega-datasets/data/flights-3m.parquet';
const caps: FetchOptions = { maxRows: 5_000, maxBytes: 16_777_216, timeoutMs: 10_000 };
const sql = (runs: string, parameters: string[] = []) =>
  ({ dialect: 'duckdb', sql: runs, runs, parameters }) as unknown as GuardedSql;
const rss = () => process.memoryUsage().rss / 1e6;

let folder: string;
let warehouse: Warehouse;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-duckdb-'));
  const instance = await DuckDBInstance.create(join(folder, 'lake.duckdb'));
  const connection = await instance.connect();
  await connection.run(`create table flights as from read_parquet('${FLIGHTS}')`);
  await connection.run('create table parents (a int, b int, primary key (a, b), unique (b))');
  await connection.run(
    "create table children (id int primary key, a int, b int, kind varchar, foreign key (a, b) references parents (a, b)); comment on column children.kind is 'What it is'",
  );
  await connection.run('insert into parents select range, range from range(10)');
  await connection.run(
    "insert into children select range, range % 10, range % 10, ['x','y',null][range % 3 + 1] from range(30)",
  );
  connection.closeSync();
  instance.closeSync();
  warehouse = await openDuckDbWarehouse({ path: join(folder, 'lake.duckdb'), label: 'lake.duckdb' });
});
afterAll(async () => {
  await warehouse.close();
  await rm(folder, { recursive: true });
});

const one = async (expression: string) => (await warehouse.fetch(sql(`select ${expression}`), caps)).rows[0];

describe('values', () => {
  it('keeps every digit of integers and decimals as text', async () => {
    expect(
      await one('1::int, 9007199254740993, 99999999999999999999::hugeint, 1.10::decimal(10,2), -0.05::decimal(38,9)'),
    ).toEqual(['1', '9007199254740993', '99999999999999999999', '1.10', '-0.050000000']);
  });
  it('gives floats as numbers, and NaN and infinities by name', async () => {
    expect(await one("0.1::float, 0.1::double, 'nan'::double, '-inf'::float")).toEqual([0.1, 0.1, 'NaN', '-Infinity']);
  });
  it('gives dates and times as ISO text, those with a zone in UTC', async () => {
    expect(
      await one(
        "date '2024-02-29', timestamp '2024-01-01 01:02:03', timestamp '1969-12-31 23:59:59.5', timestamptz '2024-01-01 01:02:03+02', time '10:11:12.5'",
      ),
    ).toEqual([
      '2024-02-29',
      '2024-01-01T01:02:03',
      '1969-12-31T23:59:59.500',
      '2023-12-31T23:02:03.000Z',
      '10:11:12.5',
    ]);
  });
  it('gives lists and structs as JSON, blobs as hex, and null as null', async () => {
    expect(
      await one("[1, null], {'a': 1.5, 'd': [date '2020-01-01']}, map {'k': 1}, '\\xAB'::blob, null, true"),
    ).toEqual(['[1,null]', '{"a":"1.5","d":["2020-01-01"]}', '[["k",1]]', 'ab', null, true]);
  });
  it('binds parameters as their declared datatype', async () => {
    const bound = await warehouse.fetch(
      sql('select $1 + 1, $2 * 2, $3 + interval 1 day, $4, $5', ['i', 'm', 'd', 's', 'b']),
      {
        ...caps,
        parameters: [
          { name: 'b', datatype: 'boolean', value: false },
          { name: 'i', datatype: 'integer', value: '9007199254740993' },
          { name: 'm', datatype: 'decimal', value: '1.10' },
          { name: 'd', datatype: 'date', value: '2024-02-28' },
          { name: 's', datatype: 'string', value: "'; drop table flights --" },
        ],
      },
    );
    expect(bound.rows[0]).toEqual([
      '9007199254740994',
      '2.20',
      '2024-02-29T00:00:00',
      "'; drop table flights --",
      false,
    ]);
    await expect(
      warehouse.fetch(sql('select $1', ['d']), {
        ...caps,
        parameters: [{ name: 'd', datatype: 'date', value: 'soon' }],
      }),
    ).rejects.toMatchObject({ code: 'invalid', param: 'd' });
  });
});

describe('caps', () => {
  it('lets 5,000 of 3,000,000 rows leave, says that there is more, and grows by less than 64 MB', async () => {
    await warehouse.fetch(sql('select * from flights limit 1'), caps);
    const before = rss();
    const fetched = await warehouse.fetch(sql('select * from flights'), caps);
    expect(rss() - before).toBeLessThan(64);
    expect(fetched).toMatchObject({ more: true, bytesCut: false });
    expect(fetched.rows).toHaveLength(5_000);
    expect(fetched.columns.map((column) => column.datatype)).toEqual([
      'datetime',
      'integer',
      'integer',
      'string',
      'string',
    ]);
  });
  it('knows 5,000 rows from 5,001', async () => {
    const rows = (count: number) => warehouse.fetch(sql(`select * from range(${count})`), caps);
    expect((await rows(5_000)).more).toBe(false);
    expect((await rows(5_001)).more).toBe(true);
  });
  it('holds a large result back until there is a place for it, and then gives all of it', async () => {
    const wide = sql("select range || repeat('x', 1000) as t from range(4000)");
    await expectHeldBack((hold) => warehouse.fetch(wide, { ...caps, ...hold }));
    expect(await one('1')).toEqual(['1']);
  });
  it('stops at the byte cap with whole rows only', async () => {
    const fetched = await warehouse.fetch(sql("select repeat('x', 1000) from range(5000)"), {
      ...caps,
      maxBytes: 100_000,
    });
    expect(fetched).toMatchObject({ bytesCut: true, more: false });
    expect(fetched.rows.length).toBeGreaterThan(90);
    expect(fetched.rows.length).toBeLessThan(100);
  });
  it('never decodes a cell of 100 MB', async () => {
    const before = process.memoryUsage().external + process.memoryUsage().heapUsed;
    const fetched = await warehouse.fetch(sql("select null, repeat('x', 100000000)"), caps);
    expect(fetched).toMatchObject({ rows: [], bytesCut: true });
    expect((process.memoryUsage().external + process.memoryUsage().heapUsed - before) / 1e6).toBeLessThan(64);
  });
});

describe('stopping', () => {
  const endless = sql('select count(*) from range(100000000) a, range(100000) b');
  it('interrupts at the timeout, and the warehouse goes on working', async () => {
    const started = performance.now();
    await expect(warehouse.fetch(endless, { ...caps, timeoutMs: 200 })).rejects.toMatchObject({ code: 'timeout' });
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(await one('1')).toEqual(['1']);
  });
  it('interrupts when the client goes away, before or during the statement', async () => {
    const leaving = new AbortController();
    setTimeout(() => leaving.abort(), 100);
    const error = await warehouse
      .fetch(endless, { ...caps, signal: leaving.signal })
      .catch((caught: unknown) => caught);
    expect(isClientCancellation(error)).toBe(true);
    const gone = await warehouse
      .fetch(endless, { ...caps, signal: AbortSignal.abort() })
      .catch((caught: unknown) => caught);
    expect(isClientCancellation(gone)).toBe(true);
  });
});

describe('the engine as the second layer', () => {
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
    const checksum = 'count(*), sum(delay), sum(hash(flights)) from flights';
    const before = await one(checksum);
    await expect(warehouse.fetch(sql(statement), caps)).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringMatching(/^The warehouse could not run the statement\. /),
    });
    expect(await one(checksum)).toEqual(before);
  });
  it('keeps a stored value out of both message and detail', async () => {
    const error = await warehouse.fetch(sql("select 'top secret'::int"), caps).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'upstream', details: [{ code: 'bad_value' }] });
    expect((error as Error).message).not.toContain('top secret');
    expect((error as { detail: string }).detail).not.toContain('top secret');
  });
});

describe('looking without fetching', () => {
  it('describes the columns of a statement', async () => {
    expect(
      await warehouse.describe(sql('select origin, avg(delay) as d, count(*) n from flights group by 1'), {
        timeoutMs: 1_000,
      }),
    ).toEqual([
      { name: 'origin', datatype: 'string' },
      { name: 'd', datatype: 'float' },
      { name: 'n', datatype: 'integer' },
    ]);
    await expect(warehouse.describe(sql('select nothing from flights'), { timeoutMs: 1_000 })).rejects.toMatchObject({
      code: 'upstream',
      detail: expect.stringContaining('"nothing"'),
    });
  });
  it('estimates rows', async () => {
    expect((await warehouse.estimate(sql('select * from flights'))).rows).toBe(3_000_000);
  });
  it('reads tables, keys and comments', async () => {
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
  it('profiles columns whole, and by a sample when the table is large', async () => {
    const options = { maxValues: 5, sampleRows: 10_000 };
    expect(await warehouse.profile({ schema: null, table: 'children' }, ['kind', 'id'], options)).toEqual([
      {
        table: 'children',
        column: 'kind',
        rows: 30,
        nulls: 10,
        distinct: 2,
        min: 'x',
        max: 'y',
        values: ['x', 'y'],
        sampled: false,
      },
      {
        table: 'children',
        column: 'id',
        rows: 30,
        nulls: 0,
        distinct: 30,
        min: '0',
        max: '29',
        values: null,
        sampled: false,
      },
    ]);
    const [origin] = await warehouse.profile({ schema: 'main', table: 'flights' }, ['origin'], options);
    expect(origin).toMatchObject({ rows: 3_000_000, distinct: null, values: null, sampled: true });
  });
  it('tells its version and that it is read-only', async () => {
    expect(await warehouse.test()).toMatchObject({
      ok: true,
      readOnly: true,
      serverVersion: expect.stringMatching(/^DuckDB v1/),
    });
  });
});

describe('files that can not be opened', () => {
  it('names a missing file and says what to do', async () => {
    const opening = openDuckDbWarehouse({ path: join(folder, 'none.duckdb'), label: 'warehouse/none.duckdb' });
    await expect(opening).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/"warehouse\/none\.duckdb" does not exist/),
    });
  });
  it('says that another program holds the file', async () => {
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
