import { copyFile, mkdir, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import type { GuardedSql } from '../../../guard/guarded-sql.ts';
import { buildDuckDbFiles, type SourceFiles } from './files.ts';
import { openDuckDbWarehouse } from './warehouse.ts';

const ORDERS = `select "Region" as region, "Sales"::decimal(18,4) as sales from source`;
let folder: string;
let roots: { projectFolder: string; home: string };
beforeEach(async () => {
  folder = await temporaryFolder();
  roots = { projectFolder: join(folder, 'project'), home: join(folder, 'home') };
  await mkdir(join(roots.projectFolder, 'data'), { recursive: true });
  await mkdir(roots.home);
  await symlink(join(process.cwd(), 'node_modules'), join(roots.projectFolder, 'node_modules'));
  await copyFile('data/superstore.parquet', join(roots.projectFolder, 'data/superstore.parquet'));
  await writeFile(join(roots.projectFolder, 'data/a.csv'), 'id,price\n1,1.10\n2,2.20\n');
  await writeFile(join(roots.projectFolder, 'data/b.json'), '[{"id": 1, "name": "x"}]');
});
afterEach(() => rm(folder, { recursive: true }));

const buildFiles = (files: SourceFiles) => buildDuckDbFiles(files, roots, 'org/shop');
const fetchRows = async (path: string, runs: string) => {
  const warehouse = await openDuckDbWarehouse({ path, label: 'built' });
  const statement = { dialect: 'duckdb', sql: runs, runs, parameters: [] } as unknown as GuardedSql;
  const { rows } = await warehouse.fetch(statement, { maxRows: 10, maxBytes: 10_000, timeoutMs: 5_000 });
  await warehouse.close();
  return rows;
};
const CSV_SOURCE = { path: './data/a.csv', select: 'select id, price::decimal(10,2) as price from source' };

it('builds tables from CSV, JSON, Parquet and npm package files, with money as DECIMAL', async () => {
  const orders = { path: 'data/superstore.parquet', select: ORDERS };
  const airports = { path: 'node_modules/vega-datasets/data/airports.csv' };
  const path = await buildFiles({ orders, a: CSV_SOURCE, airports, b: { path: 'data/b.json' } });
  expect(await fetchRows(path, 'select count(*), sum(sales) from orders')).toEqual([['9994', '2297200.8603']]);
  expect(await fetchRows(path, 'select count(*) from airports')).toEqual([['3376']]);
  expect(await fetchRows(path, 'select price from a order by id')).toEqual([['1.10'], ['2.20']]);
  expect(await fetchRows(path, 'select * from b')).toEqual([['1', 'x']]);
});

it('builds 40 small CSV files within its memory limit', async () => {
  const files: SourceFiles = {};
  for (let nth = 0; nth < 40; nth++) {
    await writeFile(join(roots.projectFolder, `data/small_${nth}.csv`), `id,price\n${nth},1.10\n`);
    files[`small_${nth}`] = { path: `data/small_${nth}.csv` };
  }
  expect(await fetchRows(await buildFiles(files), 'select id from small_39')).toEqual([['39']]);
});

it('builds the same files once, regardless of the order in which a connection lists them', async () => {
  const b = { path: 'data/b.json' };
  expect(await buildFiles({ b, a: CSV_SOURCE })).toBe(await buildFiles({ a: CSV_SOURCE, b }));
});

const MONEY = ['1234567890123456.0001', '0.30', '-99999999999999999999.123456789012345678', '.5'];
const EXACT = [
  '1234567890123456.000100000000000000',
  '0.300000000000000000',
  '-99999999999999999999.123456789012345678',
  '0.500000000000000000',
];
const fetchDigits = async (path: string, table: string) =>
  (await fetchRows(path, `select cast(amount as varchar) from ${table} order by id`)).map(([cell]) => cell);

it('keeps every digit of the decimals of a CSV file', async () => {
  const lines = MONEY.map((money, n) => `${n},${money},${money},1234567890123456789${n}0`);
  await writeFile(join(roots.projectFolder, 'data/m.csv'), ['id,amount,"the ""sum""",big', ...lines].join('\n'));
  const path = await buildFiles({ m: { path: 'data/m.csv' } });
  expect(await fetchDigits(path, 'm')).toEqual(EXACT);
  expect(await fetchRows(path, 'select cast(max("the ""sum""") as varchar), cast(max(big) as varchar) from m')).toEqual(
    [[EXACT[0], '123456789012345678930']],
  );
});

it('keeps every digit in a CSV file without a header, and in a select over the file', async () => {
  await writeFile(join(roots.projectFolder, 'data/m.csv'), '0;0.1\n1;1234567890123456.0001\n');
  const select = 'select column0 as id, column1 * 3 as amount from source';
  const path = await buildFiles({ m: { path: 'data/m.csv', select } });
  expect(await fetchDigits(path, 'm')).toEqual(['0.3000', '3703703670370368.0003']);
});

it.each([
  ['an array', (rows: string[]) => `[${rows.join(',\n')}]`],
  ['a record in each line', (rows: string[]) => rows.join('\n')],
])('keeps every digit of the decimals of a JSON file with %s', async (_name, whole) => {
  const rows = MONEY.slice(0, 3).map(
    (money, n) => `{"id": ${n}, "note": "\\"amount\\": 7", "amount": ${money}, "nested": {"b": 0.5}}`,
  );
  await writeFile(join(roots.projectFolder, 'data/m.json'), whole([...rows, '{"id": 9, "amount": null}']));
  const path = await buildFiles({ m: { path: 'data/m.json' } });
  expect(await fetchDigits(path, 'm')).toEqual([...EXACT.slice(0, 3), null]);
});

it('reads numbers with exponents, and numbers wider than a DECIMAL, as floats', async () => {
  const text = `id,amount,wide\n1,1e300,${'9'.repeat(39)}.5\n2,0.5,1.5\n`;
  await writeFile(join(roots.projectFolder, 'data/m.csv'), text);
  const path = await buildFiles({ m: { path: 'data/m.csv' } });
  expect(await fetchRows(path, 'select distinct typeof(amount), typeof(wide) from m')).toEqual([['DOUBLE', 'DOUBLE']]);
});

it('builds again only when a file or its select changes, and removes the older build', async () => {
  const firstPath = await buildFiles({ a: CSV_SOURCE });
  expect(await buildFiles({ a: CSV_SOURCE })).toBe(firstPath);
  await writeFile(join(roots.projectFolder, 'data/a.csv'), 'id,price\n1,9.90\n');
  await utimes(join(roots.projectFolder, 'data/a.csv'), 1, 1);
  const secondPath = await buildFiles({ a: CSV_SOURCE });
  expect(secondPath).not.toBe(firstPath);
  expect(await fetchRows(secondPath, 'select price from a')).toEqual([['9.90']]);
  const third = await buildFiles({ a: { ...CSV_SOURCE, select: 'select id from source' } });
  expect(await readdir(join(roots.home, 'warehouses'))).toEqual([third.split('/').pop()]);
});

it('shares one warehouse between simultaneous builds', async () => {
  const paths = await Promise.all(Array.from({ length: 4 }, () => buildFiles({ a: CSV_SOURCE })));
  expect(new Set(paths).size).toBe(1);
  expect(await fetchRows(paths[0]!, 'select count(*) from a')).toEqual([['2']]);
});

it('continues after another build was killed', async () => {
  const path = await buildFiles({ a: CSV_SOURCE });
  await rm(path);
  await writeFile(path.replace(/-[^-]*$/, '.lock'), '999999999');
  expect(await buildFiles({ a: CSV_SOURCE })).toBe(path);
});

it('names every missing file', async () => {
  const pendingBuild = buildFiles({ a: { path: 'data/none.csv' }, b: { path: 'data/nil.parquet' } });
  await expect(pendingBuild).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringMatching(/data\/none\.csv.*data\/nil\.parquet/),
  });
});

