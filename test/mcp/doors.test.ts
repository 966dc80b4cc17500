// 11 "Doors that lead on", over MCP: what an answer costs to read, what a fault is called, and a lens of 200 tables by pages.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gettingStarted, INSTRUCTIONS } from '../../src/surfaces/mcp/prompts.ts';
import { startTestApp, type TestApp } from '../support/app.ts';

let sample: TestApp;
let wide: TestApp;
beforeAll(async () => {
  [sample, wide] = await Promise.all([startTestApp({ project: '.' }), startTestApp({ files: twoHundredTables() })]);
});
afterAll(() => Promise.all([sample?.close(), wide?.close()]));

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever shape the reply has
type Json = any;
const call = async (app: TestApp, name: string, args: object): Promise<{ text: string; body: Json }> => {
  const params = { name, arguments: args };
  const reply = await app.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return { text: reply.body.result.content[0].text, body: reply.body.result.structuredContent };
};

/** The two tables of the shop, listed a hundred times under other names. */
function twoHundredTables(): Record<string, string> {
  const fields =
    '{row_id: {datatype: integer}, region: {datatype: string, values: auto, description: Where it was sold.}}';
  const names = Array.from({ length: 200 }, (_, at) => `ledger_${String(at).padStart(3, '0')}`);
  const datasets = names.map(
    (name, at) =>
      `  ${name}: {source: main.orders, description: Sales of branch ${at}., primary_key: [row_id], fields: ${fields}}`,
  );
  return {
    'svc.config.yaml': `connections:\n  shop: {kind: duckdb, files: {orders: {path: ./data/orders.csv}}}\n`,
    'lenses/wide/lens.yaml': `name: wide\ntitle: Wide\ndescription: Many tables.\nconnection: shop\ntimezone: Pacific/Auckland\ndatasets:\n${datasets.join('\n')}\nmetrics:\n  lines: {expression: count(*), dataset: ledger_007, description: Lines., synonyms: [rows sold]}\n`,
  };
}

describe('evidence for who reads the text only', () => {
  const asks: [string, object][] = [
    ['query', { q: 'What was revenue in the West in 2016?' }],
    ['query', { q: 'revenue by month in 2017' }],
    ['query_metrics', { metrics: ['revenue'], dimensions: ['orders.region'] }],
    ['sql', { sql: 'select sum(sales) as revenue from orders' }],
  ];
  it.each(asks)('Z24: %s %j has its SQL and what it rests on in the text', async (tool, args) => {
    const { text, body } = await call(sample, tool, { lens: 'superstore', ...args });
    expect(body.status, text).toBe('answered');
    const plain = (sql: string) => sql.replace(/\s+/g, ' ');
    expect(plain(text)).toContain(`SQL: ${plain(body.sql)}`);
    expect(body.citations.length).toBeGreaterThan(0);
    for (const { kind, name } of body.citations.slice(0, 8)) expect(text).toContain(`${kind} ${name}`);
  });

  it('M21b: the receipt as query returns it is one that verify_receipt takes', async () => {
    const { body } = await call(sample, 'query', { lens: 'superstore', q: 'What was revenue in the West in 2016?' });
    const verified = async (receipt: object) => (await call(sample, 'verify_receipt', { receipt })).body;
    expect(await verified(body.receipt)).toMatchObject({
      ok: true,
      verification: { ok: true, signature: 'valid', trace_found: true, mismatches: [], question: body.question },
    });
    const other = await call(sample, 'query', { lens: 'superstore', q: 'revenue by month in 2017' });
    const forged = { ...body.receipt, digest: other.body.receipt.digest };
    expect((await verified(forged)).verification).toMatchObject({ ok: false, signature: 'invalid', trace_found: true });
    const unknown = { ...body.receipt, request_id: '0199c2a0-0000-7000-8000-000000000000' };
    expect((await verified(unknown)).verification).toMatchObject({ ok: false, trace_found: false, question: null });
    expect((await verified({ ...body.receipt, digest: null })).verification).toMatchObject({
      ok: false,
      signature: 'unsigned',
    });
  });
});

