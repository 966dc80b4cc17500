// Questions that visitors ask of the sample, written by people who saw the data and nothing else. Each table has the grade
// and the sentence of an answer, the question back, or only the status where svc declines. Answers that the table gained are
// compared with SQL written by hand on the raw file.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startTestApp, type TestApp } from '../support/app.ts';

const LINES = `(select "Order ID" as order_id, "Order Date" as order_date, "Ship Date" as ship_date, "Ship Mode" as ship_mode,
  "Customer ID" as customer_id, "Segment" as segment, "City" as city, "State" as state, "Region" as region,
  "Product Name" as product_name, "Category" as category, "Sub-Category" as sub_category, "Quantity" as quantity,
  "Sales"::decimal(18, 4) as sales, "Discount"::decimal(18, 2) as discount, "Profit"::decimal(18, 4) as profit
  from 'data/superstore.parquet')`;

let svc: TestApp;
let duckdb: Awaited<ReturnType<DuckDBInstance['connect']>>;
beforeAll(async () => {
  svc = await startTestApp({ project: '.' });
  duckdb = await (await DuckDBInstance.create(':memory:')).connect();
});
afterAll(() => svc?.close());

const ask = async (q: string, choices?: Record<string, string>): Promise<Envelope> =>
  (await svc.post<Envelope>('/v1/lenses/superstore/query', { q, ...(choices && { choices }) })).body;

it.each(['everyday.tsv', 'everyday-2.tsv'])(
  'questions of %s come to what it says',
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

const plain = (cell: unknown): string => {
  const text = String(cell);
  return /^-?\d+(\.\d+)?(e-?\d+)?$/.test(text) ? String(Number(Number(text).toPrecision(9))) : text;
};
/** As a multiset, columns in any order. */
const multiset = (rows: unknown[][]): string[] => rows.map((row) => JSON.stringify(row.map(plain).sort())).sort();

it.each<[question: string, sql: string, choices?: Record<string, string>]>([
  ['how many line items were sold below cost?', 'select count(*) from LINES where profit < 0'],
  ['average number of items per order', 'select avg(n) from (select sum(quantity) as n from LINES group by order_id)'],
  ['which segment gives us the most profit', 'select segment from LINES group by 1 order by sum(profit) desc limit 1'],
  ['states where we lose money', 'select state from LINES group by 1 having sum(profit) < 0'],
  [
    'customers who ordered more than 10 times',
    'select customer_id from LINES group by 1 having count(distinct order_id) > 10',
  ],
  ['least profitable sub-category', 'select sub_category from LINES group by 1 order by sum(profit) limit 1'],
  [
    'average sales per customer by segment',
    'select segment, avg(s) from (select customer_id, segment, sum(sales) as s from LINES group by 1, 2) group by 1',
    { 'average sales per customer': 'total' },
  ],
  ['What was the largest single sale?', 'select max(sales) from LINES'],
  [
    'Which products are discounted more than 50 percent?',
    'select distinct product_name from LINES where discount > 0.5',
    { 'discounted over 50': 'single' },
  ],
  [
    'Which products are discounted more than 50 percent?',
    'select product_name from LINES group by 1 having avg(discount) > 0.5',
    { 'discounted over 50': 'average' },
  ],
  [
    'total discount given in 2016',
    'select sum(sales / (1 - discount) - sales) from LINES where year(order_date) = 2016',
  ],
  ['how many cities do we ship to in Texas?', `select count(distinct city) from LINES where state = 'Texas'`],
  [
    'what is the most popular shipping method',
    'select ship_mode, count(distinct order_id) as n from LINES group by 1 order by n desc limit 1',
    { 'how often': 'order_count' },
  ],
  [
    'share of orders shipped same day',
    `select count(distinct order_id) filter (ship_mode = 'Same Day') / count(distinct order_id) from LINES`,
  ],
  [
    'sales trend by quarter',
    `select strftime(date_trunc('quarter', order_date), '%Y-%m-%d'), sum(sales) from LINES group by 1`,
  ],
  ['customers with only one order', 'select customer_id from LINES group by 1 having count(distinct order_id) = 1'],
  [
    'what is the smallest and largest discount we give on binders?',
    `select min(discount), max(discount) from LINES where sub_category = 'Binders'`,
  ],
  [
    'what percentage of orders had a discount',
    'select 100 * count(distinct order_id) filter (discount > 0) / count(distinct order_id) from LINES',
  ],
  [
    'Products that were only sold once',
    'select product_name from LINES group by 1 having count(*) = 1',
    { 'how often': 'line_count' },
  ],
  [
    'orders that took more than 6 days to ship',
    'select distinct order_id from LINES where ship_date - order_date > 6',
    { 'days to ship over 6': 'single' },
  ],
  ['average profit on lines with more than 20% off', 'select avg(profit) from LINES where discount > 0.2'],
  [
    `customers who haven't ordered since 2015`,
    `select customer_id from LINES group by 1 having max(order_date) < '2015-01-01'`,
  ],
  [
    'How many new customers did we get each year?',
    `select strftime(date_trunc('year', first), '%Y-%m-%d'), count(*) from (select customer_id, min(order_date) as first from LINES group by 1) group by 1`,
  ],
  [
    'how many orders did we ship first class in 2016',
    `select count(distinct order_id) from LINES where ship_mode = 'First Class' and year(ship_date) = 2016`,
  ],
  ['phones sales texas', `select sum(sales) from LINES where sub_category = 'Phones' and state = 'Texas'`],
])('%s', async (question, sql, choices) => {
  const { status, data, answer } = await ask(question, choices);
  expect(status, answer ?? '').toBe('answered');
  const rows = (await duckdb.runAndReadAll(sql.replaceAll('LINES', LINES))).getRowsJson();
  expect(multiset((data ?? []).map((row) => Object.values(row)))).toEqual(multiset(rows));
});
