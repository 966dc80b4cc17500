// Starts a PostgreSQL server for a test suite. The first database is the control database. The second database has the
// suite's data, which svc reads with a read-only login.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { JsonScalar } from '../../contract/ask.ts';
import { createCellReader } from '../../engines/postgres/warehouse/cells.ts';
import { withClient } from '../../platform/tenancy/database.ts';
import { startEmbeddedPostgres } from './start-embedded-postgres.ts';

export interface TemporaryPostgres {
  home: string;
  /** The URL of the control database for its owner. */
  controlUrl: string;
  /** The suite's database, in the form of a connection in svc.config.yaml. */
  connection: {
    kind: 'postgres';
    host: string;
    port: number;
    database: string;
    user: string;
    password: string;
    ssl: false;
  };
  /** Runs a file of SQL, and throws the server's errors. Skips psql commands and CREATE DATABASE. */
  load(sql: string): Promise<void>;
  query(sql: string): Promise<JsonScalar[][]>;
  stop(): Promise<void>;
}

const NON_DURABLE_SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
const QUERY_TIMEOUT_MS = 60_000;

/**
 * `controlUrl` names a control database on a running server. If it is set, `stop` keeps the server and the suite's
 * database running.
 */
export async function startTemporaryPostgres(controlUrl?: string): Promise<TemporaryPostgres> {
  const homeFolder = await mkdtemp(join(tmpdir(), 'svc-eval-'));
  const postgres = controlUrl
    ? null
    : await startEmbeddedPostgres({ home: homeFolder, settings: NON_DURABLE_SETTINGS });
  const url = controlUrl ?? postgres!.url;
  const { hostname: host, port } = new URL(url);
  const database = controlUrl ? `suite_${randomBytes(8).toString('hex')}` : 'suite';
  const [user, password] = [`${database}_reader`, randomBytes(16).toString('hex')];
  const databaseUrl = (name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  let client: pg.Client | undefined;
  const stop = async () => {
    await client?.end().catch(() => undefined);
    await postgres?.stop();
    await rm(homeFolder, { recursive: true, force: true });
    if (postgres) await rm(postgres.dataDir, { recursive: true, force: true });
  };
  try {
    await withClient({ connectionString: url }, async (owner) => {
      await owner.query(`create role ${user} login password '${password}'`);
      await owner.query(`create database ${database}`);
    });
    client = new pg.Client({
      connectionString: databaseUrl(database),
      types: { getTypeParser: createCellReader as never },
    });
    await client.connect();
    // Most suites use the `public` schema. The login can also read the other schemas that a suite creates.
    await client.query(`alter default privileges grant select on tables to ${user}`);
    await client.query(`alter default privileges grant usage on schemas to ${user}`);
  } catch (fault) {
    await stop();
    throw fault;
  }
  const connected = client;
  return {
    home: homeFolder,
    controlUrl: url,
    connection: { kind: 'postgres', host, port: Number(port), database, user, password, ssl: false },
    async load(sql) {
      const statements = sql
        .replace(/^\uFEFF?\\.*$/gm, '')
        .replace(/^\s*(?:create|drop|alter)\s+database\b[^;\n]*;/gim, '');
      await connected.query(statements);
      // A dump can change the search path for the next file.
      await connected.query('reset all');
    },
    async query(sql) {
      await connected.query(`set statement_timeout = ${QUERY_TIMEOUT_MS}`);
      return (await connected.query<JsonScalar[]>({ text: sql, rowMode: 'array' })).rows;
    },
    stop,
  };
}
