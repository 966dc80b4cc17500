// `npm run db:check`: the migrations make what migrations/schema.sql says, and so does the file itself.
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { migrate } from '../../src/platform/tenancy/migrate.ts';
import { writeSchema } from './schema.ts';

const SCHEMA = new URL('../../migrations/schema.sql', import.meta.url);
let migrated: string;
const names = ['migrated', 'written'].map((name) => `schema_${name}_${process.pid}_${Date.now()}`);

function urlOf(database: string): string {
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${database}`;
  return url.href;
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const asOwner = (statements: string[]) =>
  connected(inject('postgresUrl'), async (client) => {
    for (const statement of statements) await client.query(statement);
  });

beforeAll(async () => {
  await asOwner(names.map((name) => `create database ${name} template template0`));
  const url = urlOf(names[0]!);
  await migrate(url);
  migrated = await connected(url, writeSchema);
});
afterAll(() => asOwner(names.map((name) => `drop database ${name} with (force)`)));

describe('the schema of the control database', () => {
  test('is the one in migrations/schema.sql after all migrations', async () => {
    await expect(migrated).toMatchFileSnapshot(fileURLToPath(SCHEMA));
  });

  test('is the same when that file is run in an empty database', async () => {
    const remade = await connected(urlOf(names[1]!), async (client) => {
      await client.query(migrated);
      return writeSchema(client);
    });
    expect(remade).toBe(migrated);
  });
});
