// All migrations run under one advisory lock, each in its own transaction.
import { createHash, createHmac } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { withClient } from './database.ts';

const MIGRATIONS_FOLDER = new URL('../../../migrations/', import.meta.url);
const LOCK_ID = 7_368_993; // an arbitrary number; the lock ends with its transaction, even if the process is killed

/** A new database starts with this migration. An older database runs the rest of `before-baseline` instead. */
const BASELINE_ID = '0100_baseline';

interface Migration {
  id: string;
  sql: string;
}

async function readMigrations(folder = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => ({ id: name.replace(/\.sql$/, ''), sql: await readFile(new URL(name, folder), 'utf8') })),
  );
}

/** Derives the server's login from the owner's URL, so that `migrate` and `start` need no shared file. */
export function readAppLogin(ownerUrl: string): { role: string; password: string; url: string } {
  const url = new URL(ownerUrl);
  const database = decodeURIComponent(url.pathname.slice(1));
  const role = `svc_app_${createHash('sha256').update(database).digest('hex').slice(0, 12)}`;
  const password = createHmac('sha256', decodeURIComponent(url.password) || 'svc')
    .update(`svc app login ${role}`)
    .digest('hex');
  url.username = role;
  url.password = password;
  return { role, password, url: url.href };
}

export async function migrate(ownerUrl: string): Promise<{ applied: string[] }> {
  const config = { connectionString: ownerUrl, connectionTimeoutMillis: 5_000, application_name: 'svc migrate' };
  const applied: string[] = [];
  await withClient(config, async (client) => {
    await client.query("set client_connection_check_interval = '1s'; set lock_timeout = '60s'");
    const earlierMigrations = await readMigrations(new URL('before-baseline/', MIGRATIONS_FOLDER));
    const knownIds = new Set(await readAppliedIds(client));
    for (const migration of [...earlierMigrations, ...(await readMigrations())]) {
      if (knownIds.has(migration.id)) continue;
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock($1)', [LOCK_ID]);
      await client.query(
        'create table if not exists public.svc_migrations (id text primary key, applied_at timestamptz not null default now())',
      );
      const appliedIds = new Set(await readAppliedIds(client));
      if (await applyMigrationOnce(client, migration, earlierMigrations, appliedIds)) applied.push(migration.id);
      await client.query('commit');
    }
    await ensureAppLogin(client, ownerUrl);
  });
  return { applied };
}

async function readAppliedIds(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query(
    "select from pg_tables where (schemaname, tablename) = ('public', 'svc_migrations')",
  );
  if (tables.length === 0) return [];
  const { rows } = await client.query<{ id: string }>('select id from public.svc_migrations');
  return rows.map(({ id }) => id);
}

/** Returns whether the migration changed the database. */
async function applyMigrationOnce(
  client: pg.Client,
  { id, sql }: Migration,
  earlierMigrations: Migration[],
  appliedIds: ReadonlySet<string>,
): Promise<boolean> {
  const isNew = appliedIds.size === 0;
  if (appliedIds.has(id) || (isNew && id !== BASELINE_ID)) return false;
  if (id !== BASELINE_ID || isNew) await client.query(sql);
  // Also records the migrations that the baseline replaces, because an older build checks for them.
  const recordedIds = id === BASELINE_ID ? [...earlierMigrations.map((item) => item.id), id] : [id];
  await client.query('insert into public.svc_migrations (id) select unnest($1::text[]) on conflict do nothing', [
    recordedIds,
  ]);
  return true;
}

/** Only the owner of the database can create organizations. Returns the id of the new or existing organization. */
export const createOrganization = (ownerUrl: string, name: string, id: string): Promise<string> =>
  withClient({ connectionString: ownerUrl, connectionTimeoutMillis: 5_000 }, async (client) => {
    await client.query('insert into svc.organizations (id, name) values ($1, $2) on conflict (name) do nothing', [
      id,
      name,
    ]);
    const { rows } = await client.query<{ id: string }>('select id from svc.organizations where name = $1', [name]);
    return rows[0]!.id;
  });

async function ensureAppLogin(client: pg.Client, ownerUrl: string): Promise<void> {
  const { role, password } = readAppLogin(ownerUrl);
  const name = pg.escapeIdentifier(role);
  await client.query('begin');
  await client.query('select pg_advisory_xact_lock($1)', [LOCK_ID]);
  const { rows } = await client.query('select from pg_roles where rolname = $1', [role]);
  if (rows.length === 0) await client.query(`create role ${name} nosuperuser nobypassrls`);
  await client.query(`alter role ${name} login password ${pg.escapeLiteral(password)}`);
  await client.query(`grant svc_app to ${name}`);
  await client.query(`grant usage on schema public to svc_app; grant select on public.svc_migrations to svc_app`);
  await client.query('commit');
}

export async function findPendingMigrations(appliedIds: string[]): Promise<string[]> {
  const migrations = await readMigrations();
  return migrations.map((migration) => migration.id).filter((id) => !appliedIds.includes(id));
}
