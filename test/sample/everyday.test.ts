// Questions from visitors who had seen only the sample data. Each table has the grade and sentence of an answer, the
// clarification, or only the status of a refusal. Newly added answers are compared with SQL over the raw file.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startTestApp } from '../support/app.ts';
import { caseRows } from '../support/case-rows.ts';

const LINES = `(select "Order ID" as order_id, "Order Date" as order_date, "Ship Date" as ship_date, "Ship Mode" as ship_mode,
  "Customer ID" as customer_id, "Segment" as segment, "City" as city, "State" as state, "Region" as region,
  "Product Name" as product_name, "Category" as category, "Sub-Category" as sub_category, "Quantity" as quantity,
  "Sales"::decimal(18, 4) as sales, "Discount"::decimal(18, 2) as discount, "Profit"::decimal(18, 4) as profit
  from 'data/superstore.parquet')`;
const svc = await startTestApp({ project: '.' });
const duckdb: Awaited<ReturnType<DuckDBInstance['connect']>> = await (
  await DuckDBInstance.create(':memory:')
).connect();

const ask = async (q: string, choices?: Record<string, string>): Promise<Envelope> =>
  (await svc.post<Envelope>('/v1/lenses/superstore/query', { q, ...(choices && { choices }) })).body;

it('gives each question the recorded grade and sentence', { timeout: 300_000 }, async () => {
  const file = join(import.meta.dirname, 'everyday.tsv');
  const kept = readFileSync(file, 'utf8').trimEnd().split('\n');
  const lines: string[] = [];
  for (const line of kept) {
    const [question = ''] = line.split('\t');
    const { status, confidence, scope, clarification } = await ask(question);
    const about = status === 'answered' ? scope?.sentence : clarification?.message;
    lines.push([question, status === 'answered' ? confidence : status, about ?? ''].join('\t').trimEnd());
  }
  if (process.env['ACCEPT_EVERYDAY']) writeFileSync(file, `${lines.join('\n')}\n`);
  expect(lines, 'To accept: ACCEPT_EVERYDAY=1 npx vitest run test/sample/everyday.test.ts').toEqual(kept);
});

const toPlainCell = (cell: unknown): string => {
  const text = String(cell);
  return /^-?\d+(\.\d+)?(e-?\d+)?$/.test(text) ? String(Number(Number(text).toPrecision(9))) : text;
};
/** Ignores the order of rows and columns. */
const sortedTexts = (rows: unknown[][]): string[] =>
  rows.map((row) => JSON.stringify(row.map(toPlainCell).sort())).sort();

const rowsOf = ({ data }: Envelope) => sortedTexts((data ?? []).map((row) => Object.values(row)));
const rowsByHand = async (sql: string) =>
  sortedTexts((await duckdb.runAndReadAll(sql.replaceAll('LINES', LINES))).getRowsJson());

it.each<[question: string, sql: string, choices?: Record<string, string>]>(
  caseRows(import.meta.dirname, 'everyday.jsonl', 'answered'),
)('answers like SQL written by hand: %s', async (question, sql, choices) => {
  const envelope = await ask(question, choices);
  expect(envelope.status, envelope.answer ?? '').toBe('answered');
  expect(rowsOf(envelope)).toEqual(await rowsByHand(sql));
});

it.each([
  ['did sales in the West go up in 2017?', 'Revenue in 2017 where region is West'],
  ['Sales lost to returns, by category', 'Revenue by product category'],
  ['weekend orders vs weekday orders', 'Order count'],
  // The question names no measure, so svc suggests the first one of the lens.
  ['busiest month', 'Revenue by month'],
  ['which city buys the most phones?', 'Revenue where sub category is Phones by city'],
  // "most" refers to "returned", and "new yrok" can be one name. No sample question is about products.
  ['the most returned product', undefined],
  ['how many custmers in new yrok city', 'Revenue by city'],
])('suggests a question about the names in “%s”', async (question, suggestion) => {
  const { status, suggestions } = await ask(question);
  expect([status, suggestions?.[0]]).toEqual(['refused', suggestion]);
});

