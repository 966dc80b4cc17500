// G-FUZZ: the guard refuses all generated attacks and unlisted functions, and accepts nearly all generated queries.
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { shopScope } from '../../test/support/guard-scopes.ts';
import { DUCKDB_FUNCTIONS, DUCKDB_TABLE_COLUMNS } from '../engines/duckdb/dialect/functions.ts';
import { Problem } from '../platform/problem.ts';
import { guardSql } from './guard-sql.ts';
import type { GuardScope } from './guarded-sql.ts';

async function getRefusalMessage(sql: string, scope: GuardScope): Promise<string | null> {
  try {
    await guardSql(sql, scope);
    return null;
  } catch (error) {
    if (error instanceof Problem && error.code === 'guard_refused') return error.message;
    throw error;
  }
}
const scopes = [shopScope('postgres'), shopScope('duckdb')];

const insertComment = (text: string, gap: string): string => text.replaceAll(' ', gap);
const toUpper = (text: string): string => text.toUpperCase();
const toMixedCase = (text: string): string => [...text].map((char, i) => (i % 2 ? char.toUpperCase() : char)).join('');
const keepUnchanged = (text: string): string => text;
const DISGUISES: ((sql: string) => string)[] = [
  keepUnchanged,
  toUpper,
  toMixedCase,
  (sql) => insertComment(sql, '/**/ '),
  (sql) => insertComment(sql, '\n\t'),
  (sql) => `-- harmless\n${sql}`,
  (sql) => `/* select 1 /* nested */ */ ${sql} -- end`,
  (sql) => `${sql};`,
  (sql) => `(${sql})`,
  (sql) => `select * from (${sql}) as t`,
  (sql) => `with w as (${sql}) select * from w`,
  (sql) => `select 1 where exists (${sql})`,
  (sql) => `select 1 union all (${sql})`,
  (sql) => `select (${sql})`,
];
const HOSTILE_TABLES = ['secret', '"secret"', 'main.secret', 'public.secret', 'information_schema.tables', 'pg_class'];
const TABLE_POSITIONS = [
  'select * from T',
  'select 1 from orders o join T s on true',
  'select 1 from orders o left join T s on true',
  'select 1 from orders o, T s',
  'select region from orders where exists (select 1 from T)',
  'select (select max(1) from T)',
  'select 1 in (select 1 from T)',
  'select region from orders union select token from T',
  'with x as (select * from T) select * from x',
  'with recursive r as (select 1 as n union all select n + 1 from r, T where n < 3) select * from r',
  'select * from (select * from (select * from T) a) b',
];
const HOSTILE_CALLS = [
  "pg_read_file('x')",
  '"pg_sleep"(1)',
  "query_to_xml('select 1')",
  "read_text('/etc/passwd')",
  "getvariable('x')",
  "secret_fn('x')",
  "pg_catalog.pg_read_file('x')",
];
const CALL_POSITIONS = [
  'select F from orders',
  'select * from F',
  'select * from orders where F is null',
  'select region from orders group by region, F',
  'select region from orders group by grouping sets ((region), (F))',
  'select region from orders group by region having F is null',
  'select region from orders order by F',
  'select region from orders limit (select 1 where F is null)',
  'select region from orders offset (select 1 where F is null)',
  'select sum(sales) over (partition by F) from orders',
  'select sum(sales) over (order by F) from orders',
  'select sum(sales) over w from orders window w as (order by F)',
  'select sum(sales) filter (where F is null) from orders',
  'select distinct on (F) region from orders',
  'select case when F is null then 1 end from orders',
  'select case F when 1 then 2 else 3 end from orders',
  'select coalesce(region, F) from orders',
  'select upper(F) from orders',
  'select * from orders o join customers c on F is null',
  'select * from (select F) t',
  'with x as (select F) select * from x',
  'with x as (select F) select 1',
  'select (select F)',
  'select exists (select F)',
  'select 1 in (select F)',
  'select 1 in (1, F)',
  'select 1 between 0 and F',
  'values (F)',
  'select 1 union select F',
  'select cast(F as text)',
  'select string_agg(region, region order by F) from orders',
  'select * from orders o, lateral (select F) t',
  'select array[F]',
  'select (array[1])[F]',
];

