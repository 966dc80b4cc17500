// The SQL Server adapter with tedious and a test server (tds-server.ts): sessions, logins, cells, limits, cancellation,
// errors, the catalog, and refusals with the guard switched off.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { parseConnectionConfig } from '../../../src/adapters/warehouse/connection-config.ts';
import type { FetchOptions, Warehouse } from '../../../src/domain/ports.ts';
import { measureInclusion, measureUniqueness } from '../../../src/domain/semantic/joins/measure-join.ts';
import { ENGINES } from '../../../src/engines/engines.ts';
import type { GuardedSql } from '../../../src/guard/guarded-sql.ts';
import { runWithinRequest } from '../../../src/platform/request-storage.ts';
import { ENGINES_FOLDER } from '../engines-folder.ts';
import { PASSWORD, startSqlserver } from './duckdb-server.ts';
import { type Given, startTdsServer } from './tds-server.ts';

const adapter = ENGINES.find(({ kind }) => kind === 'sqlserver')!;
const caps: FetchOptions = { maxRows: 100, maxBytes: 1_000_000, timeoutMs: 10_000 };
const guardedSql = (runs: string, parameters: string[] = []) =>
  ({ dialect: 'sqlserver', sql: runs, runs, parameters }) as unknown as GuardedSql;
const config = (port: number, overrides: object = {}) =>
  parseConnectionConfig('shop', {
    kind: 'sqlserver',
    host: '127.0.0.1',
    port,
    database: 'shop',
    user: 'svc',
    password: PASSWORD,
    ...overrides,
  });
const open = (port: number, overrides: object = {}): Promise<Warehouse> =>
  adapter.open(config(port, overrides), { home: '', projectFolder: ENGINES_FOLDER, owner: 'test' });
const waitUntil = async (holds: () => boolean): Promise<void> => {
  for (let times = 0; times < 200 && !holds(); times++) await new Promise((next) => setTimeout(next, 20));
  expect(holds()).toBe(true);
};
const opened: Warehouse[] = [];
const server = await startSqlserver();
const warehouse = await open(server.port);
afterEach(async () => {
  for (const item of opened.splice(0)) await item.close();
});
afterAll(() => warehouse.close());
async function openAs(overrides: object): Promise<Warehouse> {
  const found = await open(server.port, overrides);
  opened.push(found);
  return found;
}

it('names the package to install when tedious is missing', async () => {
  const homeFolder = await mkdtemp(join(ENGINES_FOLDER, '..', 'svc-no-tedious-'));
  await expect(adapter.open(config(1), { home: homeFolder, projectFolder: homeFolder, owner: 'test' })).rejects.toThrow(
    'npm install tedious',
  );
  await rm(homeFolder, { recursive: true });
});

it('signs in read-only, fixes the session settings, and reuses the session', async () => {
  const before = server.sessions;
  expect((await warehouse.test()).serverVersion).toBe('SQL Server 16.0.4135.4');
  expect(server.login).toEqual({ user: 'svc', password: PASSWORD, app: 'svc', database: 'shop', readOnly: true });
  const settings = server.log.find(({ sql: text }) => text.startsWith('SET QUOTED_IDENTIFIER ON;'))!.sql;
  expect(settings).toContain('SET DATEFIRST 7;\n');
  expect(settings).not.toContain('GOVERNOR');
  for (let times = 0; times < 3; times++) await warehouse.fetch(guardedSql('SELECT 1 AS "a"'), caps);
  expect(server.sessions - before).toBeLessThanOrEqual(1);
});

it('sends the request ID separately, so that the text of the statement stays the same', async () => {
  await new Promise<void>((resolve, reject) =>
    runWithinRequest(
      'request-1',
      () => void warehouse.fetch(guardedSql('SELECT 2 AS "a"'), caps).then(() => resolve(), reject),
    ),
  );
  const { sql: text, parameters } = server.log.at(-1)!;
  expect(text).toBe('SET CONTEXT_INFO @svc;\nSELECT 2 AS "a"');
  expect(String(parameters['svc'])).toBe('svc request-1');
});

