// Databases for one test file: a fresh empty one, or a clone of the migrated template.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { migrate } from '../../src/platform/tenancy/migrate.ts';

export interface TestPostgres {
  /** Owner URL of the cluster's maintenance database. */
  url: string;
  /** A new database with what these statements make; its owner URL. */
  createDatabase(...statements: string[]): Promise<string>;
  /** A new database with our schema, cloned from a template made once for each run. */
  createControlDatabase(): Promise<string>;
  /** Drops every database made here. */
  stop(): Promise<void>;
}

const OBJECT_IN_USE = '55006'; // said after five seconds of waiting

export async function startTestPostgres(): Promise<TestPostgres> {
  const url = inject('postgresUrl');
  const made: string[] = [];
  const within = async (connectionString: string, work: (client: pg.Client) => Promise<unknown>) => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  };
  const withAdmin = (work: (client: pg.Client) => Promise<unknown>) => within(url, work);
  const eachOf = async (client: pg.Client, statements: string[]) => {
    for (const statement of statements) await client.query(statement);
  };
  const urlOf = (database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href;
  const create = async (template: string) => {
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    await withAdmin(async (client) => {
      for (let left = 20; ; left--) {
        try {
          return await client.query(`create database ${name} template ${template}`);
        } catch (fault) {
          // An autovacuum worker is in the template just now.
          if ((fault as pg.DatabaseError).code !== OBJECT_IN_USE || left === 0) throw fault;
        }
      }
    });
    made.push(name);
    return urlOf(name);
  };
  return {
    url,
    async createDatabase(...statements) {
      const database = await create('template0');
      if (statements.length > 0) await within(database, (client) => eachOf(client, statements));
      return database;
    },
    async createControlDatabase() {
      await withAdmin(async (client) => {
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
    },
    async stop() {
      await withAdmin(async (client) => {
        for (const name of made) await client.query(`drop database if exists ${name} with (force)`);
      });
    },
  };
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
