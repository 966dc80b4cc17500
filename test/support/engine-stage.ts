// A small table on each engine, two organizations with lenses over it, and the service in a separate process.
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { SHOP, startTestApp, type TestApp, type TestTenant } from './app.ts';
import { lensText } from './lens-text.ts';
import { DATABASE, MARIADB_MISSING, READER, startTestMariadb } from './mariadb.ts';
import { type OwnReplica, startOwnReplica } from './own-replica.ts';
import { connectionTo, createDatabase } from './postgres.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface EngineStage {
  svc: TestApp;
  own: OwnReplica;
  /** The organization that doesn't attack. */
  calm: TestTenant;
  /** Keys of callers in the first organization. */
  keys: string[];
  /** Lenses, one for each engine. */
  engines: string[];
  /** Sends a request to the separate process, and returns the status. */
  send(request: {
    method?: string | undefined;
    path: string;
    body: unknown;
    token: string;
    headers?: Record<string, string> | undefined;
  }): Promise<number>;
  post(path: string, body: unknown, token: string, headers?: Record<string, string>): Promise<number>;
}

export const lensOn = (connection: string, source: string): string =>
  lensText(`name: ${connection}
title: Orders on ${connection}
description: Order lines.
connection: ${connection}
datasets:
  orders: ${source} (row_id integer key, order_date date time, region string {values: [Central, East, South, West]}, sales decimal) {description: One row per order line.}
metrics:
  revenue: {expression: sum(orders.sales), description: Sum of sales.}
`);

const ROWS = ['West', 'West', 'East', 'West', 'South', 'West', 'Central', 'East'].map(
  (region, n) => `(${n + 1}, date '2016-0${n + 1}-03', '${region}', ${n * 10 + 0.5})`,
);
const statements = (table: string) => [
  `create table ${table} (row_id int primary key, order_date date not null, region varchar(40), sales decimal(18,2))`,
  `insert into ${table} values ${ROWS.join(', ')}`,
];

/** Creates the table in the empty database at this URL, as its owner. */
export async function fillOrders(url: string): Promise<void> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  for (const statement of statements('orders')) await owner.query(statement);
  await owner.end();
}

export async function openEngineStage({
  callers,
  mysql,
  warehouseMs,
  limits: extraLimits = {},
  notes,
}: {
  callers: number;
  mysql: boolean;
  warehouseMs: number;
  /** Additional keys of `limits`. */
  limits?: Record<string, number>;
  /** A lens `notes` over its own table. */
  notes?: { csv: string; lens: string };
}): Promise<EngineStage> {
  const folder = await temporaryFolder();
  await cp(join(SHOP, 'data'), join(folder, 'data'), { recursive: true });
  if (notes) await writeFile(join(folder, 'data', 'notes.csv'), notes.csv);
  const limits = { requests_per_minute: 1_000_000, warehouse_timeout_ms: warehouseMs, ...extraLimits };
  await writeFile(join(folder, 'svc.config.yaml'), JSON.stringify({ limits }));
  const url = await createDatabase(...statements('orders'));
  const mariadb = mysql && !MARIADB_MISSING ? await startTestMariadb() : null;
  await mariadb?.run(`create database if not exists ${DATABASE}`, ...statements(`${DATABASE}.orders`));
  const connections = {
    duck: { kind: 'duckdb', files: { orders: { path: './data/orders.csv' } } },
    pg: connectionTo(url),
    ...(notes && { notes: { kind: 'duckdb', files: { notes: { path: './data/notes.csv' } } } }),
    ...(mariadb && { my: { kind: 'mysql', host: '127.0.0.1', port: mariadb.port, database: DATABASE, ...READER } }),
  };
  const engines = Object.keys(connections);
  const svc = await startTestApp({
    project: folder,
    files: {
      'svc.config.yaml': JSON.stringify({ connections }),
      'lenses/duck/lens.yaml': lensOn('duck', 'main.orders'),
      'lenses/pg/lens.yaml': lensOn('pg', 'public.orders'),
      ...(notes && { 'lenses/notes/lens.yaml': notes.lens }),
      ...(mariadb && { 'lenses/my/lens.yaml': lensOn('my', 'orders') }),
    },
  });
  const calmTenant = await svc.addTenant('calm');
  const minted = Array.from({ length: callers }, (_, n) => svc.mintCaller({ name: `caller ${n}`, lenses: engines }));
  const ownReplica = await startOwnReplica(svc, folder);
  const send: EngineStage['send'] = async ({ method = 'POST', path, body, token, headers = {} }) => {
    const reply = await fetch(ownReplica.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(600_000),
    });
    await reply.arrayBuffer();
    return reply.status;
  };
  return {
    svc,
    own: ownReplica,
    calm: calmTenant,
    keys: (await Promise.all(minted)).map(({ key }) => key),
    engines,
    send,
    post: (path, body, token, headers) => send({ path, body, token, headers }),
  };
}
