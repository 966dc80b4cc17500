// Indirect ways to see more than allowed: a warehouse's overload of an allowed function, the SELECT of a file that
// reads engine internals, and the raw statistics of a connection.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createUser } from '../../src/domain/users/users.ts';
import { startTestApp } from '../support/app.ts';
import { lensText } from '../support/lens-text.ts';
import { connectionTo, createDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PASSWORD = 'a long enough password';
const LENS = lensText(`name: people
connection: wh
datasets:
  people: public.people (id integer key, name string, loud string {expression: upper(name)})
`);
const folder = await temporaryFolder();
await writeFile(join(folder, 'staff.csv'), 'id,name\n1,Ann\n');
const url = new URL(
  await createDatabase(`create table people(id int primary key, name varchar(40), ssn varchar(20));
    insert into people values (1, 'ann', '123-45-6789');
    create function public.upper(varchar) returns text language sql as $$ select 'taken over' $$`),
);
const config: { connections: Record<string, object> } = {
  connections: { wh: connectionTo(url), staff: { kind: 'duckdb', files: { staff: { path: 'staff.csv' } } } },
};
const svc = await startTestApp({
  project: folder,
  files: { 'svc.config.yaml': JSON.stringify(config), 'lenses/people/lens.yaml': LENS },
});

it('calls the built-in function even when the warehouse has a function of the same name', async () => {
  const { key } = await svc.mintCaller({ name: 'ann', lenses: ['people'] });
  const sql = await svc.post('/v1/sql', { lens: 'people', sql: 'select upper(name) as n, loud from people' }, key);
  expect(sql.body.data).toEqual([{ n: 'ANN', loud: 'ANN' }]);
  expect(sql.body.sql).not.toContain('pg_catalog');
  const listReply = await svc.post('/v1/lenses/people/metrics', { dimensions: ['people.loud'] }, key);
  expect(listReply.body.data).toEqual([{ loud: 'ANN' }]);
});

it.each([
  [
    "select *, (select max(value) from duckdb_settings() where name = 'allowed_paths') as p from source",
    'duckdb_settings',
  ],
  ["select *, current_setting('allowed_paths') as p from source", 'current_setting'],
  ['select s.*, d.path from source s, duckdb_databases() d', 'duckdb_databases'],
  ['select s.*, t.sql from source s, sqlite_master t', 'sqlite_master'],
  ['select * from information_schema.tables', 'tables'],
  ['select * from (describe source)', 'DESCRIBE'],
])('refuses a select over a file that reads engine internals: %s', async (select, expectedName) => {
  const staff = { kind: 'duckdb', files: { staff: { path: 'staff.csv', select } } };
  const { text } = await svc.admin('POST', '/project/plan', {
    files: {
      'svc.config.yaml': JSON.stringify({ connections: { ...config.connections, staff } }),
      'lenses/people/lens.yaml': LENS,
    },
  });
  expect(text).toMatch(new RegExp(`its select uses .*${expectedName}`));
});

it('allows a select over a file to compute, join and use common table expressions', async () => {
  const select =
    "with s as (select id, upper(name) as name, date '2020-01-01' + 1 as d from source) select s.*, row_number() over (order by id) as n, x.id as other from s join source x using (id) where s.name like 'A%' and id::int in (1, 2)";
  const staff = { kind: 'duckdb', files: { staff: { path: 'staff.csv', select } } };
  const { body } = await svc.admin('POST', '/project/plan', {
    files: {
      'svc.config.yaml': JSON.stringify({ connections: { ...config.connections, staff } }),
      'lenses/people/lens.yaml': LENS,
    },
  });
  expect(body.problems).toEqual([]);
});

it('hides the values in the profile of a connection from a viewer', async () => {
  await createUser(
    svc.deps,
    { orgId: svc.orgId, name: 'admin', requestId: null },
    { email: 'vi@example.com', password: PASSWORD, role: 'viewer' },
  );
  const login = await svc.post('/auth/login', { email: 'vi@example.com', password: PASSWORD }, null);
  const cookie = String([login.headers['set-cookie']].flat()[0]).split(';')[0]!;
  const profileReply = await svc.admin('POST', '/connections/wh/profile', {});
  await svc.runEnds(profileReply.body.run_id);
  const read = await svc.send({ method: 'GET', url: '/mgmt/connections/wh/profile', headers: { cookie }, token: null });
  expect([read.status, read.text]).toEqual([200, expect.not.stringContaining('123-45')]);
  expect(read.body).toMatchObject({ items: [{ column: 'id', min: null }, { values: null }, { rows: 1, distinct: 1 }] });
  const all = await svc.admin('GET', '/connections/wh/profile');
  expect(all.text).toContain('123-45-6789');
});
