// Compiled plans beside SQL written by hand, run on real DuckDB and real Postgres over the same small shop.
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestPostgres, type TestPostgres } from '../../../test/support/postgres.ts';
import { cachedVerdict } from '../../guard/cached-verdict.ts';
import { guardSql } from '../../guard/guard-sql.ts';
import type { GuardScope } from '../../guard/guarded-sql.ts';
import { compileLens } from '../../lens/compile/compile-lens.ts';
import { readProject } from '../../lens/files/read-project.ts';
import type { Caller, Lens } from '../../lens/model/lens.ts';
import { governedRelations } from '../../lens/policies/governed-relations.ts';
import { Problem } from '../../platform/problem.ts';
import { bindPlan } from '../bind/bind-plan.ts';
import { emptyPlan, type FieldRef, type Filter, type LensPlan, type Measure } from '../lens-plan.ts';
import { checkPlan, compilePlan } from './compile-plan.ts';

const customers = [
  [1, 'Ann', 'North', null],
  [2, 'Bob', 'South', 1],
  [3, 'Ann', null, 1],
  [4, 'Dee', 'North', 2],
] as const;
const orders = [
  [1, 1, '2016-01-31', '10.25', 3],
  [2, 1, '2016-02-01', '20.00', 1],
  [3, 2, '2016-04-10', '5.50', 2],
  [4, 3, '2016-12-31', '7.75', 4],
  [5, 2, '2017-01-01', '100.00', 1],
  [6, null, '2016-02-29', '1.00', 1],
  [7, 3, '2016-02-15', null, 2],
] as const;
const tickets = [
  [1, 1, '2016-02-01 23:59:59'],
  [2, 1, '2016-03-01 00:00:00'],
  [3, 4, '2016-02-02 12:00:00'],
] as const;
const cell = (value: string | number | null): string =>
  value === null ? 'null' : typeof value === 'number' ? String(value) : `'${value}'`;
const rows = (all: readonly (readonly (string | number | null)[])[]): string =>
  all.map((row) => `(${row.map(cell).join(', ')})`).join(', ');
const DDL = [
  'create table customers (id integer, name varchar, area varchar, referrer integer)',
  'create table orders (id integer, customer_id integer, day date, sales decimal(18, 2), qty integer)',
  'create table tickets (id integer, customer_id integer, opened timestamp)',
  `insert into customers values ${rows(customers)}`,
  `insert into orders values ${rows(orders)}`,
  `insert into tickets values ${rows(tickets)}`,
];
const LENS = (schema: string) => `name: shop
connection: c
datasets:
  customers:
    source: ${schema}.customers
    primary_key: [id]
    fields: {id: {datatype: integer}, name: {datatype: string, mask: true}, area: {datatype: string}, label: {expression: "upper(area)", datatype: string}}
  orders:
    source: ${schema}.orders
    primary_key: [id]
    time_field: day
    fields: {id: {datatype: integer}, day: {datatype: date}, sales: {datatype: decimal}, qty: {datatype: integer}, big: {expression: sales > 9, datatype: boolean}}
  tickets:
    source: ${schema}.tickets
    primary_key: [id]
    time_field: opened
    fields: {id: {datatype: integer}, opened: {datatype: datetime}}
relationships:
  - {from: orders.customer_id, to: customers.id}
  - {from: tickets.customer_id, to: customers.id}
  - {name: referrer, from: customers.referrer, to: customers.id}
metrics:
  revenue: {expression: sum(orders.sales)}
  order_count: {expression: count(orders.id)}
  units: {expression: sum(orders.qty)}
  ticket_count: {expression: count(tickets.id)}
  big_orders: {expression: count(orders.id), filter: orders.sales > 9}
  buyers: {expression: count(distinct customers.id)}
  tickets_per_order: {expression: "metric(ticket_count) / nullif(metric(order_count), 0)"}
row_policies:
  - {name: own-area, dataset: customers, filter: "customers.area = {caller.area}", groups: [local]}
`;
const everyone: Caller = { name: 'a', groups: [], attributes: {}, superuser: false };
type Run = (sql: string) => Promise<(string | null)[][]>;
const text = (value: unknown): string | null =>
  value === null
    ? null
    : typeof value === 'string' && !/^-?\d+(\.\d+)?$/.test(value)
      ? value
      : Number.isFinite(Number(value)) && typeof value !== 'boolean'
        ? String(Math.round(Number(value) * 1e6) / 1e6)
        : String(value);

