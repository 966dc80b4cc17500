// A PostgreSQL database with tables and a read-only login, in the cluster of the server under test.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';

const TABLES = `
  create table customers (id int primary key, name text not null, country text not null, e_mail text);
  create table orders (
    id int primary key,
    customer_id int not null references customers,
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
export async function makeShop(name: string): Promise<string> {
  await asOwner('postgres', `create database ${name}`);
  await asOwner(name, TABLES);
  await asOwner(
    name,
    `create role ${name}_reader login password 'only reads'; grant pg_read_all_data to ${name}_reader`,
  );
  const { port } = await cluster();
  return `postgres://${name}_reader:only%20reads@127.0.0.1:${port}/${name}`;
}

export async function asOwner(database: string, sql: string): Promise<void> {
  const { owner, password, port } = await cluster();
  await using(`postgres://${owner}:${password}@127.0.0.1:${port}/${database}`, sql);
}

async function cluster(): Promise<{ owner: string; password: string; port: string }> {
  const home = process.env['SVC_WEB_TEST_HOME']!;
  const { data_dir, owner, password } = JSON.parse(await readFile(join(home, 'postgres.json'), 'utf8'));
  const port = (await readFile(resolve(home, data_dir, 'postmaster.pid'), 'utf8')).split('\n')[3]!;
  return { owner, password, port };
}

async function using(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
