import { afterAll, expect, it } from 'vitest';
import { parseConnectionConfig } from '../../src/adapters/warehouse/connection-config.ts';
import type { FetchOptions, Warehouse } from '../../src/domain/ports.ts';
import { ENGINES } from '../../src/engines/engines.ts';
import type { GuardedSql } from '../../src/guard/guarded-sql.ts';
import { runWithinRequest } from '../../src/platform/request-storage.ts';
import { runChecks } from '../plugin-kit/run-checks.ts';
import { warehouseChecks } from '../plugin-kit/warehouse-checks.ts';
import { connect, connectionTo, createDatabase } from '../support/postgres.ts';
import { startTestRedshift } from '../support/redshift.ts';

const adapter = ENGINES.find(({ kind }) => kind === 'redshift')!;
const caps: FetchOptions = { maxRows: 100, maxBytes: 1_000_000, timeoutMs: 10_000 };
const guardedSql = (runs: string) =>
  ({ dialect: 'redshift', sql: runs, runs, parameters: [] }) as unknown as GuardedSql;
const open = (): Promise<Warehouse> => adapter.open(connection, { home: '', projectFolder: '', owner: 'test' });
const url = await createDatabase();
const owner = await connect(url);
await owner.query(`
    create table sales (id int primary key, region varchar(20), amount decimal(10,2), sold date, note varchar(40));
    insert into sales values (1,'West',1.10,'2024-02-29',null),(2,'West',2.20,'2024-03-01','it''s'),(3,'East',3.30,null,'漢字');
    create table kinds (i bigint not null, n numeric(38,10), f float8, b boolean, d date, t timestamp, z timestamptz,
      c char(3), v varchar(300));
    comment on table kinds is 'One of each'; comment on column kinds.n is 'Exact';
    insert into kinds values (9223372036854775807, 1234567890123456789012345678.0123456789, 0.1, true, '2024-02-29',
      '2024-02-29 10:00:00.5', '2024-02-29 10:00:00+02', 'ab', 'x'), (0, null, null, false, null, null, null, null, '');
    create view west as select * from sales where region = 'West'`);
const redshift = await startTestRedshift(url);
const connection: ReturnType<typeof parseConnectionConfig> = parseConnectionConfig('lake', {
  ...connectionTo(url),
  kind: 'redshift',
  host: '127.0.0.1',
  port: redshift.port,
});
const warehouse = await open();
afterAll(() => warehouse.close());

it('passes every check of the plugin test kit', { timeout: 120_000 }, async () => {
  const context = { projectFolder: '', home: '', owner: 'kit' };
  const results = await runChecks(warehouseChecks({ adapter, connection, context, table: 'sales' }), () => undefined);
  expect(results.filter(({ ok }) => !ok)).toEqual([]);
  expect(new Set(results.map(({ family }) => family)).size).toBe(15);
});

it('sets the session’s parsing options, tags each statement with its request, and only reads', async () => {
  redshift.log.length = 0;
  const newWarehouse = await open();
  await new Promise<void>((resolve, reject) =>
    runWithinRequest('0b8f7d1e-1111-4222-8333-944445555666', () => {
      newWarehouse
        .fetch(guardedSql('select count(*) from public.sales'), { ...caps, timeoutMs: 4_000 })
        .then(() => resolve(), reject);
    }),
  );
  expect(await newWarehouse.test()).toMatchObject({ ok: true, serverVersion: 'Redshift 1.0.77467', readOnly: true });
  await expect(newWarehouse.fetch(guardedSql('delete from public.sales'), caps)).rejects.toThrow();
  await newWarehouse.close();
  const [session = '', , ...others] = redshift.log;
  expect(session).toContain('enable_case_sensitive_identifier to true');
  expect(others.slice(0, 4)).toEqual([
    'begin read only',
    'set local statement_timeout to 4000',
    "set local query_group to 'svc 0b8f7d1e-1111-4222-8333-944445555666'",
    'select count(*) from public.sales',
  ]);
  expect((await owner.query('select from sales')).rows).toHaveLength(3);
});

it('lists tables with their types, and ignores declared keys', async () => {
  const tables = await warehouse.catalog();
  expect(tables.map(({ schema, table, kind }) => [schema, table, kind])).toEqual([
    ['public', 'kinds', 'table'],
    ['public', 'sales', 'table'],
    ['public', 'west', 'view'],
  ]);
  const [kinds, sales] = tables;
  expect(kinds).toMatchObject({ comment: 'One of each', rowEstimate: null });
  expect(
    kinds!.columns.map(({ name, datatype, nativeType, nullable }) => [name, datatype, nativeType, nullable]),
  ).toEqual([
    ['i', 'integer', 'bigint', false],
    ['n', 'decimal', 'numeric(38,10)', true],
    ['f', 'float', 'double precision', true],
    ['b', 'boolean', 'boolean', true],
    ['d', 'date', 'date', true],
    ['t', 'datetime', 'timestamp without time zone', true],
    ['z', 'datetimetz', 'timestamp with time zone', true],
    ['c', 'string', 'character(3)', true],
    ['v', 'string', 'character varying(300)', true],
  ]);
  expect([sales!.primaryKey, sales!.uniqueKeys]).toEqual([[], []]);
});

it('keeps every digit, and profiles booleans', async () => {
  const { rows } = await warehouse.fetch(
    guardedSql('select i, n, f, b, d, t, z from public.kinds order by i desc'),
    caps,
  );
  expect(rows[0]).toEqual([
    '9223372036854775807',
    '1234567890123456789012345678.0123456789',
    0.1,
    true,
    '2024-02-29',
    '2024-02-29T10:00:00.500',
    '2024-02-29T08:00:00.000Z',
  ]);
  const limits = { maxValues: 5, sampleRows: 100 };
  const [b, i] = await warehouse.profile({ schema: 'public', table: 'kinds' }, ['b', 'i'], limits);
  expect(b).toMatchObject({ distinct: 2, nulls: 0, min: 'false', max: 'true', values: ['false', 'true'] });
  expect(i).toMatchObject({ min: '0', max: '9223372036854775807' });
});

it('estimates rows and cost from the text of a plan', async () => {
  const { rows, cost } = await warehouse.estimate(guardedSql('select * from public.sales'));
  expect(rows).toBeGreaterThan(0);
  expect(cost).toBeGreaterThan(0);
});

it('refuses a database whose public schema has a function named like a built-in one', async () => {
  await owner.query("create function public.upper(integer) returns text language sql as $$ select 'x' $$");
  const newWarehouse = await open();
  try {
    await expect(newWarehouse.fetch(guardedSql('select 1 as one'), caps)).rejects.toThrow(
      /functions with the names of built-in ones: upper/,
    );
  } finally {
    await newWarehouse.close();
    await owner.query('drop function public.upper(integer)');
  }
});
