import { createServer } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cell, FetchOptions, Warehouse } from '../../src/domain/ports.ts';
import { openMysqlWarehouse } from '../../src/engines/mysql/warehouse/warehouse.ts';
import { formatLiteral, quoteIdentifier } from '../../src/guard/literals.ts';
import { unguardedSql } from '../plugin-kit/statements.ts';
import { caseRows } from '../support/case-rows.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { expectHeldBack } from '../support/held-back.ts';
import {
  DATABASE,
  MARIADB_MISSING,
  NEEDS_MARIADB,
  READER,
  startTestMariadb,
  type TestMariadb,
} from '../support/mariadb.ts';
import { fillMysqlShop } from '../support/mysql-shop.ts';

let mariadb: TestMariadb;
let warehouse: Warehouse;

const open = (overrides: object = {}) =>
  openMysqlWarehouse({
    host: '127.0.0.1',
    port: mariadb.port,
    database: DATABASE,
    ...READER,
    ssl: false,
    ...overrides,
  });
const guardedSql = (runs: string, parameters?: string[]) => unguardedSql('mysql', runs, parameters);
const fetch = (sql: string, overrides: Partial<FetchOptions> = {}, parameters: string[] = []) =>
  warehouse.fetch(guardedSql(sql, parameters), { maxRows: 100, maxBytes: 1_000_000, timeoutMs: 10_000, ...overrides });

beforeAll(async () => {
  if (MARIADB_MISSING) return;
  mariadb = await startTestMariadb();
  await fillMysqlShop(mariadb);
  warehouse = await open();
});
afterAll(() => warehouse?.close());

