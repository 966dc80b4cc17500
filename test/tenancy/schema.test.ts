import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { findPendingMigrations, migrate } from '../../src/platform/tenancy/migrate.ts';
import { connect } from '../support/postgres.ts';
import { writeSchema } from './schema.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
const SCHEMA = new URL('schema.sql', MIGRATIONS);
const EARLIER = (await readdir(new URL('before-baseline/', MIGRATIONS))).sort();
const NAMES = [...EARLIER, ...(await readdir(MIGRATIONS)).filter((file) => /^\d.*\.sql$/.test(file)).sort()].map(
  (file) => file.replace(/\.sql$/, ''),
);
/** Earlier releases, each by its last migration. */
const RELEASES = ['0006', '0021', '0042', '0068', '0089', '0090'];
const names = ['migrated', 'written', ...RELEASES, 'with_traces'].map(
  (name) => `schema_${name}_${process.pid}_${Date.now()}`,
);

function urlOf(database: string): string {
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${database}`;
  return url.href;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connect(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const runAsOwner = (statements: string[]) =>
  withClient(inject('postgresUrl'), async (client) => {
    for (const statement of statements) await client.query(statement);
  });
await runAsOwner(names.map((name) => `create database ${name} template template0`));
const url = urlOf(names[0]!);
await migrate(url);
const migrated = await withClient(url, writeSchema);
afterAll(() => runAsOwner(names.map((name) => `drop database ${name} with (force)`)));

/** Creates the database of an earlier release with its own migrations. */
async function createReleased(url: string, last: string): Promise<string[]> {
  const files = EARLIER.filter((file) => file.slice(0, 4) <= last);
  await withClient(url, async (client) => {
    await client.query(
      'create table svc_migrations (id text primary key, applied_at timestamptz not null default now())',
    );
    for (const file of files) {
      await client.query(await readFile(new URL(`before-baseline/${file}`, MIGRATIONS), 'utf8'));
      await client.query('insert into svc_migrations (id) values ($1)', [file.replace(/\.sql$/, '')]);
    }
  });
  return files;
}

describe('the schema of the control database', () => {
  test('matches migrations/schema.sql after all migrations', async () => {
    await expect(migrated).toMatchFileSnapshot(fileURLToPath(SCHEMA));
  });

  test('is the same after running that file in an empty database', async () => {
    const remade = await withClient(urlOf(names[1]!), async (client) => {
      await client.query(migrated);
      return writeSchema(client);
    });
    expect(remade).toBe(migrated);
  });

  test.each(RELEASES)('is the same after an upgrade from a database whose last migration is %s', async (last) => {
    const url = urlOf(names[2 + RELEASES.indexOf(last)]!);
    const had = await createReleased(url, last);
    const { applied } = await migrate(url);
    expect(applied).toEqual(NAMES.slice(had.length));
    expect(await withClient(url, writeSchema)).toBe(migrated);
    expect(await migrate(url)).toEqual({ applied: [] });
  });

  test('counts the asks of every organization again in an upgrade, with all that reports filter by', async () => {
    const url = urlOf(names.at(-1)!);
    await createReleased(url, RELEASES.at(-1)!);
    await withClient(url, async (client) => {
      await client.query(
        `insert into svc.organizations (id, name) select gen_random_uuid(), 'org-' || n from generate_series(1, 2) n`,
      );
      await client.query(
        `insert into svc.traces (org_id, request_id, caller, surface, route, lens, status, outcome, confidence, certification, total_ms, warehouse_ms, envelope, detail)
         select o.id, gen_random_uuid(), 'caller ' || n % 2, (array['v1', 'mcp', 'mgmt'])[n % 3 + 1], 'query', 'shop', 'answered', 'answered', 'verified', 'none', 1, 1, '{}', '{}'
         from svc.organizations o, generate_series(1, 12) n`,
      );
    });
    await migrate(url);
    const counts = await withClient(url, (client) =>
      client.query(
        'select name, caller, surface, sum(asks)::int as asks from svc.trace_tallies join svc.organizations o on o.id = org_id group by 1, 2, 3 order by 1, 2, 3',
      ),
    );
    const ofOne = ['caller 0', 'caller 1'].flatMap((caller) =>
      ['mcp', 'v1'].map((surface) => ({ caller, surface, asks: 2 })),
    );
    expect(counts.rows).toEqual(['org-1', 'org-2'].flatMap((name) => ofOne.map((row) => ({ name, ...row }))));
  });

  test('counts every earlier migration as applied in a new database, so that an older build accepts it', async () => {
    const rows = await withClient(
      urlOf(names[0]!),
      async (client) => (await client.query('select id from svc_migrations')).rows,
    );
    const ids = rows.map(({ id }) => id);
    expect(await findPendingMigrations(ids)).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(NAMES));
  });
});
