import { beforeAll, describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { caseRows } from '../support/case-rows.ts';
import { MARIADB_MISSING, NEEDS_MARIADB, startTestMariadb, type TestMariadb } from '../support/mariadb.ts';
import { fillMysqlShop, mysqlProject } from '../support/mysql-shop.ts';

let mariadb: TestMariadb;
let svc: TestApp;

beforeAll(async () => {
  if (MARIADB_MISSING) return;
  mariadb = await startTestMariadb();
  await fillMysqlShop(mariadb);
  svc = await startTestApp({ files: mysqlProject(mariadb.port) });
});

const postMetrics = async (body: object, key?: string): Promise<Envelope> =>
  (await svc.post<Envelope>('/v1/lenses/shop/metrics', body, key)).body;
const ask = async (q: string): Promise<Envelope> => (await svc.post<Envelope>('/v1/lenses/shop/query', { q })).body;
const postSql = async (text: string, key?: string) =>
  (await svc.post('/v1/sql', { sql: text, lens: 'shop' }, key)).body;
const rows = (envelope: Envelope): unknown[][] => {
  expect(envelope, JSON.stringify(envelope)).toMatchObject({ status: 'answered', error: null });
  return envelope.data!.map((row) => Object.values(row));
};

describe.skipIf(MARIADB_MISSING)(`a lens over MariaDB${NEEDS_MARIADB}`, () => {
  it('G15: refuses a WITH clause with too many entries, and names the limit', async () => {
    const entries = Array.from({ length: 65 }, (_, n) => `a${n} as (select 1 as n)`).join(', ');
    const { error } = await postSql(`with ${entries} select n from a0`);
    expect(error).toMatchObject({ code: 'guard_refused', message: expect.stringContaining('more than 60 entries') });
  });

  it('answers a question with the grade verified and a valid receipt', async () => {
    const envelope = await ask('What was revenue by region in 2016?');
    expect(rows(envelope).map(String).sort()).toEqual(['East,75.25', 'West,650.5'].sort());
    expect(envelope.confidence).toBe('verified');
    const verified = await svc.post('/v1/verify-receipt', envelope.receipt);
    expect(verified.body).toMatchObject({ ok: true, signature: 'valid', mismatches: [] });
  });

  it.each(caseRows<[string, (string | number)[][]]>(import.meta.dirname, 'http.jsonl'))(
    'groups dates by %s, with weeks that start on Monday',
    async (grain, expected) => {
      expect(rows(await postMetrics({ metrics: ['revenue'], dimensions: [`orders.order_date.${grain}`] }))).toEqual(
        expected,
      );
    },
  );

  it('groups datetimes with and without a time zone by day', async () => {
    const moments = await postMetrics({ metrics: ['revenue'], dimensions: ['orders.ordered_at.day'], limit: 2 });
    expect(rows(moments)[0]).toEqual(['2016-01-03', 100.5]);
    const instants = await postMetrics({ metrics: ['revenue'], dimensions: ['orders.shipped_at.day'], limit: 2 });
    expect(rows(instants)[0]).toEqual(['2016-01-04', 100.5]);
  });

  it('keeps the group of null values', async () => {
    const resultRows = rows(await postMetrics({ metrics: ['revenue', 'customers'], dimensions: ['orders.region'] }));
    expect(resultRows.map(([region]) => region).sort()).toEqual(['East', 'South', 'West', null].sort());
    expect(resultRows.find(([region]) => region === null)).toEqual([null, 60, 1]);
  });

  it('combines measures of two datasets without fan-out', async () => {
    const resultRows = rows(await postMetrics({ metrics: ['revenue', 'refunded'], dimensions: ['orders.region'] }));
    expect(resultRows.map(String).sort()).toEqual(['East,75.25,', 'South,20,5', 'West,650.5,40', ',60,'].sort());
  });

  it('divides with at least nine decimal places', async () => {
    const [[ratio]] = rows(await postMetrics({ metrics: ['profit_ratio'] })) as [[number]];
    expect(Number(ratio)).toBeCloseTo(120.74 / 805.75, 9);
  });

  it.each([
    [{ field: 'orders.region', op: 'contains', values: ['ES'] }, 650.5],
    [{ field: 'orders.region', op: 'contains', values: ['%'] }, null],
    [{ field: 'orders.region', op: 'contains', values: ['\\'] }, null],
    [{ field: 'orders.region', op: 'in', values: ['East', 'South'] }, 95.25],
    [{ field: 'orders.region', op: 'is_null', values: [] }, 60],
    [{ field: 'orders.sales', op: 'between', values: [60, 100.5] }, 235.75],
    [{ field: 'orders.gift', op: '=', values: [true] }, 270],
    [{ field: 'orders.size', op: '=', values: ['large'] }, 650.5],
    [{ field: 'orders.order_date', op: '>=', values: ['2017-01-01'] }, 80],
    [{ field: 'orders.ordered_at', op: '=', values: ['2016-12-31'] }, 300],
    [{ field: 'orders.shipped_at', op: '>=', values: ['2017-01-02T01:00:00+01:00'] }, 320],
  ])('filters by %o', async (filter, expected) => {
    const resultRows = rows(await postMetrics({ metrics: ['revenue'], filters: [filter] }));
    expect(resultRows.flat().map((value) => (value === null ? null : Number(value)))).toEqual([expected]);
  });

  it('applies a row policy to metrics, SQL and certified entries', async () => {
    const west = await svc.mintCaller({
      name: 'west',
      lenses: ['shop'],
      groups: ['field'],
      attributes: { region: 'West' },
    });
    const resultReply = await postMetrics({ metrics: ['revenue'], dimensions: ['orders.region'] }, west.key);
    expect(rows(resultReply)).toEqual([['West', 650.5]]);
    expect(resultReply.scope!.row_policies).toEqual(['own-region']);
    expect(rows(await postSql('select distinct region from orders', west.key))).toEqual([['West']]);
    const run = await svc.post<Envelope>('/v1/lenses/shop/certified/revenue-2016/run', {}, west.key);
    expect(rows(run.body)).toEqual([['West', 650.5]]);
    const nobody = await svc.mintCaller({ name: 'nowhere', lenses: ['shop'], groups: ['field'] });
    const emptyReply = await svc.post<Envelope>(
      '/v1/sql',
      { sql: 'select region from orders', lens: 'shop' },
      nobody.key,
    );
    expect(emptyReply.body.data ?? []).toEqual([]);
  });

  it('shows a masked field as null, counts it, and refuses to compare it', async () => {
    const maskedReply = await postSql('select customer_name, count(*) as n from orders group by 1');
    expect(maskedReply.status).not.toBe('answered');
    expect(rows(await postSql('select row_id, customer_name from orders where row_id = 1'))).toEqual([[1, null]]);
    expect(rows(await postSql('select count(distinct customer_name) as n from orders'))).toEqual([[5]]);
    const compared = await postSql("select row_id from orders where customer_name like 'A%'");
    expect(compared.error).toMatchObject({ code: 'guard_refused' });
  });

  it('runs certified SQL unchanged, with its parameters bound', async () => {
    const plain = await svc.post<Envelope>('/v1/lenses/shop/certified/revenue-2016/run', {});
    expect(plain.body).toMatchObject({
      certification: 'certified',
      sql: expect.stringContaining('select region, sum(sales)'),
    });
    expect(rows(plain.body)).toEqual([
      ['West', 650.5],
      ['East', 75.25],
    ]);
    const boundReply = await svc.post<Envelope>('/v1/lenses/shop/certified/top-sales/run', {
      parameters: { region: 'West', top: 2 },
    });
    expect(rows(boundReply.body)).toEqual([
      [4, 300],
      [2, 250],
    ]);
    const hostile = { parameters: { region: "x' or '1'='1' -- \\", top: 2 } };
    const emptyReply = await svc.post<Envelope>('/v1/lenses/shop/certified/top-sales/run', hostile);
    expect(emptyReply.body).toMatchObject({ status: 'clarification', data: null });
  });

  it('runs a caller’s SQL with windows, CTEs and dates, and returns the SQL that ran', async () => {
    const windowReply = await postSql(`with monthly as (
        select date_format(order_date, '%Y-%m') as month, sum(sales) as sold from orders group by 1)
      select month, sold, sold - lag(sold) over (order by month) as change_in_sales from monthly
      where month < "2016-12" order by month desc limit 1`);
    expect(rows(windowReply)).toEqual([['2016-02', 325.25, 224.75]]);
    expect(windowReply.sql).toContain('WITH `monthly`');
    expect(
      rows(
        await postSql(
          'select row_id from orders where order_date >= (select max(order_date) from orders) - interval 1 year order by row_id',
        ),
      ),
    ).toEqual([[4], [5], [6]]);
  });

  it('refuses SQL that reaches outside the lens, and reveals nothing of it', async () => {
    for (const text of [
      'select token from secret',
      'select * from shop.secret',
      "select load_file('/etc/passwd')",
      'select @@datadir',
      'select 1 /*!50000 union select token from secret */',
      "select region from orders into outfile '/tmp/svc-x'",
      'select region from orders for update',
      'select sleep(5)',
      'delete from orders',
      'select 1; drop table orders',
    ]) {
      const refusal = await postSql(text);
      expect(refusal.error, text).toMatchObject({ code: 'guard_refused' });
      expect(JSON.stringify(refusal)).not.toContain('hidden-token');
    }
    expect(await mariadb.run('select count(*) from shop.orders')).toEqual([[6]]);
  });

  it('reports when rows were cut', async () => {
    const listingReply = await postMetrics({ metrics: [], dimensions: ['orders.row_id'] });
    expect(listingReply.truncated).toMatchObject({ returned: 5, total: 6 });
    const limited = await svc.post<Envelope>('/v1/sql', { sql: 'select row_id from orders', lens: 'shop', limit: 2 });
    expect(limited.body).toMatchObject({ truncated: { returned: 2 } });
  });

  it('tests the connection and reads its catalog without showing the password', async () => {
    const [connection] = (await svc.admin('GET', '/connections')).body.items;
    const tested = await svc.admin('POST', `/connections/${connection.id}/test`, {});
    expect(tested.body).toMatchObject({
      ok: true,
      read_only: true,
      server_version: expect.stringContaining('MariaDB'),
    });
    const catalog = await svc.admin('GET', `/connections/${connection.id}/catalog`);
    expect(JSON.stringify(catalog.body)).toContain('order lines');
    expect(JSON.stringify(tested.body) + JSON.stringify(catalog.body)).not.toContain('reads only');
  });

  it('reports that the server does not support TLS', async () => {
    const config = {
      kind: 'mysql',
      host: '127.0.0.1',
      port: mariadb.port,
      database: 'shop',
      user: 'svc_reader',
      ssl: true,
    };
    const createReply = await svc.admin('POST', '/connections', { name: 'plain', ...config });
    const tested = await svc.admin('POST', `/connections/${createReply.body.id}/test`, {});
    expect(tested.body).toMatchObject({ ok: false, error: expect.stringMatching(/does not support TLS on the port/) });
  });
});