const field = (path: string, name: string, grain?: FieldRef['grain']): FieldRef => ({
  path,
  field: name,
  ...(grain && { grain }),
});
const metric = (name: string): Measure => ({ fn: 'metric', metric: name });
const is = (ref: FieldRef, value: string | number): Filter => ({
  field: ref,
  op: '=',
  values: [value],
});
const plan = (given: Partial<LensPlan>): LensPlan => ({ ...emptyPlan(), ...given });

let cluster: TestPostgres;
const engines: Record<string, { lens: Lens; run: Run }> = {};
const closers: (() => unknown)[] = [];
const load = async (dialect: 'duckdb' | 'postgres', schema: string): Promise<Lens> => {
  const { project, problems: unread } = readProject({
    'svc.config.yaml': 'connections: {c: {kind: postgres}}',
    'lenses/shop/lens.yaml': LENS(schema),
  });
  expect(unread).toEqual([]);
  const { lens, problems } = await compileLens(project.lenses[0]!, { ...project, dialect });
  expect(problems).toEqual([]);
  return lens!;
};
beforeAll(async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  for (const sql of DDL) await connection.run(sql);
  engines['duckdb'] = {
    lens: await load('duckdb', 'main'),
    run: async (sql) => (await connection.runAndReadAll(sql)).getRowsJson().map((row) => row.map(text)),
  };
  cluster = await startTestPostgres();
  const client = new pg.Client({
    connectionString: await cluster.createDatabase(),
    types: { getTypeParser: () => (value: string) => value },
  });
  await client.connect();
  closers.push(() => client.end());
  for (const sql of DDL) await client.query(sql);
  engines['postgres'] = {
    lens: await load('postgres', 'public'),
    run: async (sql) =>
      (await client.query({ text: sql, rowMode: 'array' })).rows.map((row: unknown[]) => row.map(text)),
  };
});
afterAll(async () => {
  for (const close of closers) await close();
  await cluster.stop();
});