/** Statements that can block a parser or the event loop (G15), with the limit that refuses each of them. */
const BLOCKING_STATEMENTS: [string, string][] = [
  [`select 1 ${'+-'.repeat(2_500)}1`, 'too_long'],
  [`select 1 ${'~'.repeat(40)}1`, 'too_long'],
  ['/*'.repeat(49_990), 'too_deep'],
  [`select 1 ${'/*'.repeat(9)}${'*/'.repeat(9)}`, 'too_deep'],
  [`select 1 ${'/**/'.repeat(201)}`, 'too_long'],
  [`select 1 ${'--\n'.repeat(201)}`, 'too_long'],
  ['select 1 /* and', 'syntax'],
  [`select 1${',1'.repeat(9_899)}`, 'too_many_columns'],
  [`select 1${',1'.repeat(500)}`, 'too_many_columns'],
  [`select 1${',1'.repeat(10_000)}`, 'too_long'],
  [`select ${'('.repeat(201)}1${')'.repeat(201)}`, 'too_deep'],
];

describe('G-FUZZ', () => {
  it.each(scopes)(
    'G15: refuses statements that would block a parser or the event loop, each by its limit: $dialect',
    async (scope) => {
      for (const [sql, code] of BLOCKING_STATEMENTS) {
        const fault = await guardSql(sql, scope).catch((thrown: unknown) => thrown);
        expect(fault instanceof Problem && fault.details.map((detail) => detail.code), sql.slice(0, 60)).toContain(
          code,
        );
      }
    },
  );

  it('refuses each of more than 500 generated attacks', async () => {
    const plainStatements = [
      ...TABLE_POSITIONS.flatMap((position) => HOSTILE_TABLES.map((table) => position.replaceAll('T', table))),
      ...CALL_POSITIONS.flatMap((position) => HOSTILE_CALLS.map((call) => position.replaceAll('F', call))),
    ];
    // Each statement unchanged, and under two of the disguises in turn.
    const attacks = plainStatements.flatMap((sql, at) =>
      [0, at, at + 7].map((turn) => DISGUISES[turn % DISGUISES.length]!(sql)),
    );
    expect(new Set(attacks).size).toBeGreaterThan(500);
    for (const scope of scopes) {
      const allowedStatements: string[] = [];
      for (const sql of attacks) if ((await getRefusalMessage(sql, scope)) === null) allowedStatements.push(sql);
      expect(allowedStatements, scope.dialect).toEqual([]);
    }
  });

  it('accepts at least 99 % of more than 200 analytic queries', async () => {
    const measures = [
      'sum(sales)',
      'count(*)',
      'count(distinct customer_id)',
      'avg(profit)',
      'sum(sales) filter (where profit > 0)',
      'sum(profit) / nullif(sum(sales), 0)',
      'percentile_cont(0.5) within group (order by sales)',
      'round(stddev(sales)::numeric, 2)',
      'corr(sales, profit)',
      "string_agg(distinct state, ', ')",
      "max(case when segment = 'Consumer' then sales else 0 end)",
      'min(order_date)',
    ];
    const keys = [
      'region',
      'upper(state)',
      "date_trunc('month', order_date)",
      'extract(year from order_date)',
      "case when quantity > 3 then 'many' else 'few' end",
    ];
    const filters = [
      '',
      "where region in ('West', 'East') and sales between 10 and 500",
      "where order_date >= date '2016-01-01' and order_date < date '2017-01-01'",
      'where customer_id in (select customer_id from customers where city like $$F%$$)'.replaceAll('$$', "'"),
      'where not exists (select 1 from customers c where c.customer_id = orders.customer_id)',
    ];
    const queries = measures.flatMap((measure) =>
      keys.flatMap((key) =>
        filters.map(
          (filter) =>
            `select ${key} as k, ${measure} as m from orders ${filter} group by 1 having count(*) > 0 order by 2 desc limit 10`,
        ),
      ),
    );
    queries.push(
      ...keys.flatMap((key) => [
        `with g as (select ${key} as k, sum(sales) as s from orders group by 1) select k, s, s / sum(s) over () from g`,
        `select k, s, lag(s) over (order by k), rank() over (order by s desc) from (select ${key} as k, sum(sales) s from orders group by 1) t`,
        `select ${key}, segment, sum(sales) from orders group by rollup (1, 2)`,
        `select ${key}, segment, sum(sales), grouping(segment) from orders group by grouping sets ((1, segment), (1), ())`,
        `select ${key}, segment, sum(sales) from orders group by cube (1, 2) order by 1 nulls last, 3 desc`,
        `select * from (select o.*, row_number() over (partition by ${key} order by sales desc) as n from orders o) t where n <= 3`,
        `select a.k, b.s from (select ${key} as k from orders) a left join lateral (select sum(sales) s from orders) b on true`,
        `select ${key} from orders intersect select ${key} from orders except select city from customers`.replace(
          /select city.*/,
          `select ${key} from orders where false`,
        ),
        `select sum(sum(sales)) over (order by ${key} rows between 2 preceding and current row) from orders group by ${key}`,
        `select o.region, c.city, ${key} from orders o join customers c using (customer_id) order by c.city, o.region desc offset 2`,
      ]),
    );
    queries.push(
      "select region from orders where state like '%!_%' escape '!' or state not ilike 'a|%' escape '|'",
      "select m, sum(sales) from generate_series(date '2016-01-01', date '2017-12-01', interval '1 month') g(m) left join orders on date_trunc('month', order_date) = m group by 1",
      'select n, count(*) from generate_series(1, 12) g(n) left join orders on extract(month from order_date) = n group by n order by n',
    );
    expect(queries.length).toBeGreaterThan(200);
    for (const scope of scopes) {
      const openScope = shopScope(scope.dialect as 'duckdb' | 'postgres', { masked: false });
      const refusedStatements: string[] = [];
      for (const sql of queries) {
        const reason = await getRefusalMessage(sql, openScope);
        if (reason !== null) refusedStatements.push(`${sql}: ${reason}`);
      }
      expect(refusedStatements.length, refusedStatements.slice(0, 5).join('\n')).toBeLessThanOrEqual(
        queries.length / 100,
      );
    }
  });

  it('refuses every function of duckdb_functions() that isn’t on the list, and lists only existing functions', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const result = await connection.runAndReadAll(
      "select distinct function_name from duckdb_functions() where regexp_full_match(function_name, '[A-Za-z_][A-Za-z0-9_]*')",
    );
    const allFunctions = new Set(result.getRows().map(([name]) => String(name)));
    const calledFunctions = [...DUCKDB_FUNCTIONS.names()].filter(
      (name) => !['grammar', 'bare'].includes(DUCKDB_FUNCTIONS.kind(name) ?? ''),
    );
    expect(calledFunctions.filter((name) => !allFunctions.has(name))).toEqual([]);
    const hiddenFunctions = [...allFunctions].filter((name) => !DUCKDB_FUNCTIONS.has(name.toLowerCase()));
    expect(hiddenFunctions.length).toBeGreaterThan(300);
    const scope = shopScope('duckdb');
    const callableStatements: string[] = [];
    for (const name of hiddenFunctions) {
      for (const sql of [`select "${name}"(1)`, `select * from "${name}"('x')`]) {
        if ((await getRefusalMessage(sql, scope)) === null) callableStatements.push(sql);
      }
    }
    expect(callableStatements).toEqual([]);
  });

  it('refuses every table function of DuckDB that could read a table named in its arguments', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const result = await connection.runAndReadAll(
      "select distinct function_name from duckdb_functions() where function_type in ('table', 'table_macro', 'pragma')",
    );
    const scope = shopScope('duckdb');
    const callableStatements: string[] = [];
    for (const [name] of result.getRows()) {
      for (const args of ["'secret', 'token'", "'secret', token", "'secret'"]) {
        const sql = `select * from (select 1 as token) x, "${name}"(${args}) h`;
        if (!DUCKDB_TABLE_COLUMNS.has(String(name)) && (await getRefusalMessage(sql, scope)) === null)
          callableStatements.push(sql);
      }
    }
    expect(callableStatements).toEqual([]);
    const series =
      'select n from range(3) t(n) union all select * from generate_series(1, 2) union all select unnest([1])';
    expect(await getRefusalMessage(series, scope)).toBeNull();
  });
});
