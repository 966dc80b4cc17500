// A PostgreSQL database with tables and a read-only login, in the cluster of the server under test.
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import type { APIRequestContext } from '@playwright/test';
import pg from 'pg';
import { lensText } from '../../test/support/lens-text.ts';
import { postAsUser } from './fixtures.ts';

const SHOP_TABLES_SQL = `
  create table customers (id int primary key, name text not null, country text not null, e_mail text);
  create table orders (
    id int primary key,
    customer_id int not null,
    ordered_on date not null,
    status text not null,
    amount numeric(12, 2) not null
  );
  insert into customers
    select n, case when n = 1 then '<img src=x onerror="window.broken=1"> **Ann** ' || chr(8238) || 'gnp.exe ' || chr(27) || '[31m' else 'Customer ' || n end,
      (array['Peru', 'Chile', 'Ghana'])[1 + n % 3], 'c' || n || '@example.com'
    from generate_series(1, 40) n;
  insert into orders
    select n, 1 + n % 40, date '2025-01-01' + n % 365, (array['paid', 'open', 'returned'])[1 + n % 3], n * 1.5
    from generate_series(1, 5000) n`;

/** Returns the URL of the database, with the read-only login. */
export async function createShopDatabase(name: string): Promise<string> {
  await runAsOwner('postgres', `create database ${name}`);
  await runAsOwner(name, SHOP_TABLES_SQL);
  await runAsOwner(
    name,
    `create role ${name}_reader login password 'only reads'; grant pg_read_all_data to ${name}_reader`,
  );
  const { port } = await findCluster();
  return `postgres://${name}_reader:only%20reads@127.0.0.1:${port}/${name}`;
}

/** Creates a connection to such a database, and a lens over the connection. */
export async function createShopLens(
  request: APIRequestContext,
  name: string,
  { more = '', port }: { more?: string; port?: number },
): Promise<void> {
  const base = `http://127.0.0.1:${process.env['SVC_WEB_TEST_PORT']}`;
  const url = new URL(await createShopDatabase(name));
  await postAsUser(request, base, '/mgmt/connections', {
    ...{ name, kind: 'postgres', host: url.hostname, port: port ?? Number(url.port), database: name, ssl: false },
    ...{ user: url.username, password: 'only reads' },
  });
  const lens = lensText(`
name: ${name}
title: Old shop
description: Orders of 2025.
connection: ${name}
datasets:
  orders: public.orders (id integer key, ordered_on date time, status string, amount decimal) {description: "Orders, one a row."}
metrics:
  takings: {expression: sum(orders.amount), description: Money in.}
${more}`);
  await postAsUser(request, base, '/mgmt/lenses', { name, files: { 'lens.yaml': lens } });
  const { items } = await (await request.get(`/mgmt/lenses/${name}/drafts`)).json();
  await postAsUser(request, base, `/mgmt/lenses/${name}/drafts/${items[0].id}/publish`, {});
}

/** Creates a TCP proxy to the cluster that a test can close and open again. */
export async function createProxy() {
  const { port } = await findCluster();
  const open = new Set<Socket>();
  const server = createServer((from) => {
    const to = connect(Number(port), '127.0.0.1');
    for (const [socket, other] of [
      [from, to],
      [to, from],
    ] as const) {
      open.add(socket);
      socket.on('error', () => other.destroy()).on('close', () => other.destroy());
      socket.pipe(other);
    }
  });
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  await listen(0);
  const at = (server.address() as AddressInfo).port;
  return {
    port: at,
    open: () => listen(at),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
        open.clear();
      }),
  };
}

export async function runAsOwner(database: string, sql: string): Promise<void> {
  const { owner, password, port } = await findCluster();
  await withClient(`postgres://${owner}:${password}@127.0.0.1:${port}/${database}`, sql);
}

async function findCluster(): Promise<{ owner: string; password: string; port: string }> {
  const home = process.env['SVC_WEB_TEST_HOME']!;
  const { data_dir, owner, password } = JSON.parse(await readFile(join(home, 'postgres.json'), 'utf8'));
  const port = (await readFile(resolve(home, data_dir, 'postmaster.pid'), 'utf8')).split('\n')[3]!;
  return { owner, password, port };
}

async function withClient(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
