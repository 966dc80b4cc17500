import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startTestApp } from '../support/app.ts';
import { lensText } from '../support/lens-text.ts';
import { connectionTo, createDatabase } from '../support/postgres.ts';
import { PAIRS } from './statement-pairs.ts';

const LENS = lensText(`
name: works
title: Works
description: Orders of a works shop.
connection: works
timezone: UTC
datasets:
  customers: public.customers (id integer key, name string, city string auto, tier_code integer)
  orders: public.orders (id integer key, customer_id integer, status string auto, ordered_on date time, total decimal {unit: NOK, description: What the order comes to.}, shipping decimal {unit: NOK, description: What sending it costs., aggregation: sum})
  order_lines: public.order_lines (id integer key, order_id integer, product_id integer, qty integer {description: Pieces.}, unit_price decimal {unit: NOK}, line_total decimal {unit: NOK})
  products: public.products (id integer key, name string, category string, price decimal {unit: NOK})
  payments: public.payments (id integer key, order_id integer, amount decimal {unit: NOK}, method string)
  stocked: public.stocked (order_id integer key, product_id integer key)
  tickets: public.tickets (id integer key, customer_id integer, satisfaction_score integer)
relationships:
  - {from: orders.customer_id, to: customers.id}
  - {from: order_lines.order_id, to: orders.id}
  - {from: order_lines.product_id, to: products.id}
  - {from: payments.order_id, to: orders.id}
  - {from: stocked.order_id, to: orders.id}
  - {from: stocked.product_id, to: products.id}
  - {from: tickets.customer_id, to: customers.id}
metrics:
  revenue: {expression: sum(orders.total), description: What orders come to., unit: NOK}
`);
const TABLES = `
create table customers (id int primary key, name text, city text, tier_code int);
create table orders (id int primary key, customer_id int, status text, ordered_on date, total numeric, shipping numeric);
create table order_lines (id int primary key, order_id int, product_id int, qty int, unit_price numeric, line_total numeric);
create table products (id int primary key, name text, category text, price numeric);
create table payments (id int primary key, order_id int, amount numeric, method text);
create table tickets (id int primary key, customer_id int, satisfaction_score int);
create table stocked (order_id int, product_id int, primary key (order_id, product_id));
insert into stocked values (1, 1), (1, 2), (2, 1);
insert into customers values (1, 'Aas', 'Bergen', 1), (2, 'Bakke', 'Oslo', 2), (3, 'Dahl', 'Bergen', 2);
insert into orders values (1, 1, 'open', '2026-01-02', 100, 5), (2, 1, 'past_due', '2026-01-03', 50, 5), (3, 2, 'open', '2026-02-01', 70, 9);
insert into products values (1, 'Bench', 'Furniture', 40), (2, 'Lamp', 'Lighting', 10);
insert into order_lines values (1, 1, 1, 2, 40, 80), (2, 1, 2, 2, 10, 20), (3, 2, 2, 5, 10, 50), (4, 3, 1, 1, 40, 40), (5, 3, 2, 3, 10, 30);
insert into payments values (1, 1, 60, 'card'), (2, 1, 40, 'cash'), (3, 3, 70, 'card');
insert into tickets values (1, 1, 4), (2, 1, 5), (3, 2, 3);
`;
const url = await createDatabase(TABLES);
const files = {
  'svc.config.yaml': `connections: ${JSON.stringify({ works: connectionTo(url) })}\n`,
  'lenses/works/lens.yaml': LENS,
};
const app = await startTestApp({ files });
const run = async (sql: string) => (await app.post<Envelope>('/v1/sql', { lens: 'works', sql })).body;

describe('a statement written by its caller', () => {
  it.each(PAIRS)('$check, $about: the right statement is verified or partial', async ({ right }) => {
    const { status, confidence, checks } = await run(right);
    const open = checks.filter(({ outcome }) => outcome === 'fail' || outcome === 'unknown');
    // Verified if it equals a plan. Otherwise partial, because no one approved it.
    expect(status).toBe('answered');
    expect(['verified', 'partial']).toContain(confidence);
    expect(open.map(({ name }) => name)).toEqual(confidence === 'verified' ? [] : ['governed_metrics']);
  });

  it.each(PAIRS)('$check, $about: the wrong statement is unverified, and the check fails', async ({ wrong, check }) => {
    const { status, confidence, checks } = await run(wrong);
    expect({ status, confidence }).toEqual({ status: 'answered', confidence: 'unverified' });
    expect(checks[0]).toMatchObject({ name: check, outcome: 'fail' });
  });
});