it('refuses a login with more than read rights, and reports refused credentials', async () => {
  for (const [user, may] of [
    ['writer', 'INSERT'],
    ['owner', 'DELETE on'],
  ]) {
    const strong = await openAs({ user });
    await expect(strong.fetch(guardedSql('SELECT 1 AS "a"'), caps)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(new RegExp(`can do more than read \\(${may}.*db_datareader`)),
    });
    const { ok, error } = await strong.test();
    expect([ok, error]).toEqual([false, expect.stringContaining('more than read')]);
    expect(server.log.some(({ sql: text, user: of }) => of === user && text.includes('SELECT 1'))).toBe(false);
  }
  const wrong = await openAs({ password: 'wrong' });
  await expect(wrong.fetch(guardedSql('SELECT 1 AS "a"'), caps)).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('refused the credentials'),
  });
  const away = await open(1);
  await expect(away.fetch(guardedSql('SELECT 1 AS "a"'), caps)).rejects.toMatchObject({ code: 'unreachable' });
});

it('never signs in without TLS when the connection requires it', async () => {
  server.login = null;
  const clear = await openAs({ ssl: true });
  await expect(clear.fetch(guardedSql('SELECT 1 AS "a"'), caps)).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('does not speak TLS'),
  });
  expect(server.login).toBe(null);
});

it('stops at the row and byte limits', async () => {
  const many =
    'SELECT "a"."job_id" FROM "shop"."jobs" AS "a" CROSS JOIN "shop"."jobs" AS "b" CROSS JOIN "shop"."jobs" AS "c"';
  const byRows = await warehouse.fetch(guardedSql(many), { ...caps, maxRows: 50 });
  expect([byRows.rows.length, byRows.more, byRows.bytesCut]).toEqual([50, true, false]);
  const byBytes = await warehouse.fetch(guardedSql(many), { ...caps, maxRows: 5_000, maxBytes: 1_000 });
  expect([byBytes.more, byBytes.bytesCut]).toEqual([false, true]);
  const all = await warehouse.fetch(guardedSql(many), { ...caps, maxRows: 5_000 });
  expect([all.rows.length, all.more]).toEqual([12 ** 3, false]);
});

it('cancels the statement at the timeout and on disconnect, and runs the next one', async () => {
  const before = server.attentions;
  const waits = guardedSql(`SELECT N'svc waits' AS "a"`);
  await expect(warehouse.fetch(waits, { ...caps, timeoutMs: 200 })).rejects.toMatchObject({ code: 'timeout' });
  await waitUntil(() => server.attentions === before + 1);
  const caller = new AbortController();
  const pendingFetch = warehouse.fetch(waits, { ...caps, signal: caller.signal });
  setTimeout(() => caller.abort(), 100);
  await expect(pendingFetch).rejects.toMatchObject({ code: 'timeout', detail: 'canceled by the client' });
  await waitUntil(() => server.attentions === before + 2);
  expect((await warehouse.fetch(guardedSql('SELECT 3 AS "a"'), caps)).rows).toEqual([['3']]);
});

it('reports errors by their number, without values from the data', async () => {
  const faultOf = (number: number) =>
    warehouse.fetch(guardedSql(`SELECT N'svc error ${number}' AS "a"`), caps).then(
      () => [],
      ({ code, message, detail }) => [code, message, detail],
    );
  expect(await faultOf(8134)).toEqual([
    'upstream',
    expect.stringContaining('divides by zero'),
    expect.stringContaining('8134'),
  ]);
  expect((await faultOf(245))[1]).toContain('be converted to the type');
  expect((await faultOf(8115))[1]).toContain('outside the range');
  expect((await faultOf(229))[2]).not.toContain('secret');
  expect((await faultOf(1222))[0]).toBe('unreachable');
  expect((await faultOf(8649))[0]).toBe('upstream');
  expect((await warehouse.fetch(guardedSql('SELECT 4 AS "a"'), caps)).rows).toEqual([['4']]);
});

it('sends parameters separately from the SQL, each cast to its type', async () => {
  const parameters = [
    { name: 'n', datatype: 'decimal' as const, value: '12345678901234567890.5' },
    { name: 't', datatype: 'string' as const, value: "it's ? 漢" },
    { name: 'x', datatype: 'date' as const, value: null },
  ];
  const pendingReply = guardedSql(`SELECT ? AS "n", ? AS "t", ? AS "x", N'?' AS "mark"`, ['n', 't', 'x']);
  const { rows } = await warehouse.fetch(pendingReply, { ...caps, parameters });
  expect(rows).toEqual([['12345678901234567890.5', "it's ? 漢", null, '?']]);
  expect(server.log.at(-1)!.sql).toContain(
    'CAST(@p1 AS decimal(38, 1)) AS "n", CAST(@p2 AS nvarchar(max)) AS "t", NULL AS "x"',
  );
});