it.each<[string, object, string]>([
  ['a value', { field: 'category', op: '!=', values: ['Furniture'] }, 'category is Furniture'],
  ['values of a list', { field: 'category', op: 'not_in', values: ['Furniture'] }, 'category is Furniture'],
  [
    'a period',
    {
      any: [
        { field: 'order_date', op: '<', values: ['2016-01-01'] },
        { field: 'order_date', op: '>=', values: ['2017-01-01'] },
      ],
    },
    'excluded period',
  ],
])('says how many counted customers also have rows that a plan excludes by %s', async (_name, exclusion, excluded) => {
  const { body } = await svc.post<Envelope>('/v1/lenses/superstore/metrics', {
    metrics: ['customers'],
    filters: [exclusion],
  });
  const condition = excluded === 'excluded period' ? 'year(order_date) = 2016' : "category = 'Furniture'";
  const bothSql = `select count(*) from (select customer_id from ${LINES} group by 1 having bool_or(${condition}) and bool_or(not (${condition})))`;
  const [[both]] = (await duckdb.runAndReadAll(bothSql)).getRowsJson() as [[string]];
  expect(body.confidence).toBe('partial');
  expect(body.checks.find(({ name }) => name === 'counted_once')).toMatchObject({
    outcome: 'fail',
    detail: expect.stringMatching(new RegExp(`^${both} of the counted items also have rows .*${excluded}`)),
  });
});

it('asks what an unknown word means, and answers with the chosen name', async () => {
  const q = 'What was the revenu by segment in 2017?';
  const { clarification } = await ask(q);
  expect(clarification).toMatchObject({
    kind: 'ambiguous_term',
    term: 'revenu',
    message: 'svc doesn’t know “revenu”. Do you mean “revenue”?',
    options: [{ key: 'revenue', label: 'revenue', meaning: expect.any(String) }],
  });
  const { sql } = await ask('What was the revenue by segment in 2017?');
  expect(await ask(q, { revenu: 'revenue' })).toMatchObject({ status: 'answered', confidence: 'verified', sql });
  expect(await ask(q, { revenu: 'gizmos' })).toMatchObject({
    status: 'clarification',
    answer: '"gizmos" is not one of the options for "revenu". svc doesn’t know “revenu”. Do you mean “revenue”?',
  });
});

it('takes the caller’s meaning of an unknown word, and proposes it as a definition', async () => {
  expect((await ask('proceeds by region')).status).toBe('refused');
  expect((await ask('proceeds by region', { proceeds: 'gizmos' })).status).toBe('refused');
  const { sql } = await ask('revenue by region');
  const answer = await ask('proceeds by region', { proceeds: 'revenue' });
  expect(answer).toMatchObject({ status: 'answered', confidence: 'partial', sql });
  expect(answer.checks.find(({ name }) => name === 'definitions_known')).toMatchObject({
    outcome: 'unknown',
    detail: 'Defined by the caller and not approved: “proceeds”: revenue.',
  });
  const { body } = await svc.admin<{ items: { correction: object }[] }>('GET', '/reviews');
  expect(body.items.map(({ correction }) => correction)).toContainEqual({ term: 'proceeds', definition: 'revenue' });
  // These words differ by two letters, but aren't misspellings.
  expect(await ask('males by region', { males: 'sales' })).toMatchObject({ status: 'answered', confidence: 'partial' });
  // svc offers a name with a similar meaning, but the word isn't an approved name either.
  expect((await ask('how many shoppers')).clarification?.options[0]).toMatchObject({ key: 'customers' });
  expect(await ask('how many shoppers', { shoppers: 'customers' })).toMatchObject({ confidence: 'partial' });
});