describe.skipIf(MARIADB_MISSING)(`MariaDB as a warehouse${NEEDS_MARIADB}`, () => {
  it('returns every value exactly, with its datatype', async () => {
    const { columns, rows } = await fetch('select * from kinds order by id');
    expect(columns.map(({ datatype }) => datatype).join(' ')).toBe(
      'integer integer decimal float float string string time datetime datetimetz string integer string',
    );
    const stored = caseRows<Cell[]>(import.meta.dirname, 'kinds.jsonl');
    expect(rows.map((row, at) => row.slice(0, stored[at]?.length))).toEqual(stored);
  });

  it('returns zero dates as they are stored', async () => {
    const { rows } = await fetch('select d, at from zero_dates order by id');
    expect(rows).toEqual([
      ['0000-00-00', '0000-00-00 00:00:00'],
      ['2016-01-01', '2016-01-01T10:00:00'],
    ]);
  });

  it('quotes any literal and any name so that the server reads exactly that value', async () => {
    const hostileText = fc.array(
      fc.constantFrom("'", '"', '\\', '`', '--', '/*', '*/', '#', ';', '\n', 'x', ' ', '%', '?', ':a', '漢', '😀'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            hostileText.map((parts) => parts.join('')),
            fc.string({ unit: 'grapheme', maxLength: 20 }),
          ),
          { minLength: 5, maxLength: 20 },
        ),
        async (values) => {
          const texts = values.filter((value) => !value.includes('\u0000'));
          if (texts.length === 0) return;
          // An unnamed column has the text of the literal as its name, and the driver refuses the name "__proto__".
          const cells = texts.map((text, at) => `${formatLiteral('mysql', text, 'string')} as c${at}`);
          const { rows } = await fetch(`select ${cells.join(', ')}`);
          expect(rows[0]).toEqual(texts);
        },
      ),
      { numRuns: 15 },
    );
    const { columns } = await fetch(`select 1 as ${quoteIdentifier('mysql', 'a`b\\c "d\'')}`);
    expect(columns[0]!.name).toBe('a`b\\c "d\'');
  }, 120_000);

  it('reads a literal with a backslash identically in a session with other SQL modes', async () => {
    const text = "a\\'b\\";
    expect(await mariadb.run(`select ${formatLiteral('mysql', text, 'string')}`)).toEqual([[text]]);
  });

  it('binds parameters by their datatype, including in LIMIT', async () => {
    const parameters = [
      { name: 'region', datatype: 'string' as const, value: 'West' },
      { name: 'least', datatype: 'decimal' as const, value: '100.50' },
      { name: 'top', datatype: 'integer' as const, value: 1 },
    ];
    const sql = 'select row_id from orders where region = ? and sales >= ? order by sales limit ?';
    expect((await fetch(sql, { parameters }, ['region', 'least', 'top'])).rows).toEqual([['1']]);
  });

  const WIDE = "select concat(seq, repeat('x', 1000)) as t from seq_1_to_4000";
  const wide = { maxRows: 5_000, maxBytes: 16_000_000 };

  it('holds a large result back until svc admits it', async () => {
    await expectHeldBack(
      (hold) => fetch(WIDE, { ...wide, ...hold }),
      async () => expect((await fetch('select 1')).rows).toEqual([['1']]),
    );
  });

  it('ends a statement at its deadline even while its result is held back', async () => {
    const heldFetch = fetch(WIDE.replace('4000', '2000000'), {
      ...wide,
      timeoutMs: 700,
      beforeLarge: () => new Promise(() => undefined),
    });
    await expect(heldFetch).rejects.toMatchObject({ code: 'timeout' });
    expect((await fetch('select 1')).rows).toEqual([['1']]);
  });

  it('ends a statement at its deadline, on the server too', async () => {
    const startedAt = performance.now();
    await expect(
      fetch('select count(*) from seq_1_to_1000000 a, seq_1_to_1000000 b', { timeoutMs: 300 }),
    ).rejects.toMatchObject({ code: 'timeout' });
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    await expect.poll(countRunning, { timeout: 10_000 }).toBe(0);
  });

  it('ends a statement when its caller disconnects', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 200);
    const cancelled = fetch('select count(*) from seq_1_to_1000000 a, seq_1_to_1000000 b', { signal: abort.signal });
    await expect(cancelled).rejects.toMatchObject({ code: 'timeout', detail: 'canceled by the client' });
    await expect.poll(countRunning, { timeout: 10_000 }).toBe(0);
    expect((await fetch('select 1')).rows).toEqual([['1']]);
  });

  it('G15, F06: ends every statement at its deadline when the server falls silent, and recovers', async () => {
    const proxy = await startFaultProxy({ host: '127.0.0.1', port: mariadb.port });
    const far = await open({ port: proxy.port, maxConnections: 2 });
    const ask = () => far.fetch(guardedSql('select 1'), { maxRows: 1, maxBytes: 1000, timeoutMs: 300 });
    try {
      await Promise.all([ask(), ask()]);
      proxy.set({ kind: 'hang' });
      // Two connections fall silent. The other asks wait for a connection or open a new one.
      const askOutcomes = await Promise.allSettled(Array.from({ length: 5 }, ask));
      for (const item of askOutcomes) expect(item).toMatchObject({ status: 'rejected', reason: { code: 'timeout' } });
      proxy.set({ kind: 'pass' });
      await expect.poll(() => ask().then(({ rows }) => rows, String), { timeout: 15_000 }).toEqual([['1']]);
    } finally {
      await far.close();
    }
  });

  it.each([
    'delete from orders',
    'update orders set sales = 0',
    'create table x (a int)',
    'select 1; delete from orders',
    'create temporary table t2 engine=innodb select * from orders',
  ])('refuses writes even without the guard: %s', async (text) => {
    await mariadb.run(`grant all on ${DATABASE}.* to '${READER.user}'@'%'`);
    const able = await open();
    try {
      const attempt = able.fetch(guardedSql(text), { maxRows: 10, maxBytes: 1000, timeoutMs: 5000 });
      await expect(attempt).rejects.toMatchObject({ code: 'upstream' });
    } finally {
      await able.close();
      await mariadb.run(
        `revoke all on ${DATABASE}.* from '${READER.user}'@'%'`,
        `grant select on ${DATABASE}.* to '${READER.user}'@'%'`,
      );
    }
    expect(await mariadb.run('select count(*), sum(sales) from shop.orders')).toEqual([[6, '805.75']]);
  });

  it('estimates the rows of a statement', async () => {
    expect((await warehouse.estimate(guardedSql('select * from orders'))).rows).toBeGreaterThan(0);
  });

  it('refuses a conversion to a time zone that the server does not know', async () => {
    const shifted = fetch("select convert_tz(shipped_at, '+00:00', 'Europe/Paris') from orders");
    await expect(shifted).rejects.toMatchObject({ code: 'upstream', detail: expect.stringContaining('time zone') });
  });

  it('lists its tables and keys, and profiles a column', async () => {
    const tables = await warehouse.catalog();
    const orders = tables.find(({ table }) => table === 'orders')!;
    expect(orders).toMatchObject({ schema: DATABASE, kind: 'table', comment: 'order lines', primaryKey: ['row_id'] });
    expect(orders.columns.find(({ name }) => name === 'gift')!.datatype).toBe('boolean');
    const [region] = await warehouse.profile({ schema: DATABASE, table: 'orders' }, ['region'], {
      maxValues: 10,
      sampleRows: 100,
    });
    expect(region).toMatchObject({
      rows: 6,
      nulls: 1,
      distinct: 3,
      min: 'East',
      max: 'West',
      values: ['West', 'East', 'South'],
    });
  });

  it('distinguishes an unreachable server from invalid SQL, and reveals no host or user', async () => {
    const cases: [object, string, RegExp][] = [
      [{ password: 'wrong' }, 'unreachable', /credentials/],
      [{ database: 'nowhere' }, 'unreachable', /credentials|no database/],
      [{ port: await findClosedPort() }, 'unreachable', /not reachable/],
    ];
    for (const [overrides, code, message] of cases) {
      const broken = await open(overrides);
      const failed = await broken
        .fetch(guardedSql('select 1'), { maxRows: 1, maxBytes: 100, timeoutMs: 3000 })
        .catch((error: Error) => error);
      expect(failed).toMatchObject({ code, message: expect.stringMatching(message) });
      expect((failed as Error).message).not.toMatch(/127\.0\.0\.1|reader/);
      await broken.close();
    }
    await expect(fetch("select cast('geheim' as decimal(5,2)) + nope from orders")).rejects.toMatchObject({
      code: 'upstream',
      details: [{ code: 'unknown_name' }],
    });
  });
});

const countRunning = async (): Promise<number> => {
  const [row] = await mariadb.run(
    `select count(*) from information_schema.processlist where user = '${READER.user}' and command <> 'Sleep'`,
  );
  return Number(row![0]);
};

async function findClosedPort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