it('describes the columns of a statement without running it', async () => {
  const pendingReply = guardedSql('SELECT "job_id", "price", "kind", "opened" FROM "shop"."jobs"');
  expect(await warehouse.describe(pendingReply, { timeoutMs: 5_000 })).toEqual([
    { name: 'job_id', datatype: 'integer' },
    { name: 'price', datatype: 'decimal' },
    { name: 'kind', datatype: 'string' },
    { name: 'opened', datatype: 'date' },
  ]);
  expect(server.log.some(({ sql: text }) => text.includes('SELECT "job_id", "price", "kind", "opened"'))).toBe(false);
  await expect(
    warehouse.describe(guardedSql('SELECT "a" FROM "shop"."none"'), { timeoutMs: 5_000 }),
  ).rejects.toMatchObject({
    code: 'upstream',
  });
});

it('finds tables with descriptions, keys and row counts', async () => {
  const tables = await warehouse.catalog();
  const jobs = tables.find(({ table }) => table === 'jobs')!;
  expect({ ...jobs, columns: jobs.columns.slice(0, 5) }).toEqual({
    catalog: null,
    schema: 'shop',
    table: 'jobs',
    kind: 'table',
    comment: 'One row per job.',
    columns: [
      { name: 'job_id', datatype: 'integer', nativeType: 'int', nullable: false, comment: null },
      { name: 'client_id', datatype: 'integer', nativeType: 'int', nullable: true, comment: null },
      { name: 'site_id', datatype: 'integer', nativeType: 'int', nullable: true, comment: null },
      { name: 'kind', datatype: 'string', nativeType: 'nvarchar', nullable: true, comment: 'What it is about.' },
      { name: 'opened', datatype: 'date', nativeType: 'date', nullable: true, comment: null },
    ],
    primaryKey: ['job_id'],
    uniqueKeys: [],
    foreignKeys: [
      { name: 'fk_client', columns: ['client_id'], to: { schema: 'shop', table: 'clients', columns: ['client_id'] } },
    ],
    rowEstimate: 12,
  });
  expect(tables.find(({ table }) => table === 'job_parts')!.primaryKey).toEqual(['job_id', 'part_id']);
});

it('profiles values, and separates those that differ only in case', async () => {
  const [word, big, money] = await warehouse.profile({ schema: 'shop', table: 'edges' }, ['word', 'big', 'money'], {
    maxValues: 20,
    sampleRows: 1000,
  });
  expect(word).toMatchObject({ rows: 10, nulls: 1, distinct: 9, sampled: false });
  expect(word!.values!.toSorted()).toEqual(
    ['', 'É', 'é', 'Ærø', 'Straße', 'straße', '漢字', '😀 ok', "it's \\ 100% _x_"].toSorted(),
  );
  expect([big!.min, big!.max]).toEqual(['-9223372036854775808', '9223372036854775807']);
  expect([money!.distinct, money!.nulls]).toEqual([9, 1]);
});

it('measures a join by the values on its two sides', async () => {
  const side = (table: string) => ({ table: { catalog: null, schema: 'shop', table }, columns: ['client_id'] });
  const reading = { warehouse, timeoutMs: 5_000, signal: new AbortController().signal };
  expect(await measureInclusion(reading, side('jobs'), side('clients'))).toEqual([5, 5]);
  expect(await measureUniqueness(reading, side('jobs'))).toEqual({ nonNullRows: 11, distinctCount: 5 });
});

