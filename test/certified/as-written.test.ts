// Certified SQL stays unchanged: if nothing in its tables is hidden from the caller, the log of the warehouse has the
// approved text byte for byte. If svc rewrites the SQL, the answer states how. No rewriting exposes an unlisted column.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startEmbeddedPostgres } from '../../src/adapters/embedded-postgres/start-embedded-postgres.ts';
import type { Envelope } from '../../src/contract/ask.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { lensText } from '../support/lens-text.ts';
import { MARIADB_MISSING, NEEDS_MARIADB, startTestMariadb, type TestMariadb } from '../support/mariadb.ts';
import { fillMysqlShop, mysqlProject } from '../support/mysql-shop.ts';
import { connect, connectionTo } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LENS = lensText(`name: sales
connection: wh
max_rows_to_return: 10000
datasets:
  sales: public.sales (id integer key, region string, amount decimal)
  staff: public.staff (id integer key, name string, region string, pay decimal mask, initial string {expression: "left(name, 1)"})
metrics: {total: {expression: sum(sales.amount), description: Total.}}
row_policies:
  - {name: own-region, dataset: sales, filter: "sales.region = {caller.region}", groups: [field]}
`);
/** Approved SQL that must reach the warehouse unchanged, although `staff` has unlisted columns. */
const KEPT: Record<string, string> = {
  spaced: `select region,  sum(amount) as total -- approved: see TICKET-7
from public.sales /* all of it */
where amount > 10
group by region
order by total desc`,
  starred: 'SELECT * FROM public.sales ORDER BY id',
  unqualified: 'select count(*) as n from sales',
  joined: `with big as (select s.region, s.amount from public.sales as s where s.amount > :least)
select st.name, big.amount from big join public.staff st on st.region = big.region order by st.name, big.amount`,
  own_limit: 'select id from public.sales order by id limit 3',
  generated: 'select s.id, g.n from public.sales s cross join generate_series(1, 2000) as g(n)',
  counted: 'select count(*) as n, min(name) as first_name from public.staff',
  grouped: 'select region as area, count(*) as n from public.staff group by area order by area',
};
/** Approved SQL that must be rewritten, with the reason that the answer states. */
const GOVERNED: Record<string, [sql: string, why: RegExp]> = {
  star_of_more: [
    'select * from public.staff order by id',
    /computed or masked|columns of .* differ from the columns in the lens/,
  ],
  masked: ['select name, pay from public.staff order by id', /masked/],
  computed: ['select initial, count(*) as n from public.staff group by initial order by initial', /computed/],
  natural: [
    'select count(*) as n from public.sales natural join public.staff',
    /the columns of .* differ from the columns in the lens/,
  ],
  // `secret` is an unlisted column of staff. Without rewriting, the engine would read it instead of the alias.
  captured_group: [
    'select region as secret, count(*) as n from public.staff group by secret order by n',
    /a column outside the lens whose name the SQL uses/,
  ],
  captured_outer: [
    'select (select max(st.id) from public.staff st where secret > 0) as top from (select id as secret from public.sales) s order by 1',
    /a column outside the lens whose name the SQL uses/,
  ],
  system_column: [
    'select region as ctid, count(*) as n from public.sales group by ctid order by n',
    /a column outside the lens whose name the SQL uses/,
  ],
  renamed: [
    'select a from public.staff as st(a, b, c) order by a',
    /the columns of .* differ from the columns in the lens/,
  ],
};

const entries = (texts: Record<string, string>): string =>
  JSON.stringify(
    Object.entries(texts).map(([id, sql]) => ({
      ...{ id: id.replaceAll('_', '-'), question: `Approved ${id}?`, sql },
      parameters: sql.includes(':least') ? { least: { datatype: 'integer' } } : {},
      ...{ approved_by: 'ops@example.com', approved_at: '2026-01-31' },
    })),
  );
const runInWarehouse = async (sql: string): Promise<void> => {
  const client = await connect(postgres.url);
  await client.query(sql).finally(() => client.end());
};
/** Every statement in the log of the server, as received. */
const readStatements = async (): Promise<string[]> => {
  const found = (await readFile(join(homeFolder, 'postgres.log'), 'utf8')).matchAll(
    /LOG: {2}execute [^:]*: ([\s\S]*?)(?=\nwh-log|$)/g,
  );
  return [...found].map(([, text]) => text!.trimEnd().replaceAll('\n\t', '\n'));
};
const isLogged = (text: string) =>
  vi.waitFor(async () => expect(await readStatements()).toContain(text), { timeout: 10_000, interval: 50 });
