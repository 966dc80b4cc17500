import { expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { lensText } from '../support/lens-text.ts';
import { connect, connectionTo, createDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const POLICIES = {
  plain: 'sales.region = {caller.region}',
  computed: 'lower(trim(sales.region)) = lower(trim({caller.region}))',
  several:
    "sales.region = {caller.region} or (sales.amount > 5 and sales.region = {caller.region} and lower(sales.region) = 'x')",
};
const url = new URL(await createDatabase());
const client = await connect(url.href);
await client.query(`create table sales(id int primary key, region text, amount int);
    insert into sales values (1, 'West', 10), (2, 'East', 0), (3, 'West', 20);
    create table keyed(id int primary key, region text, amount int);
    insert into keyed select n, 'West', n from generate_series(1, 5000) n;
    analyze`);
const folder = await temporaryFolder();
const lensFile = (name: string, filter: string, table = 'sales') =>
  lensText(`name: ${name}
connection: wh
datasets:
  sales: public.${table} (id integer key, region string, amount integer)
metrics: {total: {expression: sum(sales.amount)}}
row_policies: [{name: own, dataset: sales, filter: ${JSON.stringify(filter)}}]
`);
const svc = await startTestApp({
  project: folder,
  files: {
    'svc.config.yaml': JSON.stringify({ connections: { wh: connectionTo(url) } }),
    ...Object.fromEntries(
      Object.entries(POLICIES).map(([name, filter]) => [`lenses/${name}/lens.yaml`, lensFile(name, filter)]),
    ),
    'lenses/keyed/lens.yaml': lensFile('keyed', POLICIES.plain, 'keyed'),
  },
});
const west = (
  await svc.mintCaller({ name: 'west', lenses: [...Object.keys(POLICIES), 'keyed'], attributes: { region: 'West' } })
).key;

it.each(Object.keys(POLICIES))(
  'does not fail on a division by zero in a hidden row under a %s policy',
  async (lens) => {
    for (const condition of ['10 / amount > 0', "cast(case when amount = 0 then 'x' else '1' end as integer) = 1"]) {
      const { status, body } = await svc.post(
        '/v1/sql',
        { sql: `select count(*) as n from sales where ${condition}`, lens },
        west,
      );
      expect([status, body.data]).toEqual([200, [{ n: expect.any(Number) }]]);
      expect(body.scope.row_policies).toEqual(['own']);
    }
  },
);

it('returns no row estimate of a dry run to a caller with a row policy', async () => {
  const estimate = async (token: string) =>
    (
      await svc.post(
        '/v1/sql',
        { sql: "select id from sales where region = 'East'", lens: 'plain', dry_run: true },
        token,
      )
    ).body.estimate;
  expect(await estimate(west)).toEqual({ rows: null, cost: null });
  expect(await estimate(svc.adminToken)).toMatchObject({ rows: expect.any(Number) });
});

it('looks up a key by its index under a row policy, without a scan of the whole table', async () => {
  const countScans = async () =>
    (
      await client.query<{ whole: number; keyed: number }>(
        `select seq_scan::int as whole, idx_scan::int as keyed from pg_stat_user_tables where relname = 'keyed'`,
      )
    ).rows[0]!;
  const ask = async (id: number) => {
    const body = { metrics: ['total'], filters: [{ field: 'sales.id', op: '=', values: [id] }] };
    const { body: answer } = await svc.post('/v1/lenses/keyed/metrics', body, west);
    expect(answer).toMatchObject({ status: 'answered', data: [{ total: id }], confidence: 'verified' });
  };
  // A session reports its scans once per second.
  const settled = async (from: number): Promise<void> => {
    const { keyed } = await countScans();
    for (let id = from; (await countScans()).keyed < keyed + 20; id++) await ask(id);
  };
  await settled(1);
  const before = await countScans();
  await settled(2_000);
  expect((await countScans()).whole).toBe(before.whole);
}, 60_000);