it('sends nothing but a plain SELECT to the server with the guard switched off', async () => {
  const WRITES = [
    'drop table "shop"."jobs"',
    'delete from "shop"."jobs"',
    'exec sp_who',
    'sp_who',
    'use master',
    "waitfor delay '0:0:1'",
    'select 1 drop table "shop"."jobs"',
    'select 1 as "a" exec sp_who',
    'select * into "x" from "shop"."jobs"',
    'select 1; select 2',
    'with "x" as (select 1 as "a") delete from "x"',
    'select * from openrowset(bulk \'c:\\x\', single_clob) as "x"',
    'select * from "shop"."jobs" with (tablockx)',
    'select * from sys.tables',
    'select @@version',
    'select next value for "s"',
    'select "a" from "t" for xml auto',
    'select "a" from "t" option (recompile)',
    'select 1 /* /* */ drop table "shop"."jobs" */',
    'if 1 = 1 select 1',
    'set rowcount 1 select 1',
    'declare @x int',
    'select "geo".STAsText() from "t"',
    "select N'a' waitfor delay N'0:0:5'",
  ];
  const before = server.log.length;
  const ran: string[] = [];
  for (const runs of WRITES)
    await warehouse.fetch(guardedSql(runs), caps).then(
      () => ran.push(runs),
      () => undefined,
    );
  expect(ran).toEqual([]);
  expect(server.log.slice(before)).toEqual([]);
});

it('returns every digit of every type', async () => {
  const micro = (719_162n + 19_782n) * 864_000_000_000n;
  const types: Given['columns'] = [
    { name: 'i', type: { name: 'int' } },
    { name: 'b', type: { name: 'bigint' } },
    { name: 'n', type: { name: 'decimal', precision: 38, scale: 10 } },
    { name: 's', type: { name: 'decimal', precision: 38, scale: 0 } },
    { name: 'm', type: { name: 'money' } },
    { name: 'f', type: { name: 'float' } },
    { name: 'o', type: { name: 'bit' } },
    { name: 'd', type: { name: 'date' } },
    { name: 'c', type: { name: 'time' } },
    { name: 't', type: { name: 'datetime2' } },
    { name: 'z', type: { name: 'datetimeoffset' } },
    { name: 'v', type: { name: 'nvarchar' } },
    { name: 'x', type: { name: 'varbinary' } },
  ];
  const rows: Given['rows'] = [
    [
      -2147483648n,
      9223372036854775807n,
      -99999999999999999999999999999999999999n,
      12n,
      -9223372036854775807n,
      0.1,
      true,
      0n,
      864_000_000_000n - 1n,
      micro + 36_000_000_001n,
      micro + 36_001_234_567n,
      '漢 ß 😀',
      Buffer.from([1, 171]),
    ],
    types.map(() => null),
  ];
  const digits: Given = {
    columns: [{ name: 'digits', type: { name: 'decimal', precision: 38, scale: 10 } }],
    rows: [[12345678901234567890123456780123456789n]],
  };
  const text: Given['columns'] = ['what', 'value'].map((name) => ({ name, type: { name: 'nvarchar' } }));
  const scriptedServer = await startTdsServer(PASSWORD, async ({ sql: statementText }) => {
    if (/^SET \w+ /.test(statementText) && !statementText.includes('SELECT')) return null;
    if (statementText.includes('as digits')) return digits;
    if (statementText.includes('fn_my_permissions'))
      return {
        columns: text,
        rows: [
          ['collation', 'Latin1_General_100_CI_AS_SC'],
          ['version', '13.0.1'],
        ],
      };
    return statementText.includes('SELECT') ? { columns: types, rows } : null;
  });
  const exact = await open(scriptedServer.port, { query_cost_limit: 30 });
  const result = await exact.fetch(guardedSql('SELECT 1 AS "a"'), caps);
  expect(scriptedServer.log.some(({ sql: asked }) => asked.includes('SET QUERY_GOVERNOR_COST_LIMIT 30;'))).toBe(true);
  expect(result.columns.map(({ datatype }) => datatype)).toEqual(
    'integer integer decimal integer decimal float boolean date time datetime datetimetz string string'.split(' '),
  );
  expect(result.rows).toEqual([
    [
      '-2147483648',
      '9223372036854775807',
      '-9999999999999999999999999999.9999999999',
      '12',
      '-922337203685477.5807',
      0.1,
      true,
      '0001-01-01',
      '23:59:59.9999999',
      '2024-02-29T01:00:00.0000001',
      '2024-02-29T01:00:00.1234567Z',
      '漢 ß 😀',
      '0x01AB',
    ],
    types.map(() => null),
  ]);
  await exact.close();
});
