// Questions with an unclear date, dataset or period: svc asks for clarification, or names its choice, on every surface.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startReadingsBench } from './ask-wrong-readings.ts';

const LINES = 'trade.order_lines join trade.orders using (order_id)';
const MARCH = "'2024-03-01' and DATE < '2024-04-01'";
const inMarch = (date: string): string => `${date} >= ${MARCH.replace('DATE', date)}`;
const bench = await startReadingsBench();

const postMetrics = async (lens: string, body: object) => bench.svc.post(`/v1/lenses/${lens}/metrics`, body);
const keysOf = ({ clarification }: Envelope): string[] =>
  (clarification?.options ?? []).map((option) => (typeof option === 'string' ? option : option.key));
const expectVerified = async (envelope: Envelope, sql: string) => {
  expect([envelope.status, envelope.confidence]).toEqual(['answered', 'verified']);
  expect([envelope.scope?.sentence, await bench.agrees(envelope, [sql])]).toEqual([envelope.scope?.sentence, true]);
};

it('grades months after the last month with rows partial, because the data may end before', async () => {
  const months = { measures: [{ fn: 'count', rows: 'orders' }], dimensions: ['orders.order_date.month'] };
  const everyMonthUntil = async (to: string) =>
    (
      await postMetrics('trade', {
        ...months,
        every: 'orders.order_date.month',
        time: { field: 'orders.order_date', from: '2024-01-01', to },
      })
    ).body;
  const { data } = (await postMetrics('trade', months)).body;
  const lastMonth = DateTime.fromISO(String(Object.values(data.at(-1))[0]), { zone: 'utc' });
  const addMonths = (months: number) => lastMonth.plus({ months }).toISODate()!;
  expect(await everyMonthUntil(addMonths(1))).toMatchObject({ confidence: 'verified' });
  expect(await everyMonthUntil(addMonths(3))).toMatchObject({
    confidence: 'partial',
    warnings: [`There are no rows from ${addMonths(1)} on, so the data may end before.`],
  });
});

describe('a period without a named date', () => {
  it.each([
    ['total line amount in March 2024', `select sum(line_amount) from ${LINES} where ${inMarch('DAY')}`],
    ['how many order items in March 2024', `select count(*) from ${LINES} where ${inMarch('DAY')}`],
  ])('asks which date applies when products have none, and answers each choice: %s', async (q, sql) => {
    const envelope = await bench.ask({ lens: 'drafted', q });
    expect(keysOf(envelope)).toEqual(['orders.order_date', 'orders.ship_date']);
    for (const day of ['order_date', 'ship_date']) {
      const resolvedAnswer = await bench.ask(
        { lens: 'drafted', q },
        { [envelope.clarification!.term]: `orders.${day}` },
      );
      await expectVerified(resolvedAnswer, sql.replaceAll('DAY', day));
      expect(resolvedAnswer.scope).toMatchObject({ time: { field: `orders.${day}` } });
      expect(resolvedAnswer.scope?.sentence).toContain(`${day.replace('_', ' ')} is in March 2024`);
    }
  });

  it('takes the declared date of the parent rows, and names it in the sentence', async () => {
    const envelope = await bench.ask({ lens: 'plans', q: 'how many invoice items in March 2024' });
    await expectVerified(
      envelope,
      `select count(*) from plans.invoice_items join plans.invoices using (invoice_id) where ${inMarch('issued_on')}`,
    );
    expect(envelope.scope?.time?.field).toBe('invoices.issued_on');
    expect(envelope.scope?.sentence).toContain('issued on is in March 2024');
    const usual = await bench.ask({ lens: 'trade', q: 'how many orders in March 2024' });
    expect(usual.scope?.sentence).toBe('Order count in March 2024.');
  });

  it('grades partial when the date belongs to an event that the rows only refer to', async () => {
    for (const q of ['how many reminders in March 2024', 'number of reminders by month']) {
      const envelope = await bench.ask({ lens: 'plans', q });
      expect(envelope.confidence).toBe('partial');
      expect(envelope.warnings.join(' ')).toContain('have no date of their own');
    }
  });

  it('asks for clarification about rows that outlast a period, even with a single date field', async () => {
    const q = 'how many customers in 2021';
    const envelope = await bench.ask({ lens: 'trade', q });
    expect(keysOf(envelope)).toEqual(['customers.signup_date']);
    const resolvedAnswer = await bench.ask({ lens: 'trade', q }, { 'in 2021': 'customers.signup_date' });
    await expectVerified(
      resolvedAnswer,
      "select count(*) from trade.customers where signup_date >= '2021-01-01' and signup_date < '2022-01-01'",
    );
  });

  it('applies the time of a metrics body to the listed rows, not to the rows that they refer to', async () => {
    const time = { from: '2023-01-01', to: '2024-01-01' };
    const refusedListing = await postMetrics('plans', {
      dimensions: ['accounts.account_name', 'subscriptions.mrr'],
      time,
    });
    expect(refusedListing.status).toBe(422);
    expect(refusedListing.text).toContain('subscriptions.started_on');
    const own = await postMetrics('plans', { dimensions: ['accounts.account_name', 'invoices.amount'], time });
    expect(own.body.scope.time.field).toBe('invoices.issued_on');
  });
});