it.each(['../outside.csv', '/etc/hosts.csv', 'data/linked.csv', 'data/../../outside.csv'])(
  'refuses %s, outside the project',
  async (path) => {
    await writeFile(join(folder, 'outside.csv'), 'a\n1\n');
    await symlink(join(folder, 'outside.csv'), join(roots.projectFolder, 'data/linked.csv'));
    await expect(buildFiles({ a: { path } })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('outside the project'),
    });
  },
);

it('refuses svc’s own credentials and the warehouses that it built', async () => {
  await writeFile(join(roots.home, 'credentials.json'), '{"admin_token": "x"}');
  await expect(buildFiles({ a: { path: '../home/credentials.json' } })).rejects.toMatchObject({ code: 'invalid' });
  await writeFile(join(roots.home, 'postgres.json'), '{"password": "x"}');
  await expect(buildFiles({ a: { path: '../home/postgres.json' } })).rejects.toMatchObject({ code: 'invalid' });
  await symlink(join(roots.home, 'postgres.json'), join(roots.projectFolder, 'data/harmless.json'));
  await expect(buildFiles({ a: { path: 'data/harmless.json' } })).rejects.toMatchObject({ code: 'invalid' });
  const built = await buildFiles({ a: CSV_SOURCE });
  await copyFile(built, join(roots.home, 'warehouses/other.json'));
  await expect(buildFiles({ b: { path: '../home/warehouses/other.json' } })).rejects.toMatchObject({ code: 'invalid' });
});