describe('11.5 an answer', () => {
  const ASKED = [
    'What was revenue in the West in 2016?',
    'Top 5 states by profit',
    'revenue by month in 2017',
    'units by sub-category',
    'revenue by product',
    'customers by state',
    'average order value by region',
    'average shipping time by ship mode',
  ];
  it('says each thing once, and no receipt unless it is asked for', async () => {
    const lengths: number[] = [];
    for (const q of ASKED) {
      const { text, body } = await call(sample, 'query', { lens: 'superstore', q });
      expect(body.receipt).toEqual({ request_id: body.request_id, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
      expect(text).not.toContain(body.receipt.digest);
      expect(text).toContain(`Request id: ${body.request_id}`);
      const whole = await call(sample, 'query', { lens: 'superstore', q, receipt: 'full' });
      expect(whole.text).toContain(JSON.stringify(whole.body.receipt));
      lengths.push(text.length / (whole.text.length + (whole.body.sql as string).length));
    }
    expect(lengths.sort((a, b) => a - b)[ASKED.length / 2]!).toBeLessThan(0.5);
  });

  it('writes out 20 rows with their number, more on request, and one’s own statement as it ran', async () => {
    const args = { lens: 'superstore', q: 'revenue by product' };
    const { text, body } = await call(sample, 'query', args);
    const lines = (said: string) =>
      said.slice(said.indexOf('product_name,'), said.indexOf('\nSQL: ')).split('\n').slice(1);
    expect(lines(text)).toHaveLength(20);
    expect(text).toContain('Rows were cut: 20 of 1850');
    expect(body.data.length).toBe(1000);
    expect(lines((await call(sample, 'query', { ...args, rows: 60 })).text)).toHaveLength(60);
    const sql = 'select region, count(*) as n from main.orders group by region';
    const own = await call(sample, 'sql', { lens: 'superstore', sql });
    expect(own.text.toLowerCase().split('group by')).toHaveLength(2);
    expect(own.text).toContain('Rows (4;');
  });

  it('takes the receipt of HTTP as it wants it', async () => {
    const ask = async (receipt?: string) =>
      (await sample.post('/v1/lenses/superstore/query', { q: 'revenue by region', ...(receipt ? { receipt } : {}) }))
        .body;
    expect((await ask()).receipt).toMatchObject({ v: 1, alg: 'HMAC-SHA256' });
    const { receipt, request_id } = await ask('id');
    expect(receipt).toEqual({ request_id, digest: expect.any(String) });
  });
});

describe('11.5 a fault is called what it is', () => {
  const metrics = { lens: 'superstore', metrics: ['revenue'] };
  it.each([
    [
      'a metric that is not there',
      'query_metrics',
      { lens: 'superstore', metrics: ['reveneu'] },
      'not_found',
      /revenue/,
    ],
    ['a dimension', 'query_metrics', { ...metrics, dimensions: ['orders.regoin'] }, 'not_found', /region/],
    ['a column', 'sql', { lens: 'superstore', sql: 'select regoin from main.orders' }, 'not_found', /region/],
    ['a table', 'sql', { lens: 'superstore', sql: 'select 1 from main.ordrs' }, 'not_found', /orders/],
    ['a dataset', 'describe_lens', { lens: 'superstore', dataset: 'ordrs' }, 'not_found', /orders/],
    [
      'a bad date',
      'query_metrics',
      { ...metrics, time: { from: '2016-13-40', to: 'x' } },
      'forbidden',
      /^Invalid input: time/,
    ],
    ['an argument', 'query', { lens: 'superstore', question: 'x' }, 'forbidden', /^Invalid input: /],
    [
      'types',
      'sql',
      { lens: 'superstore', sql: 'select cast(region as integer) from main.orders' },
      'upstream',
      /cast/,
    ],
    [
      'what is not allowed',
      'sql',
      { lens: 'superstore', sql: 'drop table main.orders' },
      'forbidden',
      /^The SQL was refused/,
    ],
  ])('%s', async (_what, tool, args, code, says) => {
    const { body } = await call(sample, tool, args);
    expect([body.ok, body.code]).toEqual([false, code]);
    expect(body.error).toMatch(says);
  });
});

describe('11.5 describe_lens', () => {
  it('has pages, a filter, and no key that says nothing', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const { text, body } = await call(wide, 'describe_lens', { lens: 'wide', ...(cursor ? { cursor } : {}) });
      expect(text.length).toBeLessThan(16_000);
      expect(JSON.stringify(body.schema.datasets)).not.toMatch(/:(?:null|\[\]|false)/);
      if (pages++ === 0)
        expect([body.dataset_count, body.dataset_names.length, body.schema.metrics[0].name]).toEqual([
          200,
          200,
          'lines',
        ]);
      seen.push(...body.schema.datasets.map(({ name }: Json) => name));
      cursor = body.next_cursor ?? undefined;
    } while (cursor && pages < 100);
    expect([new Set(seen).size, seen.length]).toEqual([200, 200]);
    const one = await call(wide, 'describe_lens', { lens: 'wide', dataset: 'ledger_007' });
    expect(one.body.schema.datasets.map(({ name }: Json) => name)).toEqual(['ledger_007']);
    expect(one.body.schema.datasets[0]).toMatchObject({ key: ['row_id'] });
    const found = await call(wide, 'describe_lens', { lens: 'wide', search: 'branch 42' });
    expect(found.body.schema.datasets.map(({ name }: Json) => name)).toContain('ledger_042');
    expect((await call(wide, 'describe_lens', { lens: 'wide', search: 'sold' })).body.schema.metrics).toHaveLength(1);
  });

  it('shows few values, the key, the day in the lens’s timezone, and periods that a question may name', async () => {
    const { body } = await call(sample, 'describe_lens', { lens: 'superstore' });
    const [orders] = body.schema.datasets;
    const of = (name: string) => orders.fields.find((field: Json) => field.name === name);
    expect(orders.key).toEqual(['row_id']);
    expect(of('region').values).toEqual(['Central', 'East', 'South', 'West']);
    expect([of('state').values, of('state').has_values]).toEqual([undefined, true]);
    expect(body.timezone).toBe('UTC');
    expect(body.today).toBe(new Date().toISOString().slice(0, 10));
    for (const period of body.relative_times) {
      const { body: asked } = await call(sample, 'query', { lens: 'superstore', q: `revenue ${period}` });
      expect([period, asked.status, asked.scope?.time?.field]).toEqual([period, 'answered', 'orders.order_date']);
    }
  });

  it('tells whom a policy binds no values of rows that it may hide', async () => {
    const bound = await sample.mintCaller({
      name: 'bound',
      lenses: ['superstore'],
      groups: ['field'],
      attributes: { region: 'West' },
    });
    const params = { name: 'describe_lens', arguments: { lens: 'superstore' } };
    const { text } = await sample.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, bound.key);
    expect(text).not.toContain('"values"');
  });
});