it('corrects several misspelled words at once', async () => {
  const q = 'proft in califronia 2016';
  const [option] = (await ask(q)).clarification!.options;
  expect(option).toMatchObject({ key: 'profit in California 2016' });
  const { sql } = await ask('profit in California 2016');
  expect(await ask(q, { [q]: 'profit in California 2016' })).toMatchObject({ status: 'answered', sql });
  expect((await ask(q, { [q]: 'revenue in Texas' })).status).toBe('clarification');
  expect(await ask(q, { [q]: 'orders in Texas 2016' })).toMatchObject({ status: 'answered', confidence: 'partial' });
});

it('asks about one word at a time if the question is too long for a term in choices', async () => {
  const states =
    'Massachusetts,North Carolina,South Carolina,West Virginia,New Hampshire,Rhode Island,Pennsylvania,Connecticut,South Dakota,Mississippi,North Dakota';
  const q = `totl sales by catagory in ${states.split(',').join(' or ')} in 2016`;
  expect((await ask(q)).clarification).toMatchObject({ term: 'totl', options: [{ key: 'total' }] });
});

it('reads a long choice for a question of many unknown words in linear time', async () => {
  const q = Array.from({ length: 20 }, (_item, index) => `zork${'ab'.repeat(index % 3)}`).join(' ');
  expect((await ask(q, { [q]: 'zork '.repeat(80) })).status).toBe('refused');
});

it('asks about an unknown word without a lens, and takes a reply in a chat', async () => {
  const q = 'What was the revenu by segment in 2017?';
  const routed = await svc.post<Envelope>('/v1/query', { q });
  expect(routed.body).toMatchObject({ status: 'clarification', lens: 'superstore', clarification: { term: 'revenu' } });
  const messages = [
    { role: 'user', content: q },
    { role: 'assistant', content: routed.body.answer },
    { role: 'user', content: 'revenue' },
  ];
  const chat = await svc.post<{ svc: Envelope }>('/v1/chat/completions', { model: 'svc/superstore', messages });
  expect(chat.body.svc).toMatchObject({
    status: 'answered',
    scope: { sentence: 'Revenue in 2017 by customer segment.' },
  });
});

it('refuses a question to any lens if nothing is similar to its words', async () => {
  const { body } = await svc.post<Envelope>('/v1/query', { q: 'Who won the match yesterday?' });
  expect(body.answer).toBe(
    'None of your lenses covers this question. See the suggestions for questions that they cover.',
  );
});

it.each(caseRows<[string, string]>(import.meta.dirname, 'everyday.jsonl', 'verified'))(
  'answers like SQL written by hand, graded verified: %s',
  async (question, sql) => {
    const envelope = await ask(question);
    expect(envelope, JSON.stringify(envelope)).toMatchObject({
      status: 'answered',
      confidence: 'verified',
      error: null,
    });
    expect(rowsOf(envelope)).toEqual(await rowsByHand(sql));
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
  const chosenAnswer = await ask('What is our margin?', { margin: 'ratio' });
  expect(chosenAnswer).toMatchObject({ status: 'answered', confidence: 'verified' });
  expect(rowsOf(chosenAnswer)).toEqual(await rowsByHand('select sum(profit) / sum(sales) from LINES'));
});

it('doesn’t mistake an order line for an order', async () => {
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
  expect(rowsOf(outside)).toEqual(
    await rowsByHand(
      `select count(distinct order_id) from LINES where order_id not in (select order_id from LINES where region = 'West')`,
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
  // No sample question of this lens is about suppliers.
  expect(envelope.suggestions).toEqual([]);
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
    const hand = await rowsByHand(`select o.city, count(*) from 'node_modules/vega-datasets/data/flights-3m.parquet' f
      join 'node_modules/vega-datasets/data/airports.csv' o on o.iata = f.origin
      join 'node_modules/vega-datasets/data/airports.csv' d on d.iata = f.destination where d.city = 'Chicago' group by 1`);
    expect(rowsOf(body)).toEqual(hand);
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
