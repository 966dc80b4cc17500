// A row policy may read several joined datasets, and datasets that are several relationships away. The rows that a caller
// sees are compared with plain SQL over the same tables.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { lensText } from '../support/lens-text.ts';
import { connect, connectionTo, createDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TABLES = [
  'create table areas (area_id integer primary key, title varchar(20), head varchar(20))',
  `insert into areas values (1, 'West', 'ann'), (2, 'East', 'bo'), (3, null, 'ann')`,
  'create table sites (site_id integer primary key, area_id integer, tier integer)',
  'insert into sites values (1, 1, 1), (2, 2, 1), (3, 3, 2), (4, null, 2), (5, 9, 1), (6, 1, 2)',
  'create table clients (client_id integer primary key, site_id integer, billing_site_id integer)',
  'insert into clients values (1, 1, 2), (2, 2, 1), (3, 3, 3), (4, 4, null), (5, null, 1), (6, 5, 6), (7, 6, 1)',
  'create table products (product_id integer primary key, line varchar(20))',
  `insert into products values (1, 'tools'), (2, 'toys'), (3, null)`,
  'create table orders (order_id integer primary key, client_id integer, product_id integer)',
  `insert into orders values ${[...Array(40).keys()]
    .map((at) => `(${at}, ${at % 9 === 8 ? 'null' : at % 9}, ${at % 5 === 4 ? 'null' : at % 5})`)
    .join(', ')}`,
];
const JOINED = `from orders o left join clients c on o.client_id = c.client_id left join sites s on c.site_id = s.site_id
  left join areas a on s.area_id = a.area_id left join sites b on c.billing_site_id = b.site_id
  left join areas ba on b.area_id = ba.area_id left join products p on o.product_id = p.product_id`;
const POLICIES = {
  'two-joins': {
    filter: 'areas.title = {caller.region} and products.line = {caller.line}',
    visible: `a.title = 'West' and p.line = 'tools'`,
  },
  either: {
    filter: 'areas.title = {caller.region} or products.line = {caller.line}',
    // A row without a related row of one of the two is hidden.
    visible: `a.area_id is not null and p.product_id is not null and (a.title = 'West' or p.line = 'tools')`,
  },
  'three-steps': { filter: 'areas.title = {caller.region}', visible: `a.title = 'West'` },
  computed: {
    filter: 'areas.code = {caller.code} and sites.tier = 1',
    visible: `lower(a.title) = 'west' and s.tier = 1`,
  },
  negated: { filter: 'not (areas.title = {caller.region})', visible: `a.title <> 'West'` },
  roles: {
    filter: 'client_site.tier = 1 and billing_site.tier = 2',
    visible: 's.tier = 1 and b.tier = 2',
  },
};
type Engine = 'duckdb' | 'postgres';
const lensFile = (engine: Engine, name: string, filter: string): string =>
  lensText(`name: ${engine}-${name}
connection: ${engine}
datasets:
  areas: areas (area_id integer key, title string, head string, code string {expression: "lower(title)"})
  sites: sites (site_id integer key, tier integer)
  clients: clients (client_id integer key)
  products: products (product_id integer key, line string)
  orders: orders (order_id integer key)
relationships:
  - {from: orders.client_id, to: clients.client_id}
  - {from: orders.product_id, to: products.product_id}
  - {from: sites.area_id, to: areas.area_id}
${
  name === 'roles'
    ? `  - {name: client_site, from: clients.site_id, to: sites.site_id}
  - {name: billing_site, from: clients.billing_site_id, to: sites.site_id}`
    : '  - {from: clients.site_id, to: sites.site_id}'
}
metrics: {order_count: {expression: "count(orders.order_id)"}}
row_policies: [{name: own, dataset: orders, filter: ${JSON.stringify(filter)}}]
`);

const folder = await temporaryFolder();
await createDuckdbFile(join(folder, 'shop.duckdb'), ...TABLES);
const url = await createDatabase(...TABLES);
const engines: Engine[] = ['duckdb', 'postgres'];
const lenses = engines.flatMap((engine) => Object.keys(POLICIES).map((name) => ({ engine, name })));
const svc = await startTestApp({
  project: folder,
  files: {
    'svc.config.yaml': JSON.stringify({
      connections: { duckdb: { kind: 'duckdb', path: 'shop.duckdb' }, postgres: connectionTo(url) },
    }),
    ...Object.fromEntries(
      lenses.map(({ engine, name }) => [
        `lenses/${engine}-${name}/lens.yaml`,
        lensFile(engine, name, POLICIES[name as keyof typeof POLICIES].filter),
      ]),
    ),
  },
});
const rep = await svc.mintCaller({
  name: 'rep',
  lenses: lenses.map(({ engine, name }) => `${engine}-${name}`),
  attributes: { region: 'West', line: 'tools', code: 'west' },
});

describe.each(engines)('on %s', (engine) => {
  it.each(Object.entries(POLICIES))('the policy %s shows the rows that match', async (name, { visible }) => {
    const expected = await plainIds(visible);
    expect(expected.length).toBeGreaterThan(0);
    const lens = `${engine}-${name}`;
    const sql = await svc.post('/v1/sql', { lens, sql: 'select order_id from orders order by order_id' }, rep.key);
    expect(
      sql.body.data?.map((row: { order_id: number }) => row.order_id),
      sql.text,
    ).toEqual(expected);
    const count = await svc.post(`/v1/lenses/${lens}/metrics`, { metrics: ['order_count'] }, rep.key);
    expect(count.body.data, count.text).toEqual([{ order_count: expected.length }]);
  });
});

async function plainIds(condition: string): Promise<number[]> {
  const client = await connect(url);
  const { rows } = await client.query(`select o.order_id ${JOINED} where ${condition} order by 1`);
  await client.end();
  return rows.map(({ order_id }) => order_id);
}