const units = { fn: 'metric', metric: 'units' } as const;
const changed = (how: 'absolute' | 'percent', from = '2016-01-01', to = '2017-01-01'): Measure => ({
  fn: 'change',
  ...(how === 'percent' && { percent: true }),
  of: units,
  from: { field: field('orders', 'day'), from, to },
  to: { field: field('orders', 'day'), from: to, to: `${Number(to.slice(0, 4)) + 1}-01-01` },
});
const CASES: [string, LensPlan, string][] = [
  [
    'a metric in a half-open window',
    plan({
      measures: [metric('revenue')],
      time: { field: field('orders', 'day'), from: '2016-01-01', to: '2017-01-01' },
    }),
    "select sum(sales) from orders where day >= date '2016-01-01' and day < date '2017-01-01'",
  ],
  [
    'a dimension many to one, orphans kept',
    plan({ measures: [metric('revenue'), metric('order_count')], dimensions: [field('customers', 'area')] }),
    'select c.area, sum(o.sales), count(*) from orders o left join customers c on o.customer_id = c.id group by 1 order by 2 desc nulls last, 1 nulls last',
  ],
  [
    'two homes meet after each is grouped',
    plan({ measures: [metric('order_count'), metric('ticket_count')], dimensions: [field('customers', 'area')] }),
    'select a.area, (select count(*) from orders o left join customers c on o.customer_id = c.id where c.area is not distinct from a.area), (select count(*) from tickets t left join customers c on t.customer_id = c.id where c.area is not distinct from a.area) from (select distinct area from orders left join customers c on customer_id = c.id union select distinct area from tickets left join customers c on customer_id = c.id) a order by 2 desc, 1 nulls last',
  ],
  ['a ratio of two homes is no integer division', plan({ measures: [metric('tickets_per_order')] }), 'select 3.0 / 7'],
  ['a metric with its own filter', plan({ measures: [metric('big_orders'), metric('order_count')] }), 'select 3, 7'],
  [
    'a distinct count moves to the rows that restrict it',
    plan({ measures: [metric('buyers')], filters: [is(field('orders', 'day', 'year'), 2016)] }),
    "select 3 - 0 - (select count(*) from customers where id = 2) + (select count(distinct customer_id) from orders where customer_id = 2 and day < date '2017-01-01')",
  ],
  [
    'no related rows, null-safe',
    plan({
      dimensions: [field('customers', 'id')],
      filters: [{ not_exists: 'orders' }],
    }),
    'select 4',
  ],
  [
    'the row that a row refers to, not rows that refer to the same one',
    plan({
      dimensions: [field('orders', 'id')],
      filters: [
        {
          exists: 'customers',
          where: [{ field: field('customers', 'area'), op: '=', values: ['South'] }],
        },
      ],
    }),
    'select id from orders where customer_id = 2',
  ],
  [
    'at least two related rows',
    plan({
      dimensions: [field('customers', 'id')],
      filters: [
        {
          exists: 'orders',
          where: [is(field('orders', 'day', 'year'), 2016)],
          at_least: 2,
        },
      ],
    }),
    'select id from (values (1), (3)) v(id)',
  ],
  [
    'a self-relation by its role',
    plan({ dimensions: [field('customers', 'id'), field('referrer', 'id')] }),
    'select c.id, r.id from customers c left join customers r on c.referrer = r.id order by 1',
  ],
  [
    'more than the average of all',
    plan({
      dimensions: [field('orders', 'id')],
      filters: [
        {
          field: field('orders', 'sales'),
          op: '>',
          values: [],
          than: { fn: 'avg', field: { path: 'orders', field: 'sales' } },
        },
      ],
    }),
    'select id from orders where sales > (select avg(sales) from orders) order by 1',
  ],
  [
    'months are ISO first days',
    plan({ measures: [metric('units')], dimensions: [field('orders', 'day', 'month')] }),
    "select d, q from (values (cast('2016-01-01' as varchar), 3), ('2016-02-01', 4), ('2016-04-01', 2), ('2016-12-01', 4), ('2017-01-01', 1)) v(d, q)",
  ],
  [
    'ISO weeks begin on Monday',
    plan({
      measures: [metric('units')],
      dimensions: [field('orders', 'day', 'week')],
      filters: [is(field('orders', 'id'), 5)],
    }),
    "select cast('2016-12-26' as varchar), 1",
  ],
  [
    'change is against the period before, not the row before',
    plan({
      measures: [{ fn: 'change', of: { fn: 'metric', metric: 'units' } }],
      dimensions: [field('orders', 'day', 'month')],
    }),
    "select d, q from (values (cast('2016-01-01' as varchar), cast(null as int)), ('2016-02-01', 1), ('2016-04-01', null), ('2016-12-01', null), ('2017-01-01', -3)) v(d, q)",
  ],
  [
    'share of total',
    plan({
      measures: [{ fn: 'share_of_total', of: { fn: 'metric', metric: 'units' } }],
      dimensions: [field('orders', 'big')],
    }),
    'select sales > 9, sum(qty) * 1.0 / 14 from orders group by 1 order by 2 desc, 1 nulls last',
  ],
  [
    'groups are kept by a condition on a metric',
    plan({
      measures: [metric('units')],
      dimensions: [field('customers', 'label')],
      having: [{ measure: { fn: 'metric', metric: 'units' }, op: '>', values: [3] }],
    }),
    'select upper(c.area), sum(qty) from orders o left join customers c on c.id = o.customer_id group by 1 having sum(qty) > 3 order by 2 desc, 1 nulls last',
  ],
  [
    'top 1 of each group',
    plan({
      measures: [metric('units')],
      dimensions: [field('customers', 'area'), field('orders', 'id')],
      limit_per: { by: [field('customers', 'area')], rows: 1 },
    }),
    "select a, i, q from (values ('North', 1, 3), ('South', 3, 2), (null, 4, 4)) v(a, i, q)",
  ],
  [
    'a masked name is null, and its distinct count real',
    plan({ measures: [{ fn: 'count_distinct', field: { path: 'customers', field: 'name' } }] }),
    'select 3',
  ],
  [
    'between takes the whole last day of a datetime',
    plan({
      measures: [metric('ticket_count')],
      filters: [{ field: field('tickets', 'opened'), op: 'between', values: ['2016-02-01', '2016-02-02'] }],
    }),
    'select 2',
  ],
  [
    'contains takes % and _ for themselves',
    plan({
      dimensions: [field('customers', 'id')],
      filters: [{ field: field('customers', 'area'), op: 'contains', values: ['or_h'] }],
    }),
    'select 1 where 1 = 0',
  ],
  [
    'contains ignores case',
    plan({
      dimensions: [field('customers', 'id')],
      filters: [{ field: field('customers', 'area'), op: 'contains', values: ['ORTH'] }],
    }),
    'select id from (values (1), (4)) v(id)',
  ],
  [
    'a listing ordered by its total of related rows',
    plan({
      rows: 'customers',
      dimensions: [field('customers', 'id')],
      order_by: [{ measure: { fn: 'metric', metric: 'revenue' }, direction: 'desc' }],
    }),
    'select id from (values (2), (1), (3), (4)) v(id)',
  ],
  [
    'days of the week and hours',
    plan({
      measures: [metric('ticket_count')],
      dimensions: [field('tickets', 'opened', 'weekday'), field('tickets', 'opened', 'hour')],
      filters: [{ field: field('tickets', 'opened', 'weekday'), op: 'in', values: ['Monday', 'Tuesday'] }],
    }),
    "select d, h, n from (values ('Monday', 23, 1), ('Tuesday', 0, 1), ('Tuesday', 12, 1)) v(d, h, n)",
  ],
  [
    'the median of each group',
    plan({
      measures: [{ fn: 'median', field: { path: 'orders', field: 'qty' } }],
      dimensions: [field('orders', 'big')],
    }),
    'select b, m from (values (false, 2.0), (null, 2.0), (true, 1.0)) v(b, m)',
  ],
  [
    'the second highest of a listing',
    plan({
      rows: 'orders',
      dimensions: [field('orders', 'id')],
      order_by: [{ field: field('orders', 'sales'), direction: 'desc' }],
      limit: 1,
      offset: 1,
    }),
    'select 2',
  ],
  [
    'what is excluded is not the rows without a value',
    plan({
      measures: [metric('units')],
      filters: [
        { field: field('customers', 'area'), op: '!=', values: ['North'], or_null: true },
        is(field('orders', 'big'), 'false'),
      ],
    }),
    'select 2 + 4 + 1',
  ],
  [
    'the change from one year to the next, groups of either year kept',
    plan({ measures: [changed('absolute'), changed('percent')], dimensions: [field('customers', 'area')] }),
    "select a, d, p from (values ('South', -1, -50.0), ('North', -4, -100.0), (null, -7, -100.0)) v(a, d, p)",
  ],
  ['the change without groups', plan({ measures: [changed('absolute')] }), 'select 1 - 13'],
  [
    'growth from nothing has no percentage',
    plan({
      measures: [changed('absolute', '2015-01-01', '2016-01-01'), changed('percent', '2015-01-01', '2016-01-01')],
      dimensions: [field('customers', 'area')],
    }),
    "select a, d, p from (values (null, 7, cast(null as int)), ('North', 4, null), ('South', 2, null)) v(a, d, p)",
  ],
  [
    'a part of all rows, those without a value among all',
    plan({
      measures: [
        { fn: 'share', of: units, where: [is(field('customers', 'area'), 'North')], percent: true },
        {
          fn: 'share',
          of: { fn: 'metric', metric: 'order_count' },
          where: [is(field('orders', 'big'), 'true')],
        },
      ],
    }),
    'select 100.0 * 4 / 14, 3.0 / 7',
  ],
  [
    'no rows in the part are none of all',
    plan({ measures: [{ fn: 'share', of: units, where: [is(field('customers', 'area'), 'West')], percent: true }] }),
    'select 0',
  ],
  [
    'the mean of what each customer comes to, orders of nobody left out',
    plan({ measures: [{ fn: 'over_groups', take: 'avg', of: units, per: ['customers'] }] }),
    'select 13 / 3.0',
  ],
  [
    'the mean over months within groups',
    plan({
      measures: [{ fn: 'over_groups', take: 'avg', of: units, by: [{ path: 'orders', field: 'day', grain: 'month' }] }],
      dimensions: [field('customers', 'area')],
    }),
    "select a, m from (values (null, 3.5), ('North', 2.0), ('South', 1.5)) v(a, m)",
  ],
];

