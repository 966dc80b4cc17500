import { expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startTestApp } from '../support/app.ts';
import { lensText } from '../support/lens-text.ts';
import { connect, createDatabase } from '../support/postgres.ts';

const PATH = 'lenses/trade/lens.yaml';
const LENS = lensText(`name: trade
connection: trade
datasets:
  customers: public.customers (customer_no integer key, city string)
  orders: public.orders (order_no integer key, customer_no integer, amount decimal {aggregation: sum})
relationships:
  - {from: orders.customer_no, to: customers.customer_no} # by its author
metrics:
  revenue: {expression: sum(orders.amount)}
`);
const url = new URL(await createDatabase());
const owner = await connect(url.href);
const reader = `reader_of_${url.pathname.slice(1)}`;
await owner.query(`
    create table customers as select n as customer_no, 'City ' || n % 3 as city from generate_series(1, 9) n;
    create table orders as select n as order_no, 1 + n % 9 as customer_no, n::numeric(9, 2) as amount from generate_series(1, 50) n;
    create role ${reader} login password 'reader';
    grant select on customers, orders to ${reader}`);
const connection = `{kind: postgres, host: ${url.hostname}, port: ${url.port}, database: ${url.pathname.slice(1)}, user: ${reader}, password: reader, ssl: false}`;
const app = await startTestApp({ files: { 'svc.config.yaml': `connections: {trade: ${connection}}\n`, [PATH]: LENS } });
const { admin } = app;

const runAudit = async (path = '/lenses/trade/drift') => {
  const startReply = await admin('POST', path);
  const run = await app.runEnds(startReply.body.run_id);
  expect(run.error).toBeNull();
  return run.result.findings as { code: string; pointer: string; message: string }[];
};
const askRevenue = async (...dimensions: string[]): Promise<Envelope> =>
  (await app.post('/v1/lenses/trade/metrics', { metrics: ['revenue'], dimensions })).body;
const text = async (): Promise<string> => (await admin('GET', '/project/export')).body.files[PATH];
/** The reason for each join that svc can't confirm. */
const leftJoins = async (): Promise<string[]> => {
  const { confirmed, left } = (await admin('POST', '/lenses/trade/facts', { confirm: 'proven_joins' })).body;
  expect(confirmed).toEqual([]);
  return left.map(({ why }: { why: string }) => why);
};
const today = new Date().toISOString().slice(0, 10);

it('finds nothing while the data matches the lens', async () => {
  expect(await runAudit()).toEqual([]);
  expect((await askRevenue('customers.city')).confidence).toBe('verified');
  expect(await text()).toBe(LENS);
});

it('withdraws an authored join with orphaned values as an edit, and grades answers over it partial', async () => {
  await owner.query('insert into orders values (51, 77, 5), (52, 78, 5)');
  const [finding, more] = await runAudit();
  expect(more).toBeUndefined();
  expect(finding).toMatchObject({ code: 'contradicted_fact', pointer: '/relationships/0' });
  expect(finding!.message).toContain(
    'join:orders.customer_no: 2 of 11 values of orders.customer_no are not in customers.customer_no. svc withdrew the confirmation of this fact',
  );
  expect(await text()).toBe(
    `${LENS}facts:\n  - {kind: join, of: orders.customer_no, says: customers.customer_no, origin: inferred, evidence: "audit of ${today}: 2 of 11 values of orders.customer_no are not in customers.customer_no", withdrawn: ${today}}\n`,
  );
  const answer = await askRevenue('customers.city');
  expect(answer.confidence).toBe('partial');
  expect(answer.checks.find(({ name }) => name === 'facts_confirmed')?.detail).toContain('which the data contradicts');
  expect((await askRevenue()).confidence).toBe('verified');
  const [row] = (await admin('GET', '/audit?action=lens.facts_withdrawn')).body.items;
  expect(Object.keys(row.after.withdrawn)).toEqual(['join:orders.customer_no']);
  expect(await runAudit()).toEqual([]);
});

it('reports no finding for orphaned values after someone confirms the join', async () => {
  expect(await leftJoins()).toEqual(['2 of 11 values are not in customers.customer_no.']);
  await admin('POST', '/lenses/trade/facts', { confirm: ['join:orders.customer_no'] });
  expect((await askRevenue('customers.city')).confidence).toBe('verified');
  expect(await runAudit()).toEqual([]);
});

it('withdraws a key with repeated values and the joins to it, and the lens can still be changed', async () => {
  await owner.query(`insert into customers values (1, 'City 9')`);
  const findings = await runAudit('/connections/trade/drift-audit');
  const contradicted = findings.filter(({ code }) => code === 'contradicted_fact');
  expect(contradicted.map(({ pointer }) => pointer)).toEqual(['/datasets/customers/primary_key', '/relationships/0']);
  expect(contradicted[0]!.message).toContain('1 row of customers repeats a value of customer_no');
  expect((await askRevenue('customers.city')).confidence).toBe('partial');
  const countReply = await app.post('/v1/lenses/trade/metrics', { measures: [{ fn: 'count', rows: 'customers' }] });
  expect(countReply.body.confidence).toBe('partial');
  const changeReply = await admin('POST', '/project/plan', {
    files: {
      ...(await admin('GET', '/project/export')).body.files,
      [PATH]: (await text()).replace('name: trade\n', 'name: trade\ntitle: T\n'),
    },
  });
  expect([changeReply.body.problems, changeReply.body.warnings]).toEqual([
    [],
    [expect.stringContaining('is not unique')],
  ]);
  expect(await leftJoins()).toEqual(['1 row of customers repeats a value of customer_no.']);
  const confirmed = await admin('POST', '/lenses/trade/facts', { confirm: ['join:orders.customer_no'] });
  expect(confirmed).toMatchObject({ status: 422, body: { problems: [{ code: 'fan_out' }] } });
});

it('does not confirm a join without values', async () => {
  await owner.query("delete from customers where city = 'City 9'; update orders set customer_no = null");
  expect(await leftJoins()).toEqual(['orders.customer_no has no values yet.']);
});
