import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startTestApp } from '../support/app.ts';
import { caseRows } from '../support/case-rows.ts';

const ORDERS = `(select "Order ID" as order_id, "Order Date" as order_date, "Customer ID" as customer_id, "Segment" as segment,
  "State" as state, "Region" as region, "Category" as category, "Sub-Category" as sub_category, "City" as city, "Sales"::decimal(18, 4) as sales,
  "Discount"::decimal(18, 2) as discount, "Profit"::decimal(18, 4) as profit
  from 'data/superstore.parquet')`;
const svc = await startTestApp({ project: '.' });
const duckdb: Awaited<ReturnType<DuckDBInstance['connect']>> = await (
  await DuckDBInstance.create(':memory:')
).connect();

const ask = async (q: string, lens = 'superstore', extraMembers = {}): Promise<Envelope> =>
  (await svc.post<Envelope>(`/v1/lenses/${lens}/query`, { q, ...extraMembers })).body;

async function runByHand(sql: string): Promise<unknown[][]> {
  const rows = (await duckdb.runAndReadAll(sql.replaceAll('ORDERS', ORDERS))).getRowsJson();
  return rows.map((row) => row.map(toPlainCell));
}
const toPlainCell = (cell: unknown): unknown => {
  if (typeof cell === 'string' && /^-?\d+(\.\d+)?$/.test(cell)) return Number(cell);
  return cell;
};
/** Ignores the order of rows and columns. */
const sortedTexts = (rows: unknown[][]): string[] =>
  rows
    .map((row) =>
      JSON.stringify(
        row
          .map((cell) => (typeof cell === 'number' ? Number(cell.toPrecision(9)) : cell))
          .map(String)
          .sort(),
      ),
    )
    .sort();
const rowsOf = (envelope: Envelope): unknown[][] =>
  (envelope.data ?? []).map((row) => Object.values(row).map(toPlainCell));

describe('the superstore sample', () => {
  it.each(caseRows<[string, string]>(import.meta.dirname, 'first-light.jsonl', 'answered'))(
    'answers like SQL written by hand, graded verified: %s',
    async (question, sql) => {
      const envelope = await ask(question);
      expect(envelope, JSON.stringify(envelope)).toMatchObject({
        status: 'answered',
        confidence: 'verified',
        error: null,
      });
      expect(sortedTexts(rowsOf(envelope))).toEqual(sortedTexts(await runByHand(sql)));
      const verified = await svc.post('/v1/verify-receipt', envelope.receipt);
      expect(verified.body).toMatchObject({
        ok: true,
        signature: 'valid',
        trace_found: true,
        mismatches: [],
        question,
      });
    },
  );

  // Two of these questions lead to a clarification, because orders that count once in each region don't add up to a
  // total.
  it.each(caseRows<[string, string | null]>(import.meta.dirname, 'first-light.jsonl', '13.10 everyday'))(
    'handles the everyday question: %s',
    async (question, sql) => {
      const envelope = await ask(question);
      if (sql === null || sql === 'refused')
        expect(envelope.status, JSON.stringify(envelope.sql)).toBe(sql ?? 'clarification');
      else {
        expect(envelope, JSON.stringify(envelope)).toMatchObject({ status: 'answered' });
        expect(sortedTexts(rowsOf(envelope))).toEqual(sortedTexts(await runByHand(sql)));
      }
    },
  );

  it('asks which meaning of “margin” applies, and takes the choice', async () => {
    const envelope = await ask('What is our margin?');
    expect(envelope).toMatchObject({
      status: 'clarification',
      receipt: null,
      sql: null,
      clarification: { kind: 'ambiguous_term', term: 'margin' },
    });
    expect(envelope.clarification!.options.map((option) => (option as { key: string }).key).sort()).toEqual([
      'profit',
      'ratio',
    ]);
    const chosenAnswer = await ask('What is our margin?', 'superstore', { choices: { margin: 'ratio' } });
    expect(chosenAnswer).toMatchObject({ status: 'answered', confidence: 'verified' });
    expect(sortedTexts(rowsOf(chosenAnswer))).toEqual(
      sortedTexts(await runByHand('select sum(profit) / sum(sales) from ORDERS')),
    );
  });

  it('doesn’t take an order line for an order', async () => {
    for (const q of ['orders over 5000 dollars', 'how many orders with quantity over 10'])
      expect((await ask(q)).status).not.toBe('answered');
    expect((await ask('order lines over 5000 dollars')).row_count).toBe(19);
  });

  it('names a value that doesn’t exist, and offers the existing ones', async () => {
    const envelope = await ask('Revenue in the Nort region');
    expect(envelope).toMatchObject({
      status: 'clarification',
      receipt: null,
      clarification: { kind: 'unknown_value', term: 'orders.region', value: expect.stringMatching(/^nort$/i) },
    });
    expect(envelope.clarification!.options).toEqual(expect.arrayContaining(['West', 'East', 'Central', 'South']));
  });

  it('counts the orders that have no row with the excluded value', async () => {
    const outside = await ask('How many orders are not in the West?');
    expect(sortedTexts(rowsOf(outside))).toEqual(
      sortedTexts(
        await runByHand(
          `select count(distinct order_id) from ORDERS where order_id not in (select order_id from ORDERS where region = 'West')`,
        ),
      ),
    );
    expect(await ask('How many orders are in Furniture?')).toMatchObject({ confidence: 'verified' });
  });

  it('declines a question with many long words, and names each word', async () => {
    const words = 'telecommunications misunderstandings responsibilities internationalization industrialization';
    const envelope = await ask(`revenue for ${words} commercialization oversimplification characteristically`);
    expect(envelope).toMatchObject({ status: 'refused', error: null });
    expect(envelope.unplaced!.map(({ text }) => text)).toEqual(expect.arrayContaining(words.split(' ')));
    expect(await ask(`revenue by ${'a'.repeat(950)}`)).toMatchObject({ status: 'refused', error: null });
  });

  it('declines a word that it can’t place, names the word, and suggests questions', async () => {
    const envelope = await ask('Which supplier is cheapest?');
    expect(envelope).toMatchObject({
      status: 'refused',
      confidence: 'unverified',
      certification: 'none',
      sql: null,
      data: null,
      receipt: null,
    });
    expect(envelope.answer).toContain('supplier');
    expect(envelope.suggestions!.length).toBeGreaterThan(0);
  });

  it('runs every certified entry as approved', async () => {
    const { body } = await svc.get('/v1/lenses/superstore/certified');
    expect(body.items.length).toBeGreaterThanOrEqual(12);
    for (const entry of body.items) {
      if (Object.keys(entry.parameters).length > 0) continue;
      const run = await svc.post<Envelope>(`/v1/lenses/superstore/certified/${entry.cert_id}/run`, {});
      expect(run.body, entry.cert_id).toMatchObject({
        status: 'answered',
        certification: 'certified',
        plan: 'certified',
        sql: entry.sql,
      });
      expect(run.body.row_count, entry.cert_id).toBeGreaterThan(0);
    }
  });
});

