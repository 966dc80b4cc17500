import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createCaller, findCaller } from '../../src/domain/identity/caller-repository.ts';
import { mintCredential } from '../../src/domain/identity/credential-repository.ts';
import { createId } from '../../src/platform/ids.ts';
import { describeRoleWeakness, openPool } from '../../src/platform/tenancy/database.ts';
import { createOrganization, readAppLogin } from '../../src/platform/tenancy/migrate.ts';
import { Tenancy } from '../../src/platform/tenancy/tenant.ts';
import { connect, createControlDatabase } from '../support/postgres.ts';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));

// Tables that belong to no tenant. Add a table here only if it must be readable without a tenant.
const GLOBAL = ['attempts', 'oauth_clients', 'organizations', 'rate_shares', 'signing_keys'];

/** Indexes that the server uses before it knows the tenant, only for comparisons with `=`, which are leakproof. */
const BEFORE_A_TENANT = [
  'svc.credentials_hash: token_hash',
  'svc.users_by_identity: identity_issuer',
  'svc.users_email: email',
];
const ownerUrl = await createControlDatabase();
const owner = await connect(ownerUrl);
const pool = openPool(readAppLogin(ownerUrl).url, { max: 1 });
const tenancy = new Tenancy(pool);
const orgA = await createOrganization(ownerUrl, 'a', createId());
const orgB = await createOrganization(ownerUrl, 'b', createId());
for (const org of [orgA, orgB]) {
  await tenancy.inTenant(org, async (db) => {
    const caller = await createCaller(db, { name: 'same-name' });
    await mintCredential(db, { kind: 'caller_key', callerId: caller.id });
  });
}

afterAll(() => pool.end());

interface TableRow {
  relname: string;
  relrowsecurity: boolean;
  relforcerowsecurity: boolean;
  has_org: boolean;
}
const tables = async (): Promise<TableRow[]> =>
  (
    await owner.query<TableRow>(`
      select c.relname, c.relrowsecurity, c.relforcerowsecurity,
        exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped) as has_org
      from pg_class c where c.relnamespace = 'svc'::regnamespace and c.relkind in ('r', 'p') order by 1`)
  ).rows;

