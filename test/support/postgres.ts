// Databases for one test file: a fresh empty one, or a clone of the migrated template.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { migrate } from '../../src/platform/tenancy/migrate.ts';
import { untilFileEnds } from './until-file-ends.ts';

const OBJECT_IN_USE = '55006'; // said after five seconds of waiting

/** The owner's URL of the cluster's maintenance database. */
export const clusterUrl = (): string => inject('postgresUrl');
const urlOf = (database: string) => Object.assign(new URL(clusterUrl()), { pathname: `/${database}` }).href;

async function within<Result>(connectionString: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return work(client).finally(() => client.end());
}

async function create(template: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await within(clusterUrl(), async (client) => {
    for (let left = 20; ; left--) {
      try {
        // Files are copied in a third of the time that it takes to log their pages.
        return await client.query(`create database ${name} template ${template} strategy file_copy`);
      } catch (fault) {
        // An autovacuum worker is in the template just now.
        if ((fault as pg.DatabaseError).code !== OBJECT_IN_USE || left === 0) throw fault;
      }
    }
  });
  untilFileEnds(() => within(clusterUrl(), (client) => client.query(`drop database if exists ${name} with (force)`)));
  return urlOf(name);
}

/** A new database until the test file ends, with what these statements make; its owner's URL. */
export async function createDatabase(...statements: string[]): Promise<string> {
  const database = await create('template0');
  if (statements.length > 0)
    await within(database, async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  return database;
}

/** A new database with svc's schema, cloned from a template made once for each run. */
export async function createControlDatabase(): Promise<string> {
  await within(clusterUrl(), async (client) => {
    // One maker at a time, across the workers of this run.
    await client.query('select pg_advisory_lock(77001)');
    const { rows } = await client.query("select from pg_database where datname = 'svc_template'");
    if (rows.length > 0) return;
    await client.query('create database svc_template_making template template0');
    await migrate(urlOf('svc_template_making'));
    await client.query('alter database svc_template_making rename to svc_template');
  });
  const database = await create('svc_template');
  await migrate(database); // the login of this very database
  return database;
}

/** A session at this address until the test file ends. */
export async function connect(connectionString: string | URL, more: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: String(connectionString), ...more });
  await client.connect();
  untilFileEnds(() => client.end());
  return client;
}

/** A database as svc.config.yaml names it; JSON is YAML too. */
export function connectionTo(url: string | URL) {
  const { hostname, port, pathname, username, password } = new URL(url);
  return {
    kind: 'postgres' as const,
    host: hostname,
    port: Number(port),
    database: pathname.slice(1),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
}