describe.each(['duckdb', 'postgres'] as const)('on %s', (name) => {
  test.each(CASES)('%s', async (_title, asked, byHand) => {
    const { lens, run } = engines[name]!;
    const { sql, query, extraColumns, columns } = await compilePlan(lens, asked, everyone, { maxRows: 5000 });
    const relations = await governedRelations(lens, everyone);
    const scope: GuardScope = { dialect: name, relations, mode: 'verify', maxRows: null, extraColumns };
    const { runs } = await cachedVerdict(sql, scope, query);
    // What is read of the text is judged alike, and means the same.
    expect((await guardSql(sql, scope)).columns).toBe(columns.length);
    expect((await compilePlan(lens, asked, everyone, { maxRows: 5000 })).sql).toBe(sql);
    const found = await run(sql);
    expect(await run(runs)).toEqual(found);
    expect(found).toEqual(await run(byHand));
    expect(found.every((row) => row.length === columns.length)).toBe(true);
  });

  test('a row policy binds the attribute, and without it there are no rows of the dataset', async () => {
    const { lens, run } = engines[name]!;
    const asked = plan({ measures: [{ fn: 'count', rows: 'customers' }] });
    const count = async (caller: Caller) =>
      (await run((await compilePlan(lens, asked, caller, { maxRows: 10 })).sql))[0]![0];
    const local = { ...everyone, groups: ['local'] };
    expect(await count(everyone)).toBe('4');
    expect(await count({ ...local, attributes: { area: 'North' } })).toBe('2');
    expect(await count({ ...local, attributes: { area: "x' or '1'='1" } })).toBe('0');
    expect(await count(local)).toBe('0');
    expect(await count({ ...local, superuser: true })).toBe('4');
    expect((await compilePlan(lens, asked, local, { maxRows: 10 })).rowPolicies).toEqual(['own-area']);
  });

  test('random plans give the totals of a naive reference', async () => {
    const { lens, run } = engines[name]!;
    const areaOf = (id: number | null) => customers.find(([one]) => one === id)?.[2] ?? null;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('North', 'South', null),
        fc.integer({ min: 0, max: 30 }),
        fc.boolean(),
        fc.integer({ min: 0, max: 5 }),
        async (area, least, grouped, month) => {
          const from = `2016-0${month + 1}-01`;
          const kept = orders.filter(
            ([, customer, day, sales]) =>
              (area === null || areaOf(customer) === area) &&
              (least === 0 || (sales !== null && Number(sales) >= least)) &&
              day >= from &&
              day < '2017-01-01',
          );
          const filters: Filter[] = [
            ...(area ? [is(field('customers', 'area'), area)] : []),
            ...(least > 0 ? [{ field: field('orders', 'sales'), op: '>=' as const, values: [least] }] : []),
          ];
          const asked = plan({
            measures: [metric('units'), metric('order_count')],
            dimensions: grouped ? [field('customers', 'area')] : [],
            filters,
            time: { field: field('orders', 'day'), from, to: '2017-01-01' },
          });
          const found = await run((await compilePlan(lens, asked, everyone, { maxRows: 100 })).sql);
          const sum = (index: number) => found.reduce((total, row) => total + Number(row.at(index) ?? 0), 0);
          expect([sum(-2), sum(-1)]).toEqual([kept.reduce((total, [, , , , qty]) => total + qty, 0), kept.length]);
          if (grouped) expect(found.length).toBe(new Set(kept.map(([, customer]) => areaOf(customer))).size);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('no fan-out, ever', () => {
  const refusal = (asked: LensPlan): Problem => {
    try {
      checkPlan(engines['duckdb']!.lens, asked, everyone);
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
    throw new Error('it compiled');
  };
  test('a sum is not split by the many side', () => {
    const problem = refusal(plan({ measures: [metric('revenue')], dimensions: [field('tickets', 'id')] }));
    expect(problem.details[0]).toMatchObject({ code: 'fan_out' });
    expect(problem.message).toContain('fields of orders, customers');
  });
  test('a sum is not restricted by the many side either', () => {
    expect(
      refusal(plan({ measures: [metric('revenue')], filters: [is(field('tickets', 'id'), 1)] })).details[0],
    ).toMatchObject({ code: 'fan_out' });
  });
  test('a masked field is refused wherever it would show through', () => {
    const masked = field('customers', 'name');
    for (const asked of [
      plan({ measures: [metric('revenue')], dimensions: [masked] }),
      plan({ dimensions: [field('customers', 'id')], filters: [is(masked, 'Ann')] }),
      plan({
        dimensions: [field('customers', 'id')],
        order_by: [{ field: masked, direction: 'asc' }],
      }),
      plan({ dimensions: [masked], distinct: true }),
    ])
      expect(refusal(asked).details[0]).toMatchObject({ code: 'masked' });
  });
  test('all faults of a metrics body are named at once, with the nearest names', () => {
    try {
      const body = {
        metrics: ['revenu'],
        dimensions: ['customers.aera'],
        filters: [{ field: 'orders.sale', op: '=' as const, values: [1] }],
      };
      bindPlan(engines['duckdb']!.lens, body, new Date());
      throw new Error('it was read');
    } catch (error) {
      expect((error as Problem).details.map(({ path }) => path)).toEqual([
        'metrics[0]',
        'dimensions[0]',
        'filters[0].field',
      ]);
      expect((error as Problem).message).toMatch(/revenue.*area.*sales/);
    }
  });
});
