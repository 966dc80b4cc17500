import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { connectionTo, createDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROWS = [
  "(1,'acme','West',10.00,'Ada'),(2,'acme','East',20.00,'Bo')",
  "(3,'globex','West',400.00,'Cy'),(4,'globex','North',800.00,'Di'),(5,null,'Void',1600.00,'Ed')",
].join(',');
const lensText = (name: string, connection: string, schema: string, filter: string, sales = 'sales') => `
name: ${name}
title: Orders
description: Orders of several tenants.
connection: ${connection}
datasets:
  orders:
    source: ${schema}.${sales}
    description: One row per order.
    primary_key: [row_id]
    fields:
      row_id: {datatype: integer}
      region: {datatype: string, values: auto}
      amount: {datatype: decimal}
      double: {expression: "amount * 2", datatype: decimal}
      buyer: {datatype: string, mask: true}
metrics:
  revenue: {expression: sum(orders.amount), description: Revenue., synonyms: [sales]}
  buyers: {expression: count(distinct orders.buyer), description: Buyers.}
row_policies:
  - {name: own-tenant, dataset: orders, filter: ${JSON.stringify(filter)}}
`;
const certifiedText = (schema: string) =>
  JSON.stringify([
    {
      id: 'total',
      question: 'What is the grand total?',
      sql: `select sum(amount) as total from ${schema}.sales`,
      approved_by: 'ops@example.com',
      approved_at: '2026-01-31',
    },
  ]);
const OWN = 'orders.tenant_id = {caller.tenant}';
const DATED = "orders.tenant_id = {caller.tenant} and date {caller.until} > date '2024-01-31'";
const COMPUTED = 'orders.tenant_id = {caller.tenant} and orders.double < 1000000';
const project = await temporaryFolder();
const url = new URL(
  await createDatabase(
    'create table sales (row_id int primary key, tenant_id text, region text, amount numeric(10,2), buyer text)',
    `insert into sales values ${ROWS}`,
  ),
);
const csv = ROWS.replaceAll('),(', '\n').replace(/[()']/g, '').replaceAll('null', '');
await writeFile(join(project, 'sales.csv'), `row_id,tenant_id,region,amount,buyer\n${csv}\n`);
const files: Record<string, string> = {
  'svc.config.yaml': JSON.stringify({
    connections: {
      duck: {
        kind: 'duckdb',
        files: {
          sales: {
            path: 'sales.csv',
            select: 'select * replace (cast(amount as decimal(10,2)) as amount) from source',
          },
        },
      },
      pg: connectionTo(url),
    },
  }),
  'lenses/duck/lens.yaml': lensText('duck', 'duck', 'main', OWN),
  'lenses/duck/certified/core.yaml': certifiedText('main'),
  'lenses/pg/lens.yaml': lensText('pg', 'pg', 'public', OWN),
  'lenses/pg/certified/core.yaml': certifiedText('public'),
  'lenses/dated/lens.yaml': lensText('dated', 'duck', 'main', DATED),
  'lenses/dated-pg/lens.yaml': lensText('dated-pg', 'pg', 'public', DATED),
  'lenses/twice/lens.yaml': lensText('twice', 'pg', 'public', OWN).replace(
    'metrics:',
    '  parcels: {source: public.sales, primary_key: [row_id], fields: {row_id: {datatype: integer}}}\nmetrics:',
  ),
  'lenses/computed/lens.yaml': lensText('computed', 'duck', 'main', COMPUTED),
  'lenses/computed/certified/core.yaml': certifiedText('main'),
};
const svc = await startTestApp({ project, files });
const lenses = ['duck', 'pg', 'computed'];
const acme = (await svc.mintCaller({ name: 'ada', lenses, attributes: { tenant: 'acme' } })).key;
const nobody = (await svc.mintCaller({ name: 'bo', lenses })).key;

describe.each([
  ['duck', 'main'],
  ['pg', 'public'],
  ['computed', 'main'],
])('lens %s', (name, schema) => {
  const postMetrics = (key: string | undefined, body: object) => svc.post(`/v1/lenses/${name}/metrics`, body, key);
  const postSql = (text: string, key = acme) => svc.post('/v1/sql', { lens: name, sql: text, limit: 100 }, key);

  it('shows each caller their own rows of a metric, and no rows without the attribute', async () => {
    const ownRows = await postMetrics(acme, { metrics: ['revenue', 'buyers'], dimensions: ['region'] });
    expect(ownRows.body.data).toEqual(
      expect.arrayContaining([
        { region: 'West', revenue: 10, buyers: 1 },
        { region: 'East', revenue: 20, buyers: 1 },
      ]),
    );
    expect(ownRows.body).toMatchObject({
      row_count: 2,
      confidence: 'verified',
      scope: { row_policies: ['own-tenant'] },
    });
    expect((await postMetrics(nobody, { metrics: ['revenue'] })).body).toMatchObject({ status: 'answered' });
    expect((await postMetrics(nobody, { metrics: ['revenue'], dimensions: ['region'] })).body.row_count).toBe(0);
    expect((await postMetrics(svc.adminToken, { metrics: ['revenue'] })).body.data).toEqual([{ revenue: 2830 }]);
  });
  it('filters questions, listings and certified answers', async () => {
    const envelope = await svc.post(`/v1/lenses/${name}/query`, { q: 'What is revenue?', format: 'structured' }, acme);
    expect(envelope.body.data).toEqual([{ revenue: 30 }]);
    expect((await postMetrics(acme, { dimensions: ['row_id'] })).body.data).toEqual([{ row_id: 1 }, { row_id: 2 }]);
    const run = await svc.post(`/v1/lenses/${name}/certified/total/run`, {}, acme);
    expect(run.body).toMatchObject({ data: [{ total: 30 }], scope: { row_policies: ['own-tenant'] } });
  });
  it('refuses SQL and plans that compare masked values, except for the distinct count', async () => {
    for (const text of [
      'select buyer, count(*) from orders group by buyer',
      'select count(*) from orders a join orders b using (buyer)',
      'select row_id from orders where buyer in (select buyer from orders where row_id = 1)',
      'select buyer from orders order by 1',
      'with o as (select buyer as b from orders) select count(distinct b) from o group by b',
      'select j.buyer from orders a join orders b using (buyer) as j',
      'select buyer.x from orders',
      'select * replace (buyer as region) from orders',
      'select json_arrayagg(buyer returning text) from orders',
    ]) {
      const { status, body } = await postSql(text, svc.callerKey);
      expect([status, body.error?.code], text).toEqual([422, 'guard_refused']);
    }
    const plans = [
      { metrics: ['revenue'], dimensions: ['buyer'] },
      { metrics: ['revenue'], filters: [{ field: 'orders.buyer', op: '=', values: ['Ada'] }] },
      { dimensions: ['row_id'], order_by: [{ field: 'orders.buyer', direction: 'asc' }] },
    ];
    for (const plan of plans) expect((await postMetrics(svc.callerKey, plan)).status, JSON.stringify(plan)).toBe(422);
    const distinctCount = await postSql('select count(distinct buyer) as n from orders', acme);
    expect(distinctCount.body.data).toEqual([{ n: 2 }]);
  });
  it('filters the caller’s own SQL in every form', async () => {
    for (const text of [
      'select sum(amount) as n from orders',
      `select sum(amount) as n from ${schema}.sales`,
      'with o as (select * from orders) select sum(amount) as n from o',
      'select sum(a.amount) as n from orders a join orders b on a.row_id = b.row_id',
      'select (select sum(amount) from orders) as n',
      'select sum(n) as n from (select amount as n from orders where true or amount > 0) t',
      ...(name === 'pg' ? ['select sum(j.row_id) * 10 as n from orders a join orders b using (row_id) as j'] : []),
    ])
      expect((await postSql(text)).body.data, text).toEqual([{ n: 30 }]);
    expect(
      (await postSql('select * from orders')).body.columns.map((column: { name: string }) => column.name),
    ).not.toContain('tenant_id');
  });
  it('refuses SQL and plans that name the column of the policy, in any place', async () => {
    for (const text of [
      'select tenant_id from orders',
      `select tenant_id from ${schema}.sales`,
      "select count(*) from orders where tenant_id = 'globex'",
      'select count(*) from orders group by tenant_id',
      'select row_id from orders order by tenant_id',
      'select o.tenant_id from orders o',
      'select count(*) from orders a join orders b on a.tenant_id = b.tenant_id',
      'select count(distinct tenant_id) from orders',
    ]) {
      const { status, body } = await postSql(text);
      expect([status, body.error?.code], text).toEqual([422, 'guard_refused']);
    }
    for (const body of [
      { metrics: ['revenue'], dimensions: ['orders.tenant_id'] },
      { metrics: ['revenue'], filters: [{ field: 'tenant_id', op: '=', values: ['globex'] }] },
      { dimensions: ['row_id'], order_by: [{ field: 'tenant_id', direction: 'asc' }] },
    ])
      expect((await postMetrics(acme, body)).status).toBe(422);
    expect(JSON.stringify((await svc.get(`/v1/lenses/${name}`, acme)).body)).not.toContain('tenant_id');
  });
  it('G20: routes a question by the values that its caller may see, and by no others', async () => {
    const { key } = await svc.mintCaller({ name: `of ${name}`, lenses: [name], attributes: { tenant: 'acme' } });
    const routeQuestion = async (region: string) => {
      const { status, answer, routing, suggestions } = (await svc.post('/v1/query', { q: `Revenue of ${region}` }, key))
        .body;
      return { status, answer: answer.replaceAll(region, '?'), routing, suggestions };
    };
    expect(await routeQuestion('West')).toMatchObject({ status: 'answered', routing: { lens: name } });
    expect(await routeQuestion('North')).toEqual(await routeQuestion('Nowhere'));
    expect(await routeQuestion('Void')).toMatchObject({ status: 'uncovered' });
  });
});

describe.each(['dated', 'dated-pg'])('lens %s, with an attribute in a typed literal', (lens) => {
  it.each([
    ['2024-02-01', 200, 30],
    ['2024-01-31', 200, null],
    ['2024-02-31', 403, undefined],
    [20240201, 403, undefined],
  ])('filters the rows of a caller with %s', async (until, status, total) => {
    const attributes = { tenant: 'acme', until };
    const { key } = await svc.mintCaller({ name: `${lens} ${until}`, lenses: [lens], attributes });
    const reply = await svc.post('/v1/sql', { lens, sql: 'select sum(amount) as n from orders' }, key);
    expect([reply.status, reply.body.data?.[0].n]).toEqual([status, total]);
  });
});

it('applies the policy of a dataset whose table another dataset reads too', async () => {
  const { key } = await svc.mintCaller({ name: 'twice', lenses: ['twice'], attributes: { tenant: 'acme' } });
  const count = (table: string) =>
    svc.post('/v1/sql', { lens: 'twice', sql: `select count(*) as n from ${table}` }, key);
  expect((await count('orders')).body.data).toEqual([{ n: 2 }]);
  expect((await count('parcels')).body.data).toEqual([{ n: 5 }]);
  for (const table of ['sales', 'public.sales'])
    expect((await count(table)).body.error.message).toContain('several datasets. Use one of: orders, parcels.');
});

it('checks a row policy against the warehouse at plan: its column exists and its condition runs', async () => {
  const planWithFilter = async (filter: string, connection = 'pg', schema = 'public') => {
    const changedFiles = { ...files, 'lenses/pg/lens.yaml': lensText('pg', connection, schema, filter) };
    const { body } = await svc.admin('POST', '/project/plan', { files: changedFiles });
    return body.problems.map(({ pointer, message }: { pointer: string; message: string }) => `${pointer} ${message}`);
  };
  expect(await planWithFilter(OWN)).toEqual([]);
  for (const filter of [
    "orders.tenant_id || orders.region = {caller.tenant} || 'West'",
    'orders.tenant_id = ({caller.tenant} collate "C")',
    '(orders.tenant_id = {caller.tenant}) is true',
  ])
    expect(await planWithFilter(filter), filter).toEqual([]);
  expect(await planWithFilter('row(orders.tenant_id) = row({caller.tenant})')).toEqual([
    expect.stringContaining('The required type of {caller.tenant} is not known'),
  ]);
  expect(await planWithFilter('orders.tennant_id = {caller.tenant}')).toEqual([
    expect.stringMatching(/row_policies.0.filter .*"tennant_id".*Did you mean tenant_id\?/),
  ]);
  expect(await planWithFilter('orders.amount + orders.tenant_id > 3')).toEqual([
    expect.stringMatching(/row_policies.0.filter The row policy "own-tenant" fails in the warehouse/),
  ]);
  expect(await planWithFilter("public.orders.tenant_id = 'x'")).toEqual([
    expect.stringContaining('fields of its own dataset'),
  ]);
  expect(await planWithFilter('sales.tenant_id = {caller.tenant}')).toEqual([
    expect.stringContaining('fields of its own dataset'),
  ]);
  expect(await planWithFilter('orders.tenant_id in (select tenant_id from orders)')).toEqual([
    expect.stringContaining('Subqueries'),
  ]);
});
