// The plans of TPC-H questions Q1, Q3 and Q5 return the same rows as the specification's statements. A statement ends
// when the caller disconnects. A lens can cover two databases.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConnectionConfig } from '../../../src/adapters/warehouse/connection-config.ts';
import { ENGINES } from '../../../src/engines/engines.ts';
import { unguardedSql } from '../../plugin-kit/statements.ts';
import { startTestApp } from '../../support/app.ts';
import { lensText } from '../../support/lens-text.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { exactCell } from '../engine-stage.ts';
import { ENGINES_FOLDER } from '../engines-folder.ts';
import { READER, startTrino } from './start-trino.ts';
import { behind, createManagersDatabase, TPCH } from './trino-tables.ts';

const lensFile = (name: string, schema: string): string =>
  lensText(`name: ${name}
title: TPC-H
description: Orders of parts.
connection: tpch
timezone: UTC
datasets:
  lineitem: ${schema}.lineitem (orderkey integer key, linenumber integer key, suppkey integer, quantity decimal {aggregation: sum}, extendedprice decimal {aggregation: sum}, discount decimal {aggregation: average}, tax decimal {aggregation: average}, returnflag string, linestatus string, shipdate date time) {description: One row per line of an order.}
  orders: ${schema}.orders (orderkey integer key, custkey integer, orderdate date time, shippriority integer {aggregation: none}) {description: One row per order.}
  customer: ${schema}.customer (custkey integer key, nationkey integer, mktsegment string) {description: One row per customer.}
  supplier: ${schema}.supplier (suppkey integer key, nationkey integer) {description: One row per supplier.}
  nation: ${schema}.nation (nationkey integer key, name string) {description: One row per nation.}
  region: ${schema}.region (regionkey integer key, name string) {description: One row per region.}
  managers: postgresql.public.managers (nationkey integer key, manager string) {description: Who manages a nation, kept in another database.}
relationships:
  - {from: lineitem.orderkey, to: orders.orderkey}
  - {from: lineitem.suppkey, to: supplier.suppkey}
  - {from: orders.custkey, to: customer.custkey}
  - {from: supplier.nationkey, to: nation.nationkey}
  - {from: nation.regionkey, to: region.regionkey}
  - {from: nation.nationkey, to: managers.nationkey}
metrics:
  disc_price: {expression: sum(lineitem.extendedprice * (1 - lineitem.discount))}
  charge: {expression: sum(lineitem.extendedprice * (1 - lineitem.discount) * (1 + lineitem.tax))}
`);

const Q1 = {
  plan: {
    measures: [
      { fn: 'sum', field: 'lineitem.quantity' },
      { fn: 'sum', field: 'lineitem.extendedprice' },
      { fn: 'avg', field: 'lineitem.quantity' },
      { fn: 'avg', field: 'lineitem.extendedprice' },
      { fn: 'avg', field: 'lineitem.discount' },
      { fn: 'count', rows: 'lineitem' },
    ],
    metrics: ['disc_price', 'charge'],
    dimensions: ['lineitem.returnflag', 'lineitem.linestatus'],
    filters: [{ field: 'lineitem.shipdate', op: '<=', values: ['1998-09-02'] }],
    order_by: [{ field: 'lineitem.returnflag' }, { field: 'lineitem.linestatus' }],
  },
  // The averages have more decimal places than the two that Trino keeps.
  sql: `select returnflag, linestatus, sum(extendedprice * (1 - discount)), sum(extendedprice * (1 - discount) * (1 + tax)),
    sum(quantity), sum(extendedprice), avg(cast(quantity as decimal(38, 12))), avg(cast(extendedprice as decimal(38, 12))),
    avg(cast(discount as decimal(38, 12))), count(*)
    from lineitem where shipdate <= date '1998-12-01' - interval '90' day group by returnflag, linestatus
    order by returnflag, linestatus`,
};
const Q3 = {
  plan: {
    metrics: ['disc_price'],
    dimensions: ['orders.orderkey', 'orders.orderdate', 'orders.shippriority'],
    filters: [
      { field: 'customer.mktsegment', op: 'in', values: ['BUILDING'] },
      { field: 'orders.orderdate', op: '<', values: ['1995-03-15'] },
      { field: 'lineitem.shipdate', op: '>', values: ['1995-03-15'] },
    ],
    order_by: [{ field: 'disc_price', direction: 'desc' }, { field: 'orders.orderdate' }],
    limit: 10,
  },
  sql: `select l.orderkey, o.orderdate, o.shippriority, sum(l.extendedprice * (1 - l.discount)) as revenue
    from customer c, orders o, lineitem l
    where c.mktsegment = 'BUILDING' and c.custkey = o.custkey and l.orderkey = o.orderkey
    and o.orderdate < date '1995-03-15' and l.shipdate > date '1995-03-15'
    group by l.orderkey, o.orderdate, o.shippriority order by revenue desc, o.orderdate limit 10`,
};
const Q5 = {
  plan: {
    metrics: ['disc_price'],
    dimensions: ['nation.name'],
    filters: [
      { field: 'region.name', op: 'in', values: ['ASIA'] },
      { field: 'orders.orderdate', during: '1994' },
      { field: 'customer.nationkey', op: '=', other: { field: 'supplier.nationkey' } },
    ],
    order_by: [{ field: 'disc_price', direction: 'desc' }],
  },
  sql: `select n.name, sum(l.extendedprice * (1 - l.discount)) as revenue
    from customer c, orders o, lineitem l, supplier s, nation n, region r
    where c.custkey = o.custkey and l.orderkey = o.orderkey and l.suppkey = s.suppkey and c.nationkey = s.nationkey
    and s.nationkey = n.nationkey and n.regionkey = r.regionkey and r.name = 'ASIA'
    and o.orderdate >= date '1994-01-01' and o.orderdate < date '1994-01-01' + interval '1' year
    group by n.name order by revenue desc`,
};