describe('the schema of the control database', () => {
  it('RLS-01 forces row-level security, with USING and WITH CHECK, on every table with org_id', async () => {
    for (const table of await tables()) {
      if (GLOBAL.includes(table.relname)) continue;
      expect(table, table.relname).toMatchObject({ relrowsecurity: true, relforcerowsecurity: true, has_org: true });
      const { rows } = await owner.query(
        `select from pg_policies where schemaname = 'svc' and tablename = $1 and qual like '%current_org%' and with_check like '%current_org%'`,
        [table.relname],
      );
      expect(rows.length, table.relname).toBeGreaterThan(0);
    }
  });

  it('RLS-02 gives the server a login without ownership or bypass, and detects a stronger one', async () => {
    expect(await describeRoleWeakness(pool)).toBeNull();
    const strong = openPool(ownerUrl, { max: 1 });
    expect(await describeRoleWeakness(strong)).toMatch(/superuser/);
    await strong.end();
  });

  it('RLS-06 has no view, materialized view or definer function over tenant tables', async () => {
    const views = await owner.query(
      `select relname from pg_class where relnamespace = 'svc'::regnamespace and relkind in ('v', 'm')`,
    );
    const definers = await owner.query(
      `select proname from pg_proc where pronamespace = 'svc'::regnamespace and prosecdef`,
    );
    expect([...views.rows, ...definers.rows]).toEqual([]);
  });

  it('RLS-07 references other tenant tables by (org_id, id) only, so that no row refers to another tenant', async () => {
    const { rows } = await owner.query(`
      select c.conrelid::regclass::text as child, c.confrelid::regclass::text as parent from pg_constraint c
      where c.contype = 'f' and c.connamespace = 'svc'::regnamespace and c.confrelid <> 'svc.organizations'::regclass
        and not exists (select from pg_attribute a where a.attrelid = c.conrelid and a.attname = 'org_id' and a.attnum = any(c.conkey))`);
    expect(rows).toEqual([]);
    const foreign = await tenancy.inTenant(orgB, (db) => findCaller(db, { name: 'same-name' }));
    await expect(
      tenancy.inTenant(orgA, (db) => mintCredential(db, { kind: 'caller_key', callerId: foreign!.id })),
    ).rejects.toMatchObject({ code: '23503' });
  });

  it('RLS-08 has org_id in every unique key of a tenant table', async () => {
    const { rows } = await owner.query<{ index: string }>(
      `select i.indexrelid::regclass::text as index from pg_index i join pg_class c on c.oid = i.indrelid
       where c.relnamespace = 'svc'::regnamespace and i.indisunique and c.relname <> all($1)
         and not exists (select from pg_attribute a where a.attrelid = i.indrelid and a.attname = 'org_id' and a.attnum = any(i.indkey))`,
      [GLOBAL],
    );
    expect(rows).toEqual([]);
  });

  it('RLS-10 starts tenant indexes with org_id, and grants the server no right to create objects', async () => {
    const { rows } = await owner.query<{ index: string; leads: string }>(
      `select i.indexrelid::regclass::text as index, pg_get_indexdef(i.indexrelid, 1, true) as leads
       from pg_index i join pg_class c on c.oid = i.indrelid
       where c.relnamespace = 'svc'::regnamespace and c.relname <> all($1) and pg_get_indexdef(i.indexrelid, 1, true) <> 'org_id'`,
      [GLOBAL],
    );
    expect(rows.map(({ index, leads }) => `${index}: ${leads}`).sort()).toEqual(BEFORE_A_TENANT);
    const { rows: may } = await pool.query<{ nspname: string }>(
      `select nspname from pg_namespace where has_schema_privilege(oid, 'create') and nspname !~ '^pg_(toast_)?temp'
       union all select 'create' where has_database_privilege(current_database(), 'create')`,
    );
    expect(may).toEqual([]);
  });

  it('RLS-15 uses queries without a tenant only for tables that belong to no tenant', async () => {
    const read: string[] = [];
    for (const file of (await readdir(SRC, { recursive: true })).filter((name) => name.endsWith('.ts'))) {
      const text = await readFile(join(SRC, file), 'utf8');
      for (const { 1: queryArgument } of text.matchAll(/\.queryGlobal(?:<[^(]*>)?\(\s*([`'"][^`'"]*[`'"]|[A-Z_]+)/g)) {
        const sql = /^[A-Z]/.test(queryArgument!)
          ? new RegExp(`const ${queryArgument} = \\s*[\`']([^\`']*)`).exec(text)?.[1]
          : queryArgument;
        expect(sql, `${file}: ${queryArgument}`).toBeDefined();
        for (const { 1: table } of sql!.matchAll(/\b(?:from|into|update|join)\s+(\w+\.\w+)/gi)) read.push(table!);
      }
      for (const call of text.matchAll(/\.queryGlobal(?:<[^(]*>)?\((?!\s*([`'"]|[A-Z_]+\b))/g))
        expect(call, file).toBeNull();
    }
    expect(read.length).toBeGreaterThan(15);
    const globalTables = [...GLOBAL.map((name) => `svc.${name}`), 'public.svc_migrations'];
    expect(read.filter((table) => !globalTables.includes(table))).toEqual([]);
  });

  it('RLS-12 compares each row with the tenant of the transaction in every policy, without alternatives', async () => {
    const { rows } = await owner.query<{ tablename: string; qual: string | null; with_check: string | null }>(
      "select tablename, qual, with_check from pg_policies where schemaname = 'svc' and policyname = 'tenant'",
    );
    expect(rows.length).toBeGreaterThan(10);
    for (const { tablename, qual, with_check } of rows) {
      for (const rule of [qual, with_check]) {
        expect(rule, tablename).toMatch(/^\(org_id = \( ?SELECT /);
        expect(rule, tablename).not.toMatch(/\bOR\b/i);
      }
    }
  });

  it('RLS-11 shows the server no statistics of tenant tables', async () => {
    await owner.query('analyze');
    const { rows } = await pool.query<{ tablename: string }>(
      "select distinct tablename from pg_stats where schemaname = 'svc' and not tablename = any($1)",
      [GLOBAL],
    );
    expect(rows).toEqual([]);
    const known = await owner.query("select from pg_statistic where starelid = 'svc.callers'::regclass");
    expect(known.rows.length).toBeGreaterThan(0);
  });

  it('RLS-09 grants the server neither TRUNCATE nor REFERENCES nor TRIGGER', async () => {
    for (const { relname } of await tables()) {
      for (const privilege of ['truncate', 'references', 'trigger']) {
        const { rows } = await pool.query<{ has: boolean }>('select has_table_privilege(current_user, $1, $2) as has', [
          `svc.${relname}`,
          privilege,
        ]);
        expect(rows[0]!.has, `${privilege} on ${relname}`).toBe(false);
      }
    }
    await expect(pool.query('truncate svc.callers')).rejects.toMatchObject({ code: '42501' });
  });
});

describe('a database session of the server', () => {
  it('RLS-03 sees no row and can write none when the tenant is missing, empty or not a UUID', async () => {
    const misshapen = ['x'.repeat(36), orgA.toUpperCase(), `${orgA} `, `${orgA.replace('-', '')}-`];
    for (const setting of [null, '', 'not-a-uuid', "' or true --", ...misshapen]) {
      const client = await pool.connect();
      try {
        await client.query('begin');
        if (setting !== null) await client.query("select set_config('svc.org_id', $1, true)", [setting]);
        for (const { relname } of await tables()) {
          if (GLOBAL.includes(relname)) continue;
          const { rows } = await client.query(`select from svc.${relname}`);
          expect(rows.length, `${relname} with ${setting}`).toBe(0);
        }
        await expect(
          client.query(`insert into svc.callers (org_id, id, name) values ($1, $2, 'intruder')`, [orgA, createId()]),
        ).rejects.toMatchObject({ code: '42501' });
        await client.query('rollback');
      } finally {
        client.release();
      }
    }
  });

  it('RLS-03 can’t write a row of another tenant or move a row to it', async () => {
    const insert = tenancy.inTenant(orgA, (db) =>
      db.run(`insert into svc.callers (org_id, id, name) values ($1, $2, 'x')`, [orgB, createId()]),
    );
    await expect(insert).rejects.toMatchObject({ code: '42501' });
    const move = tenancy.inTenant(orgA, (db) => db.run('update svc.callers set org_id = $1', [orgB]));
    await expect(move).rejects.toMatchObject({ code: expect.stringMatching(/42501|23503/) });
  });

  it('RLS-05 RLS-13 never passes a tenant on to the next user of the same connection', async () => {
    const names = (org: string) =>
      tenancy.inTenant(org, async (db) =>
        (await db.rows<{ org_id: string }>('select org_id from svc.callers')).map((row) => row.org_id),
      );
    for (let round = 0; round < 3; round++) {
      expect(new Set(await names(orgA))).toEqual(new Set([orgA]));
      await expect(tenancy.inTenant(orgB, (db) => db.run('select 1/0'))).rejects.toMatchObject({ code: '22012' });
      expect(new Set(await names(orgB))).toEqual(new Set([orgB]));
      const { rows } = await pool.query<{ left: string | null }>("select current_setting('svc.org_id', true) as left");
      expect(rows[0]!.left ?? '').toBe('');
    }
  });

  it('sees only the one credential that matches a presented hash', async () => {
    const { token, hash } = await tenancy.inTenant(orgA, async (db) => {
      const minted = await mintCredential(db, { kind: 'admin_token', label: 'one' });
      const found = await db.first<{ hash: string }>(
        `select encode(token_hash, 'hex') as hash from svc.credentials where id = $1`,
        [minted.id],
      );
      return { token: minted.token, hash: found!.hash };
    });
    expect(token).toMatch(/^svcadm_/);
    const seen = await tenancy.withPresentedHash(
      hash,
      async (client) => (await client.query('select label from svc.credentials')).rows,
    );
    expect(seen).toEqual([{ label: 'one' }]);
    expect(
      await tenancy.withPresentedHash('00', async (client) => (await client.query('select from svc.credentials')).rows),
    ).toEqual([]);
  });

  it('KEY-02 stores no token anywhere in the database', async () => {
    const { token } = await tenancy.inTenant(orgA, (db) =>
      mintCredential(db, { kind: 'admin_token', label: 'dumped' }),
    );
    for (const { relname } of await tables()) {
      const { rows } = await owner.query(`select from svc.${relname} t where t::text like '%' || $1 || '%'`, [
        token.slice(10),
      ]);
      expect(rows.length, relname).toBe(0);
    }
  });
});
