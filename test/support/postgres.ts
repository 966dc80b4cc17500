// Databases for one test file: an empty one, or a clone of the migrated template.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { migrate } from '../../src/platform/tenancy/migrate.ts';
import { untilFileEnds } from './until-file-ends.ts';

const OBJECT_IN_USE = '55006'; // PostgreSQL reports it after a wait of five seconds

/** The URL of the cluster's maintenance database, as the owner. */
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
    for (let attemptsLeft = 20; ; attemptsLeft--) {
      try {
        // A copy of the files takes a third of the time of `strategy wal_log`.
        return await client.query(`create database ${name} template ${template} strategy file_copy`);
      } catch (fault) {
        // An autovacuum worker may be using the template.
        if ((fault as pg.DatabaseError).code !== OBJECT_IN_USE || attemptsLeft === 0) throw fault;
      }
    }
  });
  untilFileEnds(() => within(clusterUrl(), (client) => client.query(`drop database if exists ${name} with (force)`)));
  return urlOf(name);
}

/** Creates a database with these statements, which lasts until the test file ends. Returns the owner's URL. */
export async function createDatabase(...statements: string[]): Promise<string> {
  const database = await create('template0');
  if (statements.length > 0)
    await within(database, async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  return database;
}

/** Creates a database with svc's schema, cloned from a template that is created once in each run. */
export async function createControlDatabase(): Promise<string> {
  await within(clusterUrl(), async (client) => {
    // Only one worker of the run creates the template.
    await client.query('select pg_advisory_lock(77001)');
    const { rows } = await client.query("select from pg_database where datname = 'svc_template'");
    if (rows.length > 0) return;
    await client.query('create database svc_template_making template template0');
    await migrate(urlOf('svc_template_making'));
    await client.query('alter database svc_template_making rename to svc_template');
  });
  const database = await create('svc_template');
  await migrate(database); // creates the login of this database
  return database;
}

/** A connection to this address that stays open until the test file ends. */
export async function connect(connectionString: string | URL, overrides: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: String(connectionString), ...overrides });
  await client.connect();
  untilFileEnds(() => client.end());
  return client;
}

/** A connection in svc.config.yaml. JSON is valid YAML. */
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