/** The intended rows of the wrong statements, written by hand. */
const MEANT: Record<string, unknown[][]> = {
  'order totals beside their payments': [[220, 170]],
  'orders that have a furniture line': [[2]],
  'shipping of orders that were paid by card': [[14]],
  'mean order total by city': [
    ['Bergen', 75],
    ['Oslo', 70],
  ],
  'tickets and orders of each customer': [
    ['Aas', 2, 2],
    ['Bakke', 1, 1],
    ['Dahl', 0, 0],
  ],
  'payments by method with a count of orders': [
    ['card', 2],
    ['cash', 1],
  ],
  'customers with an order': [[2]],
};

describe('the alternative to a statement that repeats rows', () => {
  it('runs, repeats nothing, and returns the intended rows', async () => {
    const told: string[] = [];
    for (const { about, wrong } of PAIRS.filter(({ check }) => check === 'no_fan_out')) {
      const { detail } = (await run(wrong)).checks[0]!;
      const instead = /This statement does not repeat rows: (.*)$/s.exec(detail)?.[1];
      if (instead === undefined) continue;
      const again = await run(instead);
      expect(again.status, `${instead} ${JSON.stringify(again)}`).toBe('answered');
      expect(again.checks.find(({ name }) => name === 'no_fan_out')!.outcome, instead).toBe('pass');
      const read = (value: unknown) => (Number.isNaN(Number(value)) ? value : Number(value));
      const rows = again.data!.map((row) => Object.values(row).map(read));
      const byFirst = (a: unknown[], b: unknown[]) => String(a[0]).localeCompare(String(b[0]));
      if (MEANT[about]) expect(rows.sort(byFirst), instead).toEqual(MEANT[about]);
      told.push(about);
    }
    expect(told).toEqual(expect.arrayContaining(Object.keys(MEANT)));
    expect(told.length).toBeGreaterThanOrEqual(11);
  });
});

it('Z17: shows the text that the warehouse ran in the trace, and plain names in the answer', async () => {
  const { body } = await app.post('/v1/lenses/works/metrics', { measures: [{ fn: 'sum', field: 'orders.total' }] });
  expect(body.sql, JSON.stringify(body)).toMatch(/\bsum\(/);
  expect(body.sql).not.toContain('pg_catalog');
  const { guard } = (await app.admin('GET', `/observe/requests/${body.request_id}`)).body;
  expect(guard.runs).toContain('pg_catalog.sum(');
});

it('shows infinite dates and times as null, with a warning', async () => {
  const { data, warnings } = await run(
    `select 'infinity'::date as d, '-infinity'::timestamp as t, 'infinity'::timestamptz as z, '2026-01-02'::date as day from orders limit 1`,
  );
  expect(data).toEqual([{ d: null, t: null, z: null, day: '2026-01-02' }]);
  expect(warnings).toContain('Some values are NaN or infinite, and are shown as null.');
});

describe('the plan of a statement', () => {
  it('is not comparable if it joins separate groups, which the reason states', async () => {
    const sql =
      'select c.city, sum(o.total) / count(distinct c.id) as mean from orders o join customers c on c.id = o.customer_id group by c.city';
    const { nearest, checks } = (await run(sql)) as Envelope & { nearest: { plan: object; differs: string } };
    expect(nearest.differs).toBe('svc can’t compare the SQL of the nearest plan with the statement.');
    expect(checks.find(({ name }) => name === 'governed_metrics')!.detail).toContain(nearest.differs);
  });

  it('is the plan of a median', async () => {
    const sql =
      'select status, percentile_cont(0.5) within group (order by total) as median from orders group by status';
    const { confidence, equals } = (await run(sql)) as Envelope & { equals: { plan: { measures: object[] } } };
    expect(equals.plan.measures).toMatchObject([{ fn: 'median', field: 'orders.total' }]);
    expect(confidence).toBe('verified');
  });
});