describe('flights', () => {
  const listing = {
    metrics: [],
    dimensions: ['flights.origin', 'flights.destination', 'flights.delay', 'flights.distance'],
  };

  it('fetches at most 5,000 of 3,000,000 rows, states no total, and grows by less than 64 MB', async () => {
    const run = () => svc.post<Envelope>('/v1/lenses/flights/metrics', listing);
    await run();
    global.gc?.();
    const before = process.memoryUsage().rss;
    const { body } = await run();
    expect(body).toMatchObject({ status: 'answered', row_count: 5000, truncated: { returned: 1000, total: null } });
    expect(body.data).toHaveLength(1000);
    expect(body.confidence).not.toBe('verified');
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
    const prose = await svc.post<Envelope>('/v1/lenses/flights/metrics', { ...listing, format: 'prose' });
    expect(prose.body).toMatchObject({ data: null, columns: null, truncated: { returned: 1000, total: null } });
    expect(prose.body.answer).toMatch(/Truncated/);
  });

  it('joins airports in two roles', async () => {
    const { body } = await svc.post<Envelope>('/v1/lenses/flights/metrics', {
      metrics: ['flight_count'],
      dimensions: ['origin.city'],
      filters: [{ field: 'destination.city', op: '=', values: ['Chicago'] }],
    });
    expect(body).toMatchObject({ status: 'answered', confidence: 'verified' });
    const hand = await runByHand(`select o.city, count(*) from 'node_modules/vega-datasets/data/flights-3m.parquet' f
      join 'node_modules/vega-datasets/data/airports.csv' o on o.iata = f.origin
      join 'node_modules/vega-datasets/data/airports.csv' d on d.iata = f.destination where d.city = 'Chicago' group by 1`);
    expect(sortedTexts(rowsOf(body))).toEqual(sortedTexts(hand));
  });
});

describe('a period after the end of the data', () => {
  it('is never graded verified, and the answer says where the data ends', async () => {
    const envelope = await ask('how many orders in 2024');
    expect(envelope).toMatchObject({ status: 'answered', confidence: 'partial' });
    expect(envelope.answer).toMatch(/data ends on 2017-12-30/);
    const emptyAnswer = await ask('revenue by region in 2024');
    expect(emptyAnswer.confidence).not.toBe('verified');
  });
});
