// Tables without hidden rows or columns keep their place in a caller's SQL. A statement returns the same rows as with
// subqueries, and never reads a column that is added to the table later.
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, describe, expect, it } from 'vitest';
import { guardSql } from '../../src/guard/guard-sql.ts';
import type { GovernedRelation, GuardScope } from '../../src/guard/guarded-sql.ts';
import { connect, createDatabase } from '../support/postgres.ts';

const COLUMNS = {
  orders: ['id', 'customer_id', 'region', 'total', 'ordered_on'],
  customers: ['id', 'name', 'city'],
};
const TABLES = [
  'create table customers (id int primary key, name varchar(20), city varchar(20))',
  'create table orders (id int primary key, customer_id int, region varchar(20), total int, ordered_on date)',
  "insert into customers values (1, 'Ann', 'Oslo'), (2, 'Bo', 'Bergen'), (3, 'Cy', 'Oslo')",
  `insert into orders values (1, 1, 'West', 10, date '2026-01-02'), (2, 1, 'East', 20, date '2026-01-20'),
     (3, 2, 'West', 30, date '2026-02-03'), (4, null, 'East', 40, date '2026-02-04')`,
];
/** Columns added to the tables after the lens is published. Each of their values is 7 and a number. */
const LATER = ['secret', 'o', 'c', 'x', 'month', 'n', 'area', 'who', 'city', 'name', 'region', 'total', 'big'];

const scopeOf = (dialect: 'postgres' | 'duckdb', isWhole: boolean): GuardScope => ({
  dialect,
  mode: 'govern',
  maxRows: 500,
  relations: Object.entries(COLUMNS).map(([table, columns]): GovernedRelation => {
    const schema = dialect === 'duckdb' ? 'main' : 'public';
    const body = `SELECT ${columns.map((name) => `"${name}"`).join(', ')} FROM "${schema}"."${table}"`;
    const source = { catalog: null, schema, table };
    return { source, dataset: table, columns, masked: [], policies: [], body, plain: columns, whole: isWhole };
  }),
});

/** Statements whose tables svc doesn't replace. */
const STAY = [
  'select count(*) from orders',
  'select * from orders order by id',
  'select o.* from orders o order by o.id',
  'select o.*, c.name from orders o join customers c on c.id = o.customer_id order by o.id',
  'select * from orders o left join customers c on c.id = o.customer_id order by o.id',
  'select name, region, sum(total) as s from orders join customers on customers.id = customer_id group by name, region order by s',
  'select name, count(orders.id) as n from customers left join orders on orders.customer_id = customers.id group by customers.name order by name',
  'select region as area, sum(total) as sum_of from orders group by area order by area',
  "select date_trunc('month', ordered_on) as month, count(*) as n from orders group by month order by month",
  'select distinct region from orders order by region',
  'select (select max(total) from orders) as x, city from customers order by id',
  'with big as (select * from orders where total > 15) select region, count(*) as n from big group by region order by region',
  'select region from orders union select city from customers order by 1',
  'select x.region, x.s from (select region, sum(total) as s from orders group by region) x order by x.s',
  'select id, total, sum(total) over (partition by region order by id) as run from orders order by id',
  'select public_orders.id from orders as public_orders where public_orders.total >= 20 order by 1',
  'select exists (select * from orders where total > 100) as big',
  'select city, count(*) as n from customers where id in (select customer_id from orders) group by city having count(*) > 0 order by city',
  "select case when total > 20 then 'big' else 'small' end as size, count(*) as n from orders group by size order by size",
  'select a.id, b.id from orders a, orders b where a.region = b.region and a.id < b.id order by 1, 2',
];
/** Statements in which a name could mean an unlisted column. svc may replace their tables, and the rows stay right. */
const CAPTURED = [
  'select (select max(c.id) from customers c where secret > 0) as top from (select id as secret from orders) s order by 1',
  'select (select secret) as seen from (select total as secret from orders) s order by 1',
  'select count(*) from orders natural join customers',
  'select a from orders as t(a, b) order by a',
  'select id, city from orders join customers using (id) order by id',
  'select name from customers c where exists (select 1 from orders o where o.customer_id = c.id) order by name',
  'select region as secret, count(*) as n from orders group by secret order by secret',
  'select total as secret from orders order by secret',
  'select j.id from (orders o cross join (select 1 as one) d) as j(id) order by 1',
  "select q.who from (select name as who from customers) q where (select count(*) from orders where id > 0 and who <> 'z') > 0 order by 1",
  'select x.secret from (select o.total as secret from orders o) x join customers c on c.id > 0 where secret > 10 order by 1',
  'select big.id from (select id as big, id from orders) big join customers on big.big = customers.id order by big.id',
  'select city as name, count(*) as n from customers group by name, city order by 1',
];
/** Statements that svc must refuse, with or without replaced tables. */
const REFUSED = [
  'select o from orders o',
  'select orders from orders',
  'select count(o) from orders o',
  'select o.secret from orders o',
  'select secret from orders',
  'select row_to_json(o) from orders o',
  'select to_json(orders) from orders',
  'select (o).secret from orders o',
  'select (o.*)::text from orders o',
  'select array_agg(o) from orders o',
  'select o is null from orders o',
  'select * from orders order by secret',
  'select 1 from orders o where o = o',
  'select ctid from orders',
  'select o.xmin from orders o',
  'select tableoid from orders',
  'select rowid from orders',
  'select count(*) from orders group by secret',
  'select 1 from orders join customers on secret = 1',
  'select id from orders join customers using (secret)',
  'select t.secret from (select * from orders) t',
  'with w as (select * from orders) select secret from w',
  'select id from orders union all select secret from customers',
  'select max(secret) over () from orders',
];