it.each([
  ["select * from read_csv('/etc/passwd')", /does not run|failed on a row/],
  ['select 1; drop table main.a', /select does not run/],
  ["copy (select 1) to '/tmp/svc-canary.csv'", /select/],
  ['select nothing from source', /Referenced column "nothing" not found/],
  ['create table x as select 1', /must be one SELECT/],
])('refuses the select %s', async (select, message) => {
  await expect(buildFiles({ a: { ...CSV_SOURCE, select } })).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(message),
  });
});

it('keeps a stored value out of the message when a cast fails', async () => {
  await writeFile(join(roots.projectFolder, 'data/a.csv'), 'id\nsecret-word\n');
  const error = await buildFiles({ a: { path: 'data/a.csv', select: 'select id::int as id from source' } }).catch(
    (caught: Error) => caught,
  );
  expect((error as Error).message).toBe('Table "a": its select failed on a row of the file.');
});

const fetchTypes = (path: string, table: string) =>
  fetchRows(path, `select column_name, data_type from information_schema.columns where table_name = '${table}'`).then(
    (rows) => Object.fromEntries(rows as [string, string][]),
  );
const DATES = [
  'id,us,dot,slash,named,short,comma,grouped,code,seen',
  '1,Jun 12 1998,29.07.2025,13/02/2025,3 May 2001,01/02/25,"34,62","1,234.50","1,234",29.07.2025 13:45',
  '2,May 3 1999,01.08.2025,03/04/2025,12 June 2001,03/04/25,"1.205,00",12.00,"5,678",01.08.2025 08:00',
];

it('reads dates and decimals that have only one meaning', async () => {
  await writeFile(join(roots.projectFolder, 'data/w.csv'), DATES.join('\n'));
  const path = await buildFiles({ w: { path: 'data/w.csv' } });
  expect(await fetchTypes(path, 'w')).toEqual({
    ...{ id: 'BIGINT', us: 'DATE', dot: 'DATE', slash: 'DATE', named: 'DATE', short: 'VARCHAR', code: 'VARCHAR' },
    ...{ comma: 'DECIMAL(18,2)', grouped: 'DECIMAL(18,2)', seen: 'TIMESTAMP' },
  });
  const [firstRow] = await fetchRows(
    path,
    'select us::text, dot::text, slash::text, named::text, comma, grouped, seen::text from w order by id',
  );
  expect(firstRow).toEqual([
    '1998-06-12',
    '2025-07-29',
    '2025-02-13',
    '2001-05-03',
    '34.62',
    '1234.50',
    '2025-07-29 13:45:00',
  ]);
});

it('keeps a date as text if day and month are ambiguous, and lets a select convert it', async () => {
  const file = join(roots.projectFolder, 'data/g.csv');
  await writeFile(file, 'id,d,t,n\n1,01/02/2025,01/02/25,Jun 12 1998\n2,03/04/2025,03/04/25,May 3 1999\n');
  const plainPath = await buildFiles({ g: { path: 'data/g.csv' } });
  expect(await fetchTypes(plainPath, 'g')).toMatchObject({ d: 'VARCHAR', t: 'VARCHAR', n: 'DATE' });
  const select =
    "select * replace (strptime(d, '%m/%d/%Y')::date as d, strptime(n, '%b %d %Y')::date as n) from source";
  const selectedPath = await buildFiles({ g: { path: 'data/g.csv', select } });
  expect(await fetchRows(selectedPath, 'select d::text, n::text from g order by id')).toEqual([
    ['2025-01-02', '1998-06-12'],
    ['2025-03-04', '1999-05-03'],
  ]);
});