const homeFolder = await temporaryFolder();
const postgres = await startEmbeddedPostgres({
  home: homeFolder,
  settings: ['log_statement=all', 'log_line_prefix=wh-log ', 'fsync=off'],
});
await runInWarehouse(`
    create table sales (id int primary key, region text, amount numeric(12,2));
    insert into sales select n, (array['West', 'East', 'South'])[1 + n % 3], n from generate_series(1, 30) n;
    create table staff (id int primary key, name text, region text, pay numeric(12,2), secret int);
    insert into staff values (1, 'Ann', 'West', 10, 901), (2, 'Bo', 'East', 20, 902), (3, 'Cy', 'West', 30, 903)`);
const svc = await startTestApp({
  files: {
    'svc.config.yaml': JSON.stringify({ connections: { wh: connectionTo(postgres.url) }, groups: { field: {} } }),
    'lenses/sales/lens.yaml': LENS,
    'lenses/sales/certified/kept.yaml': entries(KEPT),
    'lenses/sales/certified/governed.yaml': entries(
      Object.fromEntries(Object.entries(GOVERNED).map(([id, [sql]]) => [id, sql])),
    ),
  },
});
const field = (
  await svc.mintCaller({ name: 'field', lenses: ['sales'], groups: ['field'], attributes: { region: 'West' } })
).key;
afterAll(() => postgres.stop());

const run = async (id: string, key?: string): Promise<Envelope> =>
  (
    await svc.post<Envelope>(
      `/v1/lenses/sales/certified/${id.replaceAll('_', '-')}/run`,
      { format: 'structured', ...(KEPT[id]?.includes(':least') ? { parameters: { least: 28 } } : {}) },
      key,
    )
  ).body;
const traced = async ({ request_id }: Envelope) =>
  (await svc.admin('GET', `/observe/requests/${request_id}`)).body.guard;

describe('certified SQL in the log of the warehouse', () => {
  it.each(Object.entries(KEPT))('is the approved text byte for byte: %s', async (id, sql) => {
    const envelope = await run(id);
    expect(envelope, JSON.stringify(envelope)).toMatchObject({ status: 'answered', sql, warnings: [] });
    expect(envelope.guard).toBeUndefined();
    const sent = sql.replace(':least', '$1'); // a bound parameter
    await isLogged(sent);
    expect(await traced(envelope)).toMatchObject({ runs: sent, beneath: [] });
  });

  it('is truncated by the cursor, without an added LIMIT, and the answer says so', async () => {
    const envelope = await run('generated');
    expect(envelope).toMatchObject({ row_count: 5_000, truncated: { returned: 5_000, total: null } });
    expect((await readStatements()).filter((text) => /limit 5001/i.test(text))).toEqual([]);
  });

  it.each(Object.keys(GOVERNED))(
    'is rewritten, with a warning, when it can reach hidden or computed columns: %s',
    async (id) => {
      const [sql, why] = GOVERNED[id]!;
      const envelope = await run(id);
      expect(envelope, JSON.stringify(envelope)).toMatchObject({ status: 'answered', sql });
      expect(envelope.warnings.join()).toMatch(why);
      const { runs } = envelope.guard!;
      await isLogged(runs);
      expect(await readStatements()).not.toContain(sql);
      expect(await traced(envelope)).toMatchObject({ runs, beneath: [expect.stringMatching(why)] });
      expect(JSON.stringify(envelope.data)).not.toMatch(/90[123]/);
    },
  );

  it('is rewritten for a caller with a row policy, which scope, warnings and guard.runs name', async () => {
    const envelope = await run('spaced', field);
    expect(envelope).toMatchObject({ sql: KEPT['spaced'], scope: { row_policies: ['own-region'] } });
    expect(envelope.data).toEqual([expect.objectContaining({ region: 'West' })]);
    expect(envelope.warnings.join()).toMatch(/row policy own-region on sales/);
    expect(envelope.guard!.runs).toMatch(/region = 'West'/);
    await isLogged(envelope.guard!.runs);
    // For tables without a row policy, the text stays unchanged for these callers too.
    expect((await run('counted', field)).guard).toBeUndefined();
  });

  it('shows no column that someone adds to the table later', async () => {
    await runInWarehouse('alter table sales add column hidden int default 999');
    const envelope = await vi.waitFor(
      async () => {
        const starredRun = await run('starred');
        expect(starredRun.guard).toBeDefined();
        return starredRun;
      },
      { timeout: 10_000, interval: 200 },
    );
    expect(Object.keys(envelope.data![0]!)).toEqual(['id', 'region', 'amount']);
  });
});

