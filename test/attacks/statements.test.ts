import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';

const service = await startTestApp();

const ask = (sql: string, headers = {}) => service.post('/v1/sql', { lens: 'shop', sql }, undefined, headers);

describe('calls that would fail in the engine', () => {
  it.each([
    ['select try(distinct region) from orders group by rollup (region)', /try/],
    ['select try(region) from orders group by region', /try/],
    ['select upper(distinct region) from orders', /DISTINCT/],
  ])('are refused with their name: %s', async (sql, message) => {
    const { status, body } = await ask(sql);
    expect([status, body.error?.code, body.error?.message]).toEqual([
      422,
      'guard_refused',
      expect.stringMatching(message),
    ]);
  });

  it('are answered where they are valid', async () => {
    const { status, body } = await ask(
      "select count(distinct region) as n, string_agg(distinct region, ',' order by region) as named from orders",
    );
    expect([status, body.data]).toEqual([200, [{ n: 4, named: 'Central,East,South,West' }]]);
  });
});

describe('a name of DuckDB that the guard can’t know', () => {
  it.each([
    ["select s.a from (select {'a': row_id} as s from orders) as t order by 1 limit 1", [{ a: 1 }]],
    ['select "max(sales)" from (select max(sales) from orders) as t', [{ 'max(sales)': 300 }]],
    [
      'select region from (select * replace (upper(region) as region) from orders) as t order by row_id limit 1',
      [{ region: 'WEST' }],
    ],
  ])('is answered: %s', async (sql, rows) => {
    expect((await ask(sql)).body.data).toEqual(rows);
  });

  it('is refused if the subquery reads a masked field', async () => {
    for (const sql of [
      "select s.a from (select {'a': customer_name} as s from orders) as t",
      'select "max(customer_name)" from (select max(customer_name) from orders) as t',
      'select region from (select * replace (upper(customer_name) as region) from orders) as t',
    ])
      expect((await ask(sql)).body.error.details[0].code, sql).toBe('masked');
  });
});

const joinParts = (count: number, part: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => part(n)).join(', ');
const nest = (levels: number, wrap: (inner: string) => string) =>
  Array.from({ length: levels }).reduce<string>(wrap, 'row_id');

it('F8: allows at most 30 different windows in a statement', async () => {
  const windows = (count: number) =>
    ask(`select ${joinParts(count, (n) => `row_number() over (order by row_id + ${n}) as a${n}`)} from orders`);
  expect((await windows(30)).status).toBe(200);
  const { status, body } = await windows(31);
  expect([status, body.error.details[0].code]).toEqual([422, 'too_many_windows']);
});

const NARROW = joinParts(400, (n) => `1 as c${n}`);
it.each([
  [
    'too_many_sorted',
    (n: number) => `select ${joinParts(n, (n) => `count(distinct row_id + ${n}) as a${n}`)} from orders`,
    100,
  ],
  [
    'too_many_tables',
    (n: number) => `with ${joinParts(n, (n) => `c${n} as (select 1 as n)`)} select count(*) as n from orders`,
    60,
  ],
  [
    'too_many_columns',
    (n: number) =>
      `with a as (select ${NARROW}) select count(*) as n from (select * from ${joinParts(n, (n) => `a as a${n}`)}) as t`,
    12,
  ],
  ['too_long', (n: number) => `select row_id from orders where row_id in (${joinParts(n, () => '1')})`, 9_990],
])('allows a statement up to the limit, and refuses a larger one: %s', async (code, sqlOf, most) => {
  expect((await ask(sqlOf(most))).status).toBe(200);
  const { status, body } = await ask(sqlOf(most + 10));
  expect([status, body.error.details[0].code]).toEqual([422, code]);
});

describe('an expression that the engine duplicates at each level', () => {
  it('is refused before the engine sees the text: nested CASE', async () => {
    const nestedSql = (levels: number, operand = (one: string) => one) =>
      `select ${nest(levels, (one) => `case ${operand(one)} when 1 then 2 when 2 then 1 end`)} as n from orders`;
    expect((await ask(nestedSql(3))).status).toBe(200);
    for (const sql of [nestedSql(12), nestedSql(24), nestedSql(24, (one) => `(select ${one} as end)`)]) {
      const { status, body } = await ask(sql);
      expect([status, body.error.details[0].code], sql.slice(0, 60)).toEqual([422, 'too_many_copies']);
    }
  });

  it('is refused before the engine sees the text: nested NULLIF', async () => {
    const nestedSql = (levels: number) => `select ${nest(levels, (one) => `nullif(${one}, 1)`)} as n from orders`;
    expect((await ask(nestedSql(3))).status).toBe(200);
    const { status, body } = await ask(nestedSql(24));
    expect([status, body.error.details[0].code]).toEqual([422, 'too_many_copies']);
  });
});

it.each(['=HYPERLINK(1)', '+1', '-1', '@x'])(
  'writes the header of a CSV as text, not as a formula: %s',
  async (name) => {
    const { text } = await ask(`select count(*) as "${name}" from orders`, { accept: 'text/csv' });
    expect(text.split('\r\n')[0]).toBe(`'${name}`);
  },
);