describe('a field of rows when a question is about their parent', () => {
  it.each([
    ['trade', 'top 10 customers by line amount'],
    ['trade', 'which customer has the highest line amount'],
    ['trade', 'top 3 customers by unit price'],
    ['grid', 'top 3 stations by temperature'],
    ['plans', 'account with the highest mrr'],
    ['trade', 'average line amount per customer'],
    ['trade', 'customers with line amount over 60'],
    ['trade', 'how many orders with line amount over 60'],
    ['plans', 'accounts with mrr over 100'],
    ['trade', 'how many customers with revenue over 2500 in 2024'],
  ] as const)('declines in %s: %s, because it can mean a total or a single row', async (lens, q) => {
    expect((await bench.ask({ lens, q })).status).toBe('refused');
  });

  it('applies a condition on a total to a count', async () => {
    const total = await bench.ask({ lens: 'trade', q: 'how many customers with total line amount over 2500' });
    const sql = `select count(*) from (select customer_id from ${LINES} group by 1 having sum(line_amount) > 2500) x`;
    expect([total.status, await bench.agrees(total, [sql])]).toEqual(['answered', true]);
  });
});

describe('two periods for one date', () => {
  it.each([
    [
      'how many subscriptions ended within the last 6 months from today',
      "ended_on >= current_date - interval '6 months' and ended_on <= current_date",
    ],
  ])('applies both periods: %s', async (q, where) => {
    const envelope = await bench.ask({ lens: 'plans', q });
    await expectVerified(envelope, `select count(*) from plans.subscriptions where ${where}`);
    expect(envelope.scope?.sentence).not.toContain(' or ');
  });

  it.each([
    'how many subscriptions ended in 2025 since July 2025',
    'how many subscriptions ended after March 2025 before July 2025',
    'how many subscriptions ended in 2024 in 2025',
  ])('refuses a second period for one date: %s', async (q) => {
    expect((await bench.ask({ lens: 'plans', q })).status).toBe('refused');
  });
});

describe('a clarification about a date', () => {
  const Q = 'total refund in 2024';
  const SQL = "select sum(refund) from trade.returns where received_on >= '2024-01-01' and received_on < '2025-01-01'";

  it('is resolved by the choice of a date, over HTTP and MCP', async () => {
    await expectVerified(await bench.ask({ lens: 'trade', q: Q }, { 'in 2024': 'returns.received_on' }), SQL);
    await expectVerified(await bench.ask({ lens: 'trade', q: Q }, { 'in 2024': 'received_on' }), SQL);
    const url = new URL('/mcp', await bench.svc.listen());
    const client = new Client({ name: 'probe', version: '1.0.0' });
    const headers = { authorization: `Bearer ${bench.svc.callerKey}` };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    const choices = { 'in 2024': 'returns.received_on' };
    for (const [name, lensArguments] of [
      ['query', { lens: 'trade' }],
      ['route_query', {}],
    ] as const) {
      const first = await client.callTool({ name, arguments: { ...lensArguments, q: Q } });
      expect((first.structuredContent as Envelope).status).toBe('clarification');
      const toolResult = await client.callTool({ name, arguments: { ...lensArguments, q: Q, choices } });
      await expectVerified(toolResult.structuredContent as Envelope, SQL);
    }
    await client.close();
  });

  it('accepts the label, key or name of an option in a chat, and answers the next follow-up', async () => {
    const say = async (...turns: string[]): Promise<Envelope> => {
      const messages = turns.map((content) => ({ role: 'user', content }));
      return (await bench.svc.post('/v1/chat/completions', { model: 'svc/trade', messages })).body.svc;
    };
    const envelope = await say(Q);
    const label = envelope.clarification!.options.map((option) =>
      typeof option === 'string' ? option : option.label,
    )[1]!;
    for (const answer of [label, 'returns.received_on', 'Received on.', 'the received on', 'received_on'])
      await expectVerified(await say(Q, answer), SQL);
    await expectVerified(await say(Q, label, 'and in 2025?'), SQL.replace('2025', '2026').replace('2024', '2025'));
    expect((await say(Q, 'whatever')).confidence).not.toBe('verified');
  });

  it('reads “by month” as the month of the date, although another table has a field named month', async () => {
    await expectVerified(
      await bench.ask({ lens: 'trade', q: 'revenue by month' }),
      `select date_trunc('month', order_date)::date, sum(line_amount) from ${LINES} group by 1`,
    );
    await expectVerified(
      await bench.ask({ lens: 'trade', q: 'number of orders for each month' }),
      "select date_trunc('month', order_date)::date, count(*) from trade.orders group by 1",
    );
    await expectVerified(
      await bench.ask({ lens: 'trade', q: 'total target amount by month' }),
      'select month, sum(target_amount) from trade.targets group by 1',
    );
  });
});