describe('a caller’s SQL in the log of the warehouse', () => {
  const postSql = async (text: string, key?: string): Promise<Envelope> =>
    (await svc.post<Envelope>('/v1/sql', { lens: 'sales', sql: text }, key)).body;

  it('names a table without hidden columns or rows, and replaces every other table with a subquery', async () => {
    const both = 'select s.id, st.name from sales s join staff st on st.region = s.region order by 1, 2';
    const mixed = await postSql(both);
    expect(mixed.status, JSON.stringify(mixed)).toBe('answered');
    await isLogged((await traced(mixed)).runs);
    expect(mixed.sql).toMatch(/FROM sales AS s JOIN \(SELECT/i);
    // Each id belongs to one region.
    const keyed = await postSql('select id, region, sum(amount) as total from sales group by id order by id');
    expect(keyed, JSON.stringify(keyed)).toMatchObject({ status: 'answered', row_count: 30 });
    expect(keyed.sql).not.toMatch(/\(select/i);
    expect((await postSql(both, field)).sql).toMatch(/region = 'West'/);
  });

  it('shows no column that someone adds to the table after the lens is published', async () => {
    const { data, sql: ran } = await postSql('select * from sales order by id');
    expect(Object.keys(data![0]!)).toEqual(['id', 'region', 'amount']);
    expect(ran).toMatch(/SELECT sales\.id, sales\.region, sales\.amount FROM sales ORDER BY/i);
    for (const text of ['select hidden from sales', 'select s from sales s', 'select row_to_json(s) from sales s'])
      expect((await postSql(text)) as unknown).toMatchObject({ error: { code: 'guard_refused' } });
    const captured = await postSql('select region as hidden, count(*) as n from sales group by hidden order by hidden');
    expect(captured.data).toEqual(['East', 'South', 'West'].map((hidden) => ({ hidden, n: 10 })));
  });
});

describe.skipIf(MARIADB_MISSING)(`on MariaDB${NEEDS_MARIADB}`, () => {
  const TEXT = `select o.region, -- approved
  count(*) as n
from orders as o
where o.sales > :least
group by o.region order by n desc, o.region`;
  const CROSS = 'select a.row_id, b.row_id as other from orders a, orders b, orders c, orders d, orders e';
  let mariadb: TestMariadb;
  let shop: TestApp;
  beforeAll(async () => {
    mariadb = await startTestMariadb();
    await fillMysqlShop(mariadb);
    await mariadb.run("set global log_output = 'TABLE'", 'set global general_log = 1');
    const files = mysqlProject(mariadb.port);
    const entry = { approved_by: 'ops@example.com', approved_at: '2026-01-31' };
    shop = await startTestApp({
      files: {
        ...files,
        'lenses/shop/certified/kept.yaml': JSON.stringify([
          {
            id: 'kept',
            question: 'Orders of some size?',
            sql: TEXT,
            parameters: { least: { datatype: 'integer' } },
            ...entry,
          },
          { id: 'cross', question: 'Everything beside everything?', sql: CROSS, ...entry },
        ]),
      },
    });
  }, 120_000);

  it('logs the approved text unchanged and stops the result at the row limit', async () => {
    const certifiedRun = await shop.post('/v1/lenses/shop/certified/kept/run', {
      parameters: { least: 70 },
      format: 'structured',
    });
    expect(certifiedRun.body, certifiedRun.text).toMatchObject({ status: 'answered', sql: TEXT, warnings: [] });
    const cross = await shop.post('/v1/lenses/shop/certified/cross/run', { format: 'structured' });
    expect(cross.body, cross.text).toMatchObject({ row_count: 5_000, truncated: { total: null } });
    const log = (await mariadb.run('select convert(argument using utf8mb4) from mysql.general_log')).map(
      ([text]) => text,
    );
    expect(log).toContain(TEXT.replace(':least', '?'));
    expect(log).toContain(CROSS);
  });
});
