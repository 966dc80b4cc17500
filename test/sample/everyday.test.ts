// Questions of visitors who saw only the sample data. Each table has the grade and sentence of an answer, the
// clarification, or only the status of a refusal. Newly added answers are compared with SQL over the raw file.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
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

it.each(['everyday.tsv', 'everyday-2.tsv'])(
  'gives questions of %s the recorded grade and sentence',
  { timeout: 300_000 },
  async (name) => {
    const file = join(import.meta.dirname, name);
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
  },
);

const toPlainCell = (cell: unknown): string => {
  const text = String(cell);
  return /^-?\d+(\.\d+)?(e-?\d+)?$/.test(text) ? String(Number(Number(text).toPrecision(9))) : text;
};
/** Ignores the order of rows and columns. */
const sortedTexts = (rows: unknown[][]): string[] =>
  rows.map((row) => JSON.stringify(row.map(toPlainCell).sort())).sort();

it.each<[question: string, sql: string, choices?: Record<string, string>]>(
  caseRows(import.meta.dirname, 'everyday.jsonl'),
)('answers like SQL written by hand: %s', async (question, sql, choices) => {
  const { status, data, answer } = await ask(question, choices);
  expect(status, answer ?? '').toBe('answered');
  const rows = (await duckdb.runAndReadAll(sql.replaceAll('LINES', LINES))).getRowsJson();
  expect(sortedTexts((data ?? []).map((row) => Object.values(row)))).toEqual(sortedTexts(rows));
});

it.each([
  ['did sales in the West go up in 2017?', 'Revenue in 2017 where region is West'],
  ['Sales lost to returns, by category', 'Revenue by product category'],
  ['weekend orders vs weekday orders', 'Order count'],
  // The question names no measure, so svc suggests the first one of the lens.
  ['busiest month', 'Revenue by month'],
  ['which city buys the most phones?', 'Revenue where sub category is Phones by city'],
  // "most" refers to "returned", and "new yrok" can be one name.
  ['the most returned product', 'What was revenue in the West in 2016?'],
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
