import { describe, expect, it } from 'vitest';
import { POSTGRES_FUNCTIONS } from '../../src/engines/postgres/dialect/functions.ts';
import { guardSql } from '../../src/guard/guard-sql.ts';
import { Problem } from '../../src/platform/problem.ts';
import { SHOP_TABLES, shopScope } from '../support/guard-scopes.ts';
import { connect, createDatabase } from '../support/postgres.ts';

const client = await connect(await createDatabase());
for (const sql of SHOP_TABLES) await client.query(sql);

async function isRefused(sql: string): Promise<boolean> {
  try {
    await guardSql(sql, shopScope('postgres'));
    return false;
  } catch (error) {
    return error instanceof Problem && error.code === 'guard_refused';
  }
}
const rowsOf = async (text: string): Promise<unknown[][]> =>
  (await client.query<unknown[]>({ text, rowMode: 'array' })).rows;

describe('the functions in pg_proc', () => {
  it('are refused unless they are in the list, as a value and in FROM, with and without their schema', async () => {
    const names = (
      await rowsOf("select distinct proname from pg_proc where pronamespace = 'pg_catalog'::regnamespace")
    ).map(String);
    const hidden = names.filter((name) => !POSTGRES_FUNCTIONS.has(name));
    expect(hidden.length).toBeGreaterThan(2000);
    const callable: string[] = [];
    for (const name of hidden) {
      for (const sql of [`select "${name}"(1)`, `select * from pg_catalog."${name}"('x')`]) {
        if (!(await isRefused(sql))) callable.push(sql);
      }
    }
    expect(callable).toEqual([]);
  });

  it('in the list are not volatile apart from random, run no SQL and take no object name', async () => {
    const curated = [...POSTGRES_FUNCTIONS.names()];
    const { rows } = await client.query<{ proname: string }>(
      `select distinct proname from pg_proc where pronamespace = 'pg_catalog'::regnamespace and proname = any($1)
         and (provolatile = 'v' or prosecdef or proargtypes::oid[] && (
           select array_agg(oid) from pg_type where typname in ('regclass','regproc','regtype','refcursor','internal')
             and typname <> 'internal'))`,
      [curated],
    );
    expect(rows.map(({ proname }) => proname)).toEqual(['random']);
  });
});

describe('a rewritten statement on PostgreSQL', () => {
  it.each([
    'select region, sum(sales) as s, count(*) from orders group by region order by s desc, region',
    "select date_trunc('month', order_date)::date m, sum(sales) filter (where profit > 0) from orders group by 1 order by 1",
    'select region, state, sum(sales) from orders group by rollup (region, state) order by 1 nulls last, 2 nulls last',
    'select percentile_cont(0.5) within group (order by sales), round(stddev(sales)::numeric, 2), corr(sales, profit) from orders',
    "select extract(year from order_date), string_agg(distinct state, ', ' order by state) from orders group by 1 order by 1",
    'with m as (select region, sum(sales) s from orders group by 1) select region, s / sum(s) over (), lag(s) over (order by s) from m order by 1',
    "select o.region, c.city from orders o join customers c using (customer_id) where c.city like '%a%' order by row_id",
    'select region from orders except select region from orders where sales > 100 order by 1',
    "select case when sales > 100 then 'big' else 'small' end b, count(*) from orders group by b order by b",
    'select row_id, sum(sales) over (order by row_id rows between 1 preceding and current row) from orders order by row_id',
    "select row_id from orders where order_date >= date '2017-01-01' - interval '1 month' and not (region = 'East' or sales is null) order by 1",
    'select t.n, o.row_id from generate_series(1, 2) as t(n), lateral (select row_id from orders where row_id = t.n) o order by 1',
    'select row_id, -sales, - (-sales), 2 - (3 - 1), 2 ^ 3, 7 % 4, sales::int from orders order by row_id limit 2',
    "select (array[1,2,3])[2], '{\"a\": 1}'::jsonb ->> 'a', coalesce(null, 'x'), nullif(1, 1), greatest(1, 2), 'a' || E'\\\\b'",
    'select distinct on (region) region, row_id from orders order by region, sales desc, row_id',
    "select row_id from orders where (not (region = 'West' and state = 'Oregon')) is true and (sales > 1 or null) is not null order by row_id",
    'select row_id, (sales is distinct from 60) is null, not sales between 1 and 100 from orders order by sales is distinct from 60 desc, row_id',
    'with recursive r(n) as (select 1 union all select n + 1 from r where n < 4) select sum(n) from r',
    "select row_id from orders where (region, segment) in (('West', 'Consumer'), ('East', 'Consumer')) order by 1",
    'select row_id from orders o where sales > all (select sales from orders p where p.region <> o.region) order by 1',
    "select to_char(order_date, 'YYYY-\"Q\"Q'), trim(both 'x' from 'xax'), position('b' in 'abc'), substring('abc' from 2 for 1), overlay('abc' placing 'x' from 2) from orders where row_id = 1",
    "select order_date at time zone 'UTC', interval '1' day, timestamp '2016-01-01 00:00:00', 1.50, 1e3, true is not false from orders where row_id = 1",
  ])('returns the rows of %s', async (sql) => {
    const { runs } = await guardSql(sql, shopScope('postgres', { masked: false }));
    expect(runs).not.toBe(sql);
    expect(await rowsOf(runs)).toEqual(await rowsOf(sql));
  });

  it('applies the policy and the mask', async () => {
    const scope = shopScope('postgres', { policy: '"region" = \'West\'' });
    const run = async (sql: string) => rowsOf((await guardSql(sql, scope)).runs);
    expect(await run('select count(*), count(distinct customer_name) from orders')).toEqual([['4', '2']]);
    expect(await run('select customer_name, region from public.orders limit 1')).toEqual([[null, 'West']]);
    expect(await run("select count(*) from orders where region = 'East'")).toEqual([['0']]);
  });
});