interface Engine {
  name: 'postgres' | 'duckdb';
  rows(sql: string): Promise<string>;
  change(sql: string): Promise<unknown>;
}
const engines: Engine[] = [];
const client = await connect(await createDatabase());
const duck: DuckDBConnection = await (await DuckDBInstance.create(':memory:')).connect();
engines.push(
  {
    name: 'postgres',
    rows: async (sql) => JSON.stringify((await client.query({ text: sql, rowMode: 'array' })).rows),
    change: (sql) => client.query(sql),
  },
  {
    name: 'duckdb',
    rows: async (sql) => JSON.stringify((await duck.runAndReadAll(sql)).getRowsJson()),
    change: (sql) => duck.run(sql),
  },
);
for (const { change } of engines) for (const sql of TABLES) await change(sql);
afterAll(() => duck.closeSync());
const rewriteSql = async (engine: Engine, sql: string, isWhole: boolean): Promise<string> =>
  (await guardSql(sql, scopeOf(engine.name, isWhole))).runs;
/** True if the SQL contains the subquery that svc writes in place of a table. */
const replaces = (text: string): boolean => /\(\s*select "?id"?, "?(?:customer_id|name)"?, /i.test(text);

describe('a table without hidden columns or rows', () => {
  it('is not replaced by a subquery, and returns the same rows', async () => {
    const failures: string[] = [];
    for (const engine of engines)
      for (const sql of STAY) {
        const [keptSql, replaced] = [await rewriteSql(engine, sql, true), await rewriteSql(engine, sql, false)];
        if (replaces(keptSql) || !replaces(replaced)) failures.push(`${engine.name} replaced: ${sql}\n  ${keptSql}`);
        const [is, was] = [await engine.rows(keptSql), await engine.rows(replaced)];
        if (is !== was) failures.push(`${engine.name}: ${sql}\n  ${is}\n  ${was}`);
      }
    expect(failures).toEqual([]);
  });

  it('keeps its primary key, so that GROUP BY the key allows its other columns', async () => {
    const sql =
      'select c.name, c.city, count(o.id) as n from customers c left join orders o on o.customer_id = c.id group by c.id order by c.name';
    const keptSql = await rewriteSql(engines[0]!, sql, true);
    expect(await engines[0]!.rows(keptSql)).toBe('[["Ann","Oslo","2"],["Bo","Bergen","1"],["Cy","Oslo","0"]]');
    await expect(engines[0]!.rows(await rewriteSql(engines[0]!, sql, false))).rejects.toThrow(/GROUP BY/);
    expect(replaces(keptSql)).toBe(false);
  });

  it('is refused as a whole row, and so are its system columns and unlisted columns', async () => {
    const allowed: string[] = [];
    for (const { name } of engines)
      for (const sql of REFUSED) {
        const code = await guardSql(sql, scopeOf(name, true)).then(
          () => 'allowed',
          (fault) => fault.code,
        );
        if (code !== 'guard_refused') allowed.push(`${name} ${code}: ${sql}`);
      }
    expect(allowed).toEqual([]);
  });

  it('shows no column that someone adds later, under any name', async () => {
    const all = [...STAY, ...CAPTURED];
    const failures: string[] = [];
    for (const engine of engines) {
      const before = new Map<string, { text: string; rows: string }>();
      for (const sql of all) {
        const text = await rewriteSql(engine, sql, true);
        before.set(sql, { text, rows: await engine.rows(text) });
      }
      for (const [table, columns] of Object.entries(COLUMNS))
        for (const [index, name] of LATER.filter((item) => !columns.includes(item)).entries())
          await engine.change(`alter table ${table} add column ${name} int default ${70 + index}`);
      for (const [sql, { text, rows }] of before) {
        const now = await engine.rows(text).catch((fault: Error) => `fails: ${fault.message}`);
        if (now !== rows) failures.push(`${engine.name}: ${sql}\n  ${text}\n  ${now}\n  ${rows}`);
      }
    }
    expect(failures).toEqual([]);
  });
});
