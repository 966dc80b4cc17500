// The plans of the suite in T-SQL. tedious sends them to a test server, where sqlglot and DuckDB run them.
import { expect, it } from 'vitest';
import { openEngineStage } from '../engine-stage.ts';
import { planSuite } from '../plan-suite.ts';
import { PASSWORD, startSqlserver } from './duckdb-server.ts';

const server = await startSqlserver();
const connection = {
  kind: 'sqlserver',
  host: '127.0.0.1',
  port: server.port,
  database: 'shop',
  user: 'svc',
  password: PASSWORD,
};
const stage = await openEngineStage(connection, 'shop.');

planSuite(stage, {
  'a median': /has no median/,
  'the median of two decimals': /has no median/,
  'the distinct values of each group as one text, and their number': /Remove distinct/,
});

// Text columns ignore case, as is usual in SQL Server. A value in a plan matches each of its stored spellings.
it.each([
  ['é', [7, 8]],
  ['STRASSE', []],
  ['straße', [1, 2]],
])('finds every stored spelling of %s', async (word, edges) => {
  const filters = [{ field: 'edges.word', op: 'in', values: [word] }];
  const plan = { rows: 'edges', dimensions: ['edges.edge_id'], filters };
  const { body } = await stage.svc.post('/v1/lenses/workshop/metrics', plan);
  expect(((body.data ?? []) as { edge_id: number }[]).map(({ edge_id }) => edge_id)).toEqual(edges);
});

it.each([
  [
    'select top 2 kind, count(*) as n from jobs group by kind order by n desc, kind',
    [
      ['bicycle', 5],
      ['clock', 4],
    ],
  ],
  [
    'select kind from jobs where price > 400 union select city from clients where city is not null order by kind',
    [['Hull'], ['Leeds'], ['radio'], ['York']],
  ],
  ["select job_id from jobs where kind = 'CLOCK' order by job_id offset 1 rows fetch next 2 rows only", [[6], [9]]],
  ['select count(*) / 5 as whole, avg(job_id) as mean from jobs', [[2, 6]]],
])('runs a caller’s SQL with the meaning that it has in SQL Server: %s', async (sql, rows) => {
  const { status, body } = await stage.svc.post('/v1/sql', { lens: 'workshop', sql });
  expect([status, body.error?.message]).toEqual([200, undefined]);
  expect((body.data as object[]).map((row) => Object.values(row))).toEqual(rows);
});