it('11.5 the texts say one order, and each row limit alike', async () => {
  const { body } = await sample.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const tools = Object.fromEntries(body.result.tools.map((tool: Json) => [tool.name, tool]));
  const texts = [INSTRUCTIONS, gettingStarted('svc'), ...Object.values(tools).map((tool: Json) => tool.description)];
  for (const text of texts) expect(text).not.toMatch(/call this first|default door|last resort|are answers too/i);
  const order = ['query', 'query_metrics', 'sql'].map((name) => gettingStarted('svc').indexOf(`. ${name}:`));
  expect(order.every((at, index) => at > 0 && (index === 0 || at > order[index - 1]!))).toBe(true);
  expect(tools.query.description).toMatch(/go on to query_metrics/);
  expect(tools.query_metrics.description).toMatch(/go on to sql/i);
  for (const name of ['query', 'route_query', 'run_certified'])
    expect(tools[name].inputSchema.properties.rows).toMatchObject({ default: 20, maximum: 500 });
  // The `rows` of a plan is the dataset that it lists; a number is still taken for what it says elsewhere.
  expect(tools.query_metrics.inputSchema.properties.shown_rows).toMatchObject({ maximum: 500 });
  const listed = { lens: 'superstore', rows: 'orders', dimensions: ['product_name'], limit: 30 };
  expect((await call(sample, 'query_metrics', listed)).text).toContain('the first 20 of 30; more with `shown_rows`');
  expect((await call(sample, 'query_metrics', { ...listed, shown_rows: 25 })).text).toContain('the first 25 of 30');
  const grouped = { lens: 'superstore', metrics: ['revenue'], dimensions: ['state'], rows: 5 };
  expect((await call(sample, 'query_metrics', grouped)).text).toContain('the first 5 of 49');
  expect(tools.sql.inputSchema.properties.limit).toMatchObject({ default: 20, maximum: 500 });
  expect(JSON.stringify(body.result.tools)).not.toMatch(/\b(?:1000|5001) rows/);
});
