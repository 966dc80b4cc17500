// The Databricks adapter with a scripted client: its settings, requests, results and cancellation. No real Databricks
// runs.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { parseConnectionConfig } from '../../src/adapters/warehouse/connection-config.ts';
import type { FetchOptions, Warehouse } from '../../src/domain/ports.ts';
import { ENGINES } from '../../src/engines/engines.ts';
import type { GuardedSql } from '../../src/guard/guarded-sql.ts';
import { runWithinRequest } from '../../src/platform/request-storage.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const CLIENT = `
  const script = globalThis.svcScript;
  const note = (what, value) => script.calls.push([what, value]);
  class DBSQLParameter { constructor(given) { Object.assign(this, given); } }
  class DBSQLClient {
    config = {};
    getConfig() { return this.config; }
    async connect(options) { note('connect', { ...options, ...this.config }); }
    async openSession(request) {
      note('session', request);
      return {
        async executeStatement(sql, options) {
          note('statement', { sql, ...options });
          const found = script.answers.find(([pattern]) => pattern.test(sql));
          return {
            async *iterateChunks() {
              const chunks = await found[1]();
              for (const chunk of chunks) { script.handed += chunk.length; yield chunk; }
            },
            async cancel() { note('cancel', sql); },
            async close() { note('close', sql); },
          };
        },
        async close() { note('session closed', null); },
      };
    }
    async close() { note('client closed', null); }
  }
  module.exports = { DBSQLClient, DBSQLParameter };`;

/** A call that svc made to the client. */
type Call = Record<string, unknown>;
type Answer = [RegExp, () => object[][] | Promise<object[][]>];
const script = { calls: [] as [string, Call][], answers: [] as Answer[], handed: 0 };
const caps: FetchOptions = { maxRows: 100, maxBytes: 1_000_000, timeoutMs: 10_000 };
const guardedSql = (runs: string, parameters: string[] = []) =>
  ({ dialect: 'databricks', sql: runs, runs, parameters }) as unknown as GuardedSql;
const describeAnswer = (types: Record<string, string>): Answer => [
  /^describe query/,
  () => [Object.entries(types).map(([col_name, data_type]) => ({ col_name, data_type }))],
];
const waitForever: Answer[1] = () => new Promise(() => undefined);
const callsOf = (callName: string): Call[] =>
  script.calls.flatMap(([name, value]) => (name === callName ? [value] : []));
Object.assign(globalThis, { svcScript: script });
const folder = await temporaryFolder();
const place = join(folder, 'node_modules', '@databricks', 'sql');
await mkdir(place, { recursive: true });
await writeFile(join(place, 'index.js'), CLIENT);
const connection = parseConnectionConfig('lake', {
  kind: 'databricks',
  host: 'dbc-1.cloud.databricks.com',
  http_path: '/sql/1.0/warehouses/abc',
  catalog: 'main',
  schema: 'shop',
  token: 'dapi1',
});
const adapter = ENGINES.find(({ kind }) => kind === 'databricks')!;
const warehouse: Warehouse = await adapter.open(connection, { home: folder, projectFolder: folder, owner: 'test' });
afterAll(() => warehouse.close());
beforeEach(() => Object.assign(script, { calls: [], answers: [], handed: 0 }));

it('describes a statement first, and returns every digit of every type', async () => {
  const types = {
    i: 'bigint',
    s: 'decimal(38,0)',
    n: 'decimal(38,10)',
    f: 'double',
    b: 'boolean',
    d: 'date',
    t: 'timestamp',
    u: 'timestamp_ntz',
    v: 'string',
    x: 'array<int>',
  };
  const row = {
    i: 9223372036854775807n,
    s: '12',
    n: '1.0000000001',
    f: 0.1,
    b: true,
    d: new Date('2024-02-29T00:00:00Z'),
    t: '2024-02-29 10:00:00.123456',
    u: '2024-02-29 10:00:00',
    v: 'ß',
    x: [1],
  };
  script.answers = [describeAnswer(types), [/./, () => [[row], [{}]]]];
  const { columns, rows, more } = await new Promise<Awaited<ReturnType<Warehouse['fetch']>>>((resolve, reject) =>
    runWithinRequest('request-1', () => {
      warehouse.fetch(guardedSql('select 1'), { ...caps, timeoutMs: 4_200 }).then(resolve, reject);
    }),
  );
  expect(columns.map(({ datatype }) => datatype)).toEqual(
    'integer integer decimal float boolean date datetimetz datetime string string'.split(' '),
  );
  expect(rows).toEqual([
    [
      '9223372036854775807',
      '12',
      '1.0000000001',
      0.1,
      true,
      '2024-02-29',
      '2024-02-29T10:00:00.123456Z',
      '2024-02-29T10:00:00',
      'ß',
      '[1]',
    ],
    Array(10).fill(null),
  ]);
  expect(more).toBe(false);
  expect(callsOf('statement').map((item) => item['sql'])).toEqual(['describe query\nselect 1', 'select 1']);
  expect(callsOf('statement')[1]).toMatchObject({ useCloudFetch: false, queryTags: { svc: 'request-1' } });
  expect(callsOf('session')).toEqual([
    {
      initialCatalog: 'main',
      initialSchema: 'shop',
      configuration: { TIMEZONE: 'UTC', ANSI_MODE: 'true', STATEMENT_TIMEOUT: '6' },
    },
  ]);
  expect(callsOf('connect')).toMatchObject([
    {
      host: 'dbc-1.cloud.databricks.com',
      port: 443,
      path: '/sql/1.0/warehouses/abc',
      token: 'dapi1',
      telemetryEnabled: false,
      preserveBigNumericPrecision: true,
      useArrowNativeTypes: false,
      useCloudFetch: false,
    },
  ]);
  expect(callsOf('session closed')).toHaveLength(1);
});

it('doesn’t run a statement that Databricks can’t describe as a query', async () => {
  const refusal = "[PARSE_SYNTAX_ERROR] Syntax error at or near 'drop'. SQLSTATE: 42601";
  script.answers = [[/^describe query/, () => Promise.reject(new Error(refusal))]];
  await expect(warehouse.fetch(guardedSql('drop table jobs'), caps)).rejects.toMatchObject({ code: 'upstream' });
  expect(callsOf('statement')).toHaveLength(1);
});

it('stops reading at the row and byte limits', async () => {
  const chunk = Array.from({ length: 40 }, () => ({ a: 'x'.repeat(100) }));
  script.answers = [describeAnswer({ a: 'string' }), [/./, () => Array.from({ length: 100 }, () => chunk)]];
  const byRows = await warehouse.fetch(guardedSql('select rows'), { ...caps, maxRows: 50 });
  expect([byRows.rows.length, byRows.more, byRows.bytesCut, script.handed]).toEqual([50, true, false, 81]);
  script.handed = 0;
  const byBytes = await warehouse.fetch(guardedSql('select bytes'), { ...caps, maxRows: 5_000, maxBytes: 5_000 });
  expect([byBytes.more, byBytes.bytesCut, script.handed]).toEqual([false, true, 81]);
});

it('cancels the statement in Databricks at the timeout and when the caller disconnects', async () => {
  script.answers = [describeAnswer({ a: 'int' }), [/./, waitForever]];
  await expect(warehouse.fetch(guardedSql('select slow'), { ...caps, timeoutMs: 50 })).rejects.toMatchObject({
    code: 'timeout',
  });
  expect(callsOf('cancel')).toEqual(['select slow']);
  const caller = new AbortController();
  const pendingFetch = warehouse.fetch(guardedSql('select gone'), { ...caps, signal: caller.signal });
  setTimeout(() => caller.abort(), 50);
  await expect(pendingFetch).rejects.toMatchObject({ code: 'timeout' });
  expect(callsOf('cancel')).toEqual(['select slow', 'select gone']);
});

it('reports errors by their SQLSTATE, without values from the data', async () => {
  const fails = async (message: string, details: object = {}) => {
    script.answers = [
      describeAnswer({ a: 'int' }),
      [/./, () => Promise.reject(Object.assign(new Error(message), details))],
    ];
    return warehouse.fetch(guardedSql(`select ${message.length}`), caps).then(
      () => [],
      (fault) => [fault.code, fault.message, fault.detail],
    );
  };
  expect(await fails('[DIVIDE_BY_ZERO] Division by zero. SQLSTATE: 22012')).toEqual([
    'upstream',
    expect.stringContaining('divides by zero'),
    expect.stringContaining('DIVIDE_BY_ZERO'),
  ]);
  const [, , detail] = await fails(
    '[CAST_INVALID_INPUT] The value \'secret\' of the type "STRING" cannot be cast. SQLSTATE: 22018',
  );
  expect(detail).not.toContain('secret');
  expect(await fails('Unauthorized', { statusCode: 403 })).toEqual([
    'unreachable',
    expect.stringContaining('credentials'),
    'Unauthorized',
  ]);
  expect((await fails('read ECONNRESET'))[0]).toBe('unreachable');
});

it('sends typed parameters separately from the SQL, and separates two columns of the same name', async () => {
  script.answers = [describeAnswer({ a: 'int' }), [/./, () => [[{ a: 1 }]]]];
  const parameters = [
    { name: 'n', datatype: 'decimal' as const, value: '1.10' },
    { name: 't', datatype: 'datetimetz' as const, value: '2024-02-29T10:00:00+02:00' },
    { name: 'x', datatype: 'string' as const, value: null },
  ];
  const { rows } = await warehouse.fetch(guardedSql('select ?, ?, ?', ['n', 't', 'x']), { ...caps, parameters });
  expect(rows).toEqual([['1']]);
  expect(callsOf('statement')[1]!['ordinalParameters']).toEqual([
    { type: 'DECIMAL', value: '1.10' },
    { type: 'TIMESTAMP', value: '2024-02-29 08:00:00' },
    { type: 'VOID', value: null },
  ]);
  const twice = { col_name: 'a', data_type: 'int' };
  script.answers = [
    [/^describe/, () => [[twice, twice]]],
    [/./, () => [[{ c0: 1, c1: 2 }]]],
  ];
  const result = await warehouse.fetch(guardedSql('select 1 as a, 2 as a'), caps);
  expect([result.columns.map(({ name }) => name), result.rows]).toEqual([['a', 'a'], [['1', '2']]]);
  expect(callsOf('statement').at(-1)!['sql']).toBe('select * from (\nselect 1 as a, 2 as a\n) as svc (c0, c1)');
});

it('finds tables through information_schema, and ignores declared keys', async () => {
  script.answers = [
    [
      /describe query\nselect table_schema, table_name, table_type/,
      describeAnswer(
        Object.fromEntries(['table_schema', 'table_name', 'table_type', 'comment'].map((name) => [name, 'string'])),
      )[1],
    ],
    [
      /describe query\nselect table_schema, table_name, column_name/,
      describeAnswer(
        Object.fromEntries(
          ['table_schema', 'table_name', 'column_name', 'full_data_type', 'is_nullable', 'comment'].map((name) => [
            name,
            'string',
          ]),
        ),
      )[1],
    ],
    [
      /select table_schema, table_name, table_type/,
      () => [[{ table_schema: 'shop', table_name: 'jobs', table_type: 'MANAGED', comment: 'All jobs' }]],
    ],
    [
      /./,
      () => [
        [
          {
            table_schema: 'shop',
            table_name: 'jobs',
            column_name: 'job_id',
            full_data_type: 'decimal(12,2)',
            is_nullable: 'NO',
            comment: null,
          },
        ],
      ],
    ],
  ];
  expect(await warehouse.catalog()).toEqual([
    {
      catalog: null,
      schema: 'shop',
      table: 'jobs',
      kind: 'table',
      comment: 'All jobs',
      columns: [{ name: 'job_id', datatype: 'decimal', nativeType: 'decimal', nullable: false, comment: null }],
      primaryKey: [],
      uniqueKeys: [],
      foreignKeys: [],
      rowEstimate: null,
    },
  ]);
  expect(
    callsOf('statement')
      .map((item) => item['sql'])
      .join(' '),
  ).toContain("`main`.information_schema.tables where table_schema = 'shop'");
});
