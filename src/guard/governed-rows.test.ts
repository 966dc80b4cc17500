// Runs governed statements on DuckDB, which must return exactly the rows that the policy and the masks allow.
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { SHOP_TABLES, shopScope } from '../../test/support/guard-scopes.ts';
import { guardSql } from './guard-sql.ts';

const scope = shopScope('duckdb', { policy: '"region" = \'West\'' });
const instance = await DuckDBInstance.create(':memory:');
const connection: DuckDBConnection = await instance.connect();
for (const sql of SHOP_TABLES) await connection.run(sql);

async function fetchRows(sql: string): Promise<unknown[][]> {
  const { runs } = await guardSql(sql, scope);
  return (await connection.runAndReadAll(runs)).getRowsJson();
}

describe('a governed statement answers', () => {
  // The expected rows were computed by hand from the rows of region West (row_id 1, 2, 4 and 6).
  it.each<[string, unknown[][]]>([
    ['select count(*) from orders', [['4']]],
    ['select sum(sales) from main.orders', [['710.50']]],
    ['select distinct region from orders', [['West']]],
    ['select region, count(*) from orders group by all', [['West', '4']]],
    ["select count(*) from orders where region = 'East' or true", [['4']]],
    ["select count(*) from orders where region <> 'West'", [['0']]],
    [
      'select state, sum(sales) s from orders group by 1 order by s desc limit 2',
      [
        ['California', '400.50'],
        ['Oregon', '250.00'],
      ],
    ],
    ['with o as (select * from orders) select count(*) from o', [['4']]],
    ['with orders as (select * from orders) select count(*) from orders', [['4']]],
    ['select (select count(*) from orders), (select max(row_id) from main.orders)', [['4', 6]]],
    ['select count(*) from orders a join orders b using (customer_id)', [['6']]],
    ['select count(*) from orders o left join customers c on c.customer_id = o.customer_id', [['4']]],
    [
      'select c.city from customers c where not exists (select 1 from orders o where o.customer_id = c.customer_id) order by 1',
      [['Albany'], ['Waco']],
    ],
    ['select city from buyers order by city limit 1', [['Albany']]],
    ['select region from orders union all select region from orders', Array.from({ length: 8 }, () => ['West'])],
    ['from orders select row_id order by 1', [[1], [2], [4], [6]]],
    ['select row_id from orders qualify row_number() over (order by sales desc) = 1', [[4]]],
    ['select main.orders.region, orders.row_id from main.orders where main.orders.row_id = 1', [['West', 1]]],
    ['select count(distinct customer_name) from orders', [['2']]],
    [
      'select state, count(distinct o.customer_name) filter (where sales > 0) n from orders o group by 1 order by 1',
      [
        ['California', '1'],
        ['Oregon', '1'],
        ['Washington', '1'],
      ],
    ],
    ['select customer_name, row_id from orders order by row_id limit 1', [[null, 1]]],
    [
      'select * exclude (order_date, sales, profit) from orders where row_id = 1',
      [[1, 'A-1', 'West', 'California', 'Consumer', 2, 1, null]],
    ],
    ['select median(quantity), 1e2, 9007199254740993 from orders', [[3.5, 100, '9007199254740993']]],
    [
      "select unnest([1, 2]) as n, current_date > date '2020-01-01' as late",
      [
        [1, true],
        [2, true],
      ],
    ],
    ["select list_transform([1, 2], x -> x + 1), {'a': 1}.a", [[[2, 3], 1]]],
    [
      'select v.a, b from (values (1, 2), (3, 4)) v(a, b) order by 1',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['values (1), (2)', [[1], [2]]],
    ['select row_id from orders where (sales > 100) is true and row_id in (values (1), (2)) order by 1', [[1], [2]]],
    ['with recursive r(n) as (select 1 union all select n + 1 from r where n < 3) select sum(n) from r', [['6']]],
  ])('%s', async (sql, expected) => {
    expect(await fetchRows(sql)).toEqual(expected);
  });

  it('without any value of a masked field', async () => {
    const foundRows = await fetchRows('select * from orders o join orders p using (row_id)');
    expect(foundRows.length).toBe(4);
    expect(JSON.stringify(foundRows)).not.toMatch(/Ann|Bo Ek|4111/);
    const { report, runs } = await guardSql('select count(distinct customer_name) / 2 from orders', scope);
    expect((await connection.runAndReadAll(runs)).columnNames().join()).not.toContain('svc_raw');
    expect(report.masks).toEqual([]);
    expect((await guardSql('select * from orders', scope)).report.masks).toEqual(['orders.customer_name']);
  });
});

describe('a masked field', () => {
  it('is not used by an ORDER BY of an output column with the name of the table', async () => {
    const countedRows = await fetchRows(
      'select region, count(*) as orders from orders group by region order by orders desc limit 1',
    );
    expect(countedRows).toEqual([['West', '4']]);
  });

  it('is read on PostgreSQL only for its distinct count', async () => {
    const { runs } = await guardSql('select count(distinct o.customer_name) from orders o', shopScope('postgres'));
    expect(runs).toContain('count(DISTINCT o.svc_raw_customer_name)');
  });
});

describe('a name in WITH', () => {
  it('differs from another name if only the case of a non-ASCII letter differs, as in DuckDB', async () => {
    await connection.run('create table "ämter" (id integer)');
    await expect(guardSql('with "Ämter" as (select 1 as id) select id from "ämter"', scope)).rejects.toMatchObject({
      code: 'guard_refused',
    });
    expect(await fetchRows('with AEMTER as (select 1 as id) select id from "aemter"')).toEqual([[1]]);
  });
});
