import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Warehouse } from '../../src/domain/ports.ts';
import { openMysqlWarehouse } from '../../src/engines/mysql/warehouse/warehouse.ts';
import { guardSql } from '../../src/guard/guard-sql.ts';
import type { GuardedSql } from '../../src/guard/guarded-sql.ts';
import { unguardedSql } from '../plugin-kit/statements.ts';
import {
  DATABASE,
  MARIADB_MISSING,
  NEEDS_MARIADB,
  READER,
  startTestMariadb,
  type TestMariadb,
} from '../support/mariadb.ts';
import { mysqlShopScope } from '../support/mysql-scope.ts';
import { fillMysqlShop } from '../support/mysql-shop.ts';

const FIELDS = 'row_id order_date region segment sales profit customer_id'.split(' ');
const BENIGN = [
  'select region, sum(sales) as revenue from orders group by region order by revenue desc, region',
  'select region, count(*), avg(sales), min(profit), max(profit), stddev_pop(sales) from orders group by region order by 1',
  'select year(order_date) as y, quarter(order_date) as q, sum(sales) from orders group by year(order_date), quarter(order_date) order by y, q',
  "select date_format(order_date, '%Y-%m') as m, count(distinct customer_id) from orders group by 1 having count(*) > 1 order by m",
  "select row_id from orders where sales > 50 and (region = 'West' or region is null) and not profit < 0 order by row_id",
  "select row_id from orders where region not in ('West', 'East') or region not like 'S%' and sales between 1 and 400 order by row_id",
  "select row_id from orders where region rlike '^W' and region not regexp 'x$' order by row_id",
  'select row_id, case when sales >= 100 then "large" when sales >= 50 then "middle" else "small" end as size from orders order by row_id desc',
  'select case region when "West" then 1 else 0 end as west, sum(if(profit > 0, 1, 0)) from orders group by west order by west',
  'select row_id, sales - profit * 2 / 4 + 1 as a, -sales as b, 7 div 2 as c, 7 mod 4 as d, mod(7, 4) as e, 7 % 4 as f from orders order by 1',
  'select row_id, rank() over (partition by region order by sales desc) as r, sum(sales) over (order by row_id rows between 1 preceding and current row) as s from orders order by row_id',
  'select row_id, lag(sales, 1) over (order by order_date) as p, first_value(row_id) over (order by order_date) as f from orders order by row_id',
  'with m as (select region, sum(sales) as s from orders group by region), t as (select sum(s) as total from m) select m.region, m.s / t.total as share from m cross join t order by share',
  'with recursive n (i) as (select 1 union all select i + 1 from n where i < 5) select i, i * i as square from n order by i',
  'select o.region, b.region from orders o left join orders as b on o.row_id = b.row_id + 1 order by o.row_id',
  'select a.row_id from orders a inner join orders b using (row_id) where b.sales > 60 order by a.row_id',
  'select x.region, x.n from (select region, count(*) as n from orders group by region) x where x.n >= 1 order by x.n, x.region',
  'select row_id from orders o where sales > (select avg(i.sales) from orders i where i.segment = o.segment) order by row_id',
  'select region from orders where exists (select 1 from orders where sales > 250) and row_id in (select row_id from orders where profit > 0) order by row_id',
  'select region from orders union select segment from orders order by 1',
  '(select row_id from orders order by sales desc limit 2) union all (select row_id from orders order by sales limit 1) order by row_id',
  'select segment from orders where row_id < 4 intersect select segment from orders where row_id > 3 order by 1',
  'select row_id from orders where row_id < 4 except select row_id from orders where sales > 200 order by 1',
  'select date_add(order_date, interval 1 month) as a, order_date - interval 2 day as b, interval 1 year + order_date as c, date_sub(order_date, interval row_id week) as d from orders order by row_id',
  "select timestampdiff(month, order_date, date '2017-06-30') as m, datediff('2017-01-01', order_date) as d, extract(year from order_date) as y from orders order by row_id",
  'select cast(sales as signed) as a, cast(sales as decimal(10,1)) as b, cast(row_id as char) as c, cast("2016-01-02 03:04:05" as datetime) as d from orders order by row_id',
  "select concat(region, '-', segment) as a, upper(left(region, 2)) as b, replace(segment, ' ', '_') as c, char_length(region) as d, substring_index(segment, ' ', 1) as e from orders order by row_id",
  "select coalesce(region, 'none') as a, ifnull(region, 'none') as b, nullif(region, 'West') as c, region <=> null as d, region is not null as e, (region = 'West') is true as f from orders order by row_id",
  "select region, group_concat(distinct segment order by segment desc separator '; ') as s from orders group by region order by region",
  'select region, sum(sales) from orders group by region with rollup',
  'select distinct region, segment from orders order by region, segment limit 3 offset 1',
  'select round(sum(sales) / nullif(count(*), 0), 3) as a, truncate(avg(sales), 1) as b, greatest(1, 2) as c, least(3, 2) as d, power(2, 10) as e from orders',
  "select count(*) from orders where (region, segment) in (('West', 'Consumer'), ('East', 'Consumer'))",
  "select count(*) from orders where region collate utf8mb4_bin = 'west'",
  'select row_id from orders /* all of them */ -- and no more\n where 1 = 1 order by row_id;',
  'select \'it\'\'s\', "a ""quoted"" word", \'ünï 漢 😀\' , 1.50, 1e3, .5, true, false, null',
  'select sum(distinct sales), std(sales), variance(sales), bit_or(row_id) from orders where sales != 75.25',
  "select json_value('{\"a\": 1}', '$.a') as j, field(region, 'West') as f from orders order by field(region, 'East', 'West') desc, row_id",
  'select not 1 = 2 as a, 1 = 1 and 2 > 1 or 3 < 2 as b, 1 + 2 * 3 - 4 as c, -(-1) as d, 10 - 3 - 2 as e, 100 / 10 / 2 as f',
];

let mariadb: TestMariadb;
let warehouse: Warehouse;
beforeAll(async () => {
  if (MARIADB_MISSING) return;
  mariadb = await startTestMariadb();
  await fillMysqlShop(mariadb);
  warehouse = await openMysqlWarehouse({
    host: '127.0.0.1',
    port: mariadb.port,
    database: DATABASE,
    ...READER,
    ssl: false,
  });
});
afterAll(() => warehouse?.close());

const rowsOf = async (statement: GuardedSql) =>
  (await warehouse.fetch(statement, { maxRows: 100, maxBytes: 100_000, timeoutMs: 5_000 })).rows;

describe.skipIf(MARIADB_MISSING)(`governed SQL on MariaDB${NEEDS_MARIADB}`, () => {
  it.each(BENIGN)('returns the same rows as the ungoverned statement: %s', async (sql) => {
    const byHand = unguardedSql('mysql', sql.replace(/;$/, ''));
    const scope = mysqlShopScope({ policy: null, fields: FIELDS });
    expect(await rowsOf(await guardSql(sql, scope))).toEqual(await rowsOf(byHand));
    // svc's own SQL passes the same checks, and stays unchanged.
    const verified = await guardSql(sql, { ...scope, mode: 'verify', maxRows: null });
    expect(verified.runs).toBe(sql);
  });
});