const adapter = ENGINES.find(({ kind }) => kind === 'trino')!;
const context = { projectFolder: ENGINES_FOLDER, home: ENGINES_FOLDER, owner: 'test' };
const makeConnection = () => ({
  kind: 'trino',
  host: '127.0.0.1',
  port: trino.port,
  catalog: 'tpch',
  catalogs: ['postgresql.public'],
  ...READER,
});
const trino = await startTrino({
  catalogs: {
    tpch: { ...TPCH, 'tpch.double-type-mapping': 'DECIMAL' },
    postgresql: behind(await createManagersDatabase()),
  },
  rules: false,
});
const folder = await temporaryFolder(ENGINES_FOLDER);
await writeFile(join(folder, 'svc.config.yaml'), 'limits: {requests_per_minute: 1000000}\n');
const svc = await startTestApp({
  project: folder,
  files: {
    'svc.config.yaml': JSON.stringify({ connections: { tpch: makeConnection() } }),
    'lenses/tiny/lens.yaml': lensFile('tiny', 'tiny'),
  },
});
const ask = (of: string, plan: object) => svc.post(`/v1/lenses/${of}/metrics`, plan);
const qualifyTables = (sql: string): string =>
  sql.replaceAll(
    /\b(?<=from |, )(customer|orders|lineitem|supplier|nation|region)\b(?= [a-z]\b| where)/g,
    'tpch.tiny.$1',
  );

describe('TPC-H on Trino', () => {
  it.each(Object.entries({ Q1, Q3, Q5 }))('returns the rows of the specification for %s', async (_, { plan, sql }) => {
    const { status, body } = await ask('tiny', plan);
    expect({ status, said: body.error?.message ?? body.status }).toEqual({ status: 200, said: 'answered' });
    const rows = (body.data as Record<string, unknown>[]).map((row) => Object.values(row).map(exactCell).sort());
    const gold = (await trino.owner(qualifyTables(sql))).map((row) => row.map(exactCell).sort());
    expect(gold.length).toBeGreaterThan(3);
    expect(rows).toEqual(gold);
  });

  it.each(Object.entries({ Q1, Q3, Q5 }))(
    'stops %s in the engine within 2 s after the caller disconnects',
    async (_, { plan }) => {
      const { body } = await ask('tiny', plan);
      // The same SQL over far more rows, so that it would take minutes.
      const sql = String(body.sql).replaceAll('"tiny".', '"sf100".');
      expect(sql).toContain('"sf100"."lineitem"');
      const countRunning = async () =>
        (
          await trino.owner(`select count(*) from system.runtime.queries where "user" = 'reader' and state = 'RUNNING'`)
        )[0]?.[0];
      const warehouse = await adapter.open(parseConnectionConfig('tpch', makeConnection() as never), context);
      const gone = new AbortController();
      const caps = { maxRows: 100, maxBytes: 1_000_000, timeoutMs: 120_000, signal: gone.signal };
      const pendingFetch = warehouse
        .fetch(unguardedSql('trino', sql), caps)
        .catch((fault: { code?: string }) => fault.code);
      await expect.poll(countRunning, { timeout: 30_000 }).not.toBe(0);
      gone.abort();
      expect(await pendingFetch).toBe('timeout');
      await expect.poll(countRunning, { timeout: 2_000, interval: 100 }).toBe(0);
      await warehouse.close();
    },
  );
});

describe('a lens over two databases', () => {
  it('answers a question that joins tables of two catalogs', async () => {
    const { status, body } = await ask('tiny', {
      metrics: ['disc_price'],
      dimensions: ['managers.manager'],
      filters: [{ field: 'orders.orderdate', during: '1994' }],
      order_by: [{ field: 'managers.manager' }],
    });
    expect({ status, said: body.error?.message ?? body.status }).toEqual({ status: 200, said: 'answered' });
    const gold = await trino.owner(
      `select m.manager, sum(l.extendedprice * (1 - l.discount)) from tpch.tiny.lineitem l join tpch.tiny.orders o on o.orderkey = l.orderkey
       join tpch.tiny.supplier s on s.suppkey = l.suppkey join postgresql.public.managers m on m.nationkey = s.nationkey
       where year(o.orderdate) = 1994 group by m.manager order by m.manager`,
    );
    expect(gold.length).toBe(3);
    expect((body.data as Record<string, unknown>[]).map((row) => Object.values(row).map(exactCell))).toEqual(
      gold.map((row) => row.map(exactCell)),
    );
  });
});
