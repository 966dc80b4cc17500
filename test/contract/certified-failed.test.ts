// Approved SQL that no longer runs says so each time and on every door, though the entry leaves service at the first run.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { connectionTo, startTestPostgres, type TestPostgres } from '../support/postgres.ts';

const LENS = `name: sales
connection: wh
datasets:
  sales: {source: public.sales, primary_key: [id], fields: {id: {datatype: integer}, amount: {datatype: integer}}}
metrics: {total: {expression: sum(sales.amount), description: Total.}}
`;
const CERTIFIED = `- {id: total, question: What is the total?, sql: select sum(amount) as total from public.sales, approved_by: a@b.c, approved_at: 2026-01-31}
`;

let svc: TestApp;
let warehouse: TestPostgres;
let database: string;
const inWarehouse = async (sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query(sql).finally(() => client.end());
};
beforeAll(async () => {
  warehouse = await startTestPostgres();
  database = await warehouse.createDatabase();
  await inWarehouse('create table sales(id int primary key, amount int); insert into sales values (1, 5), (2, 6)');
  const url = new URL(database);
  svc = await startTestApp({
    files: {
      'svc.config.yaml': JSON.stringify({ connections: { wh: connectionTo(url) } }),
      'lenses/sales/lens.yaml': LENS,
      'lenses/sales/certified/total.yaml': CERTIFIED,
    },
  });
});
afterAll(async () => {
  await svc?.close();
  await warehouse?.stop();
});

const run = () => svc.post('/v1/lenses/sales/certified/total/run', {});
const check = () => svc.post('/mgmt/lenses/sales/certified/total/check', {}, svc.adminToken);

describe('approved SQL that no longer runs', () => {
  it('is certified_failed with 502 at every run, without data or receipt, and is served again after the next check that finds it whole', async () => {
    expect((await run()).body).toMatchObject({ status: 'answered', certification: 'certified', data: [{ total: 11 }] });
    await inWarehouse('alter table sales rename column amount to gone');
    for (const attempt of ['first', 'second', 'third']) {
      const { status, body } = await run();
      expect([attempt, status]).toEqual([attempt, 502]);
      const kept = await svc.get('/mgmt/lenses/sales/certified/total', svc.adminToken);
      expect([attempt, kept.body.status]).toEqual([attempt, 'suspended']);
      expect(body).toMatchObject({
        status: 'failed',
        certification: 'certified_failed',
        confidence: 'unverified',
        sql: null,
        data: null,
        receipt: null,
      });
    }
    expect((await check()).body).toMatchObject({ ok: false, restored: false, status: 'suspended' });
    await inWarehouse('alter table sales rename column gone to amount');
    expect((await run()).status).toBe(404);
    expect((await check()).body).toMatchObject({ ok: true, restored: true, status: 'approved' });
    expect((await run()).body).toMatchObject({ status: 'answered', certification: 'certified', data: [{ total: 11 }] });
    const { items } = (await svc.get('/mgmt/audit?action=certified.restore', svc.adminToken)).body;
    expect(items).toMatchObject([{ actor: 'svc', object_id: 'sales/total', after: { status: 'approved' } }]);
  });

  it('stays out of service when it runs again with another datatype', async () => {
    await inWarehouse('alter table sales rename column amount to gone');
    expect((await run()).status).toBe(502);
    await inWarehouse('alter table sales add column amount numeric(10,2) default 3');
    expect((await check()).body).toMatchObject({ ok: true, restored: false, status: 'suspended' });
  });
});
