import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { SERVER_INSTRUCTIONS, writeGettingStarted } from '../../src/surfaces/mcp/prompts.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { caseRows } from '../support/case-rows.ts';

const KB = 1_024;
const [sample, wide] = await Promise.all([startTestApp({ project: '.' }), startTestApp({ files: someTables() })]);

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever shape the reply has
type Json = any;
const call = async (app: TestApp, name: string, args: object): Promise<{ text: string; body: Json }> => {
  const { content, structuredContent } = await app.callTool(name, args);
  return { text: content[0]!.text, body: structuredContent };
};

/** Copies of the shop table under a dozen names, with dates, measures, joins and metrics as in a draft. */
function someTables(): Record<string, string> {
  const fields = [
    'row_id: {datatype: integer}',
    'customer_id: {datatype: integer}',
    'region: {datatype: string, values: [East, South, West], description: Where it was sold.}',
    'customer_segment: {expression: segment, datatype: string, synonyms: [kind of customer]}',
    'posting_date: {expression: order_date, datatype: date, description: Day of the entry.}',
    'gross_amount: {expression: sales, datatype: decimal, unit: EUR}',
    'net_amount: {expression: profit, datatype: decimal, unit: EUR}',
    'account_holder_name: {expression: customer_name, datatype: string, mask: true}',
  ];
  const names = Array.from({ length: 12 }, (_, at) => `ledger_${String(at).padStart(3, '0')}`);
  const datasets = names.map(
    (name, at) =>
      `  ${name}: {source: main.orders, description: Sales of branch ${at}., primary_key: [row_id], time_field: posting_date, fields: {${fields.join(', ')}}}`,
  );
  const joins = names.slice(1).map((name, at) => `  - {from: ${name}.customer_id, to: ${names[at]}.row_id}`);
  const metrics = names.flatMap((name, at) => [
    `  entry_${at}_count: {expression: count(*), dataset: ${name}, description: Number of entries.}`,
    `  total_gross_amount_${at}: {expression: sum(${name}.gross_amount), synonyms: ["sum of gross amount ${at}"]}`,
  ]);
  return {
    'svc.config.yaml': `connections:\n  shop: {kind: duckdb, files: {orders: {path: ./data/orders.csv}}}\n`,
    'lenses/wide/lens.yaml': `name: wide\ntitle: Wide\ndescription: Ledgers.\nconnection: shop\ntimezone: Pacific/Auckland\ndatasets:\n${datasets.join('\n')}\nrelationships:\n${joins.join('\n')}\nmetrics:\n  lines: {expression: count(*), dataset: ledger_007, description: Lines., synonyms: [rows sold]}\n${metrics.join('\n')}\n`,
  };
}

describe('evidence in the text of a reply', () => {
  const asks: [string, object][] = [
    ['query', { q: 'What was revenue in the West in 2016?' }],
    ['query', { q: 'revenue by month in 2017' }],
    ['query_metrics', { metrics: ['revenue'], dimensions: ['orders.region'], receipt: 'full' }],
    ['sql', { sql: 'select sum(sales) as revenue from orders', receipt: 'full' }],
  ];
  it.each(asks)('Z24: includes the SQL and the sources of %s %j', async (tool, args) => {
    const { text, body } = await call(sample, tool, { lens: 'superstore', ...args });
    expect(body.status, text).toBe('answered');
    const plain = (sql: string) => sql.replace(/\s+/g, ' ');
    expect(plain(text)).toContain(`SQL: ${plain(body.sql)}`);
    expect(body.citations.length).toBeGreaterThan(0);
    for (const { kind, name } of body.citations.slice(0, 8)) expect(text).toContain(`${kind} ${name}`);
  });

  it('gives one reason if svc can’t tell whether a plan covers its question, and the other failed checks', async () => {
    const send = async (plan: object, question: string) =>
      (await call(sample, 'query_metrics', { lens: 'superstore', ...plan, answers: { question } })).text;
    const reason = 'reading_proven (does the plan cover the question? svc can’t account for “proceeds”, “territory”.)';
    const question = 'proceeds of each territory';
    expect(await send({ metrics: ['revenue'], dimensions: ['region'] }, question)).toContain(
      `Grade: partial. Not passed: ${reason}. All checks that don’t depend on the question passed.`,
    );
    const averages = { measures: [{ fn: 'sum', value: { op: '*', of: ['orders.discount', 'orders.discount'] } }] };
    const text = await send({ ...averages, dimensions: ['region'] }, question);
    expect(text).toContain(
      `Not passed: ${reason}; measures_additive (orders.discount times orders.discount might not be additive`,
    );
    expect(text).not.toContain('depend on the question');
  });

  it('M21b: verify_receipt accepts the receipt that query returns, and rejects a forged one', async () => {
    const { body } = await call(sample, 'query', { lens: 'superstore', q: 'What was revenue in the West in 2016?' });
    const verifyReceipt = async (receipt: object) => (await call(sample, 'verify_receipt', { receipt })).body;
    expect(await verifyReceipt(body.receipt)).toMatchObject({
      ok: true,
      verification: { ok: true, signature: 'valid', trace_found: true, mismatches: [], question: body.question },
    });
    const { request_id, digest } = body.receipt;
    const plain = await call(sample, 'verify_receipt', { request_id, digest });
    expect(plain.body.verification).toMatchObject({ ok: true, signature: 'valid' });
    expect((await call(sample, 'verify_receipt', {})).text).toContain('Give receipt, or request_id and digest.');
    const otherAnswer = await call(sample, 'query', { lens: 'superstore', q: 'revenue by month in 2017' });
    const forged = { ...body.receipt, digest: otherAnswer.body.receipt.digest };
    expect((await verifyReceipt(forged)).verification).toMatchObject({
      ok: false,
      signature: 'invalid',
      trace_found: true,
    });
    const unknownReceipt = { ...body.receipt, request_id: '0199c2a0-0000-7000-8000-000000000000' };
    expect((await verifyReceipt(unknownReceipt)).verification).toMatchObject({
      ok: false,
      trace_found: false,
      question: null,
    });
    expect((await verifyReceipt({ ...body.receipt, digest: null })).verification).toMatchObject({
      ok: false,
      signature: 'unsigned',
    });
  });
});

describe('an answer', () => {
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
  it('stays short, and contains the full receipt only on request', async () => {
    const lengths: number[] = [];
    for (const q of ASKED) {
      const { text, body } = await call(sample, 'query', { lens: 'superstore', q });
      expect(body.receipt).toEqual({ request_id: body.request_id, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
      expect(text).not.toContain(body.receipt.digest);
      expect(text).toContain(`Request id: ${body.request_id}`);
      const fullAnswer = await call(sample, 'query', { lens: 'superstore', q, receipt: 'full' });
      expect(fullAnswer.text).toContain(JSON.stringify(fullAnswer.body.receipt));
      lengths.push(text.length / (fullAnswer.text.length + (fullAnswer.body.sql as string).length));
    }
    expect(lengths.sort((a, b) => a - b)[ASKED.length / 2]!).toBeLessThan(0.5);
  });

  it('lists 20 rows with their count, more on request, and the caller’s own SQL only with a receipt', async () => {
    const args = { lens: 'superstore', q: 'revenue by product' };
    const { text, body } = await call(sample, 'query', args);
    const lines = (replyText: string) =>
      replyText.slice(replyText.indexOf('product_name,'), replyText.indexOf('\nSQL: ')).split('\n').slice(1);
    expect(lines(text)).toHaveLength(20);
    expect(text).toContain('Rows were cut: 1000 of 1850 returned, the first 20 in this text.');
    expect(body.data.length).toBe(1000);
    expect(lines((await call(sample, 'query', { ...args, rows: 60 })).text)).toHaveLength(60);
    const sql = 'select region, count(*) as n from main.orders group by region';
    const sqlReply = await call(sample, 'sql', { lens: 'superstore', sql });
    expect(sqlReply.text.toLowerCase()).not.toContain('group by');
    const handed = await call(sample, 'sql', { lens: 'superstore', sql, receipt: 'full' });
    expect(handed.text.toLowerCase().split('group by')).toHaveLength(2);
    expect(sqlReply.text).toContain('Rows (4;');
  });

  it('has the full receipt over HTTP, or only its id and digest on request', async () => {
    const ask = async (receipt?: string) =>
      (await sample.post('/v1/lenses/superstore/query', { q: 'revenue by region', ...(receipt ? { receipt } : {}) }))
        .body;
    expect((await ask()).receipt).toMatchObject({ v: 1, alg: 'HMAC-SHA256' });
    const { receipt, request_id } = await ask('id');
    expect(receipt).toEqual({ request_id, digest: expect.any(String) });
  });
});

describe('the text of an answer', () => {
  it('distinguishes null from empty text, and omits trailing zeros and midnights that the data keep', async () => {
    const sql = `select x, t, d, n from (values
      (1, '', date '2016-01-31', cast('1000' as decimal(30, 16))), (2, null, null, cast('2.5' as decimal(30, 16))),
      (3, 'null', date '2016-02-01', cast('-70' as decimal(30, 16)))) v (x, t, d, n) order by x`;
    const { text, body } = await call(sample, 'sql', { lens: 'superstore', sql });
    expect(body.status, text).toBe('answered');
    expect(text).toContain('x,t,d,n\n1,"",2016-01-31,1000\n2,null,null,2.5\n3,"null",2016-02-01,-70');
    expect(text).not.toMatch(/Filters|T00:00:00|\.0{2}/);
    expect(body.data.map(({ t }: Json) => t)).toEqual(['', null, 'null']);
    expect(body.data[0].n).toBe('1000.0000000000000000');
  });

  it('states each warning once', async () => {
    // The customers with the fewest lines are three of many with a single line.
    const fewest = {
      metrics: ['line_count'],
      dimensions: ['product_name'],
      order_by: [{ field: 'line_count' }],
      limit: 3,
    };
    const args = { lens: 'superstore', ...fewest };
    const { text, body } = await call(sample, 'query_metrics', args);
    const failed = body.checks.filter(({ outcome }: Json) => outcome === 'fail').map(({ detail }: Json) => detail);
    expect(body.warnings.filter((warning: string) => failed.includes(warning))).toHaveLength(1);
    for (const item of body.warnings) expect(text.split(item.replace(/\.$/, '')), item).toHaveLength(2);
  });
});

describe('a failed call returns a specific code and message', () => {
  type Row = [what: string, tool: string, args: object, code: string, says: RegExp];
  it.each<Row>(caseRows(import.meta.dirname, 'failed-calls.jsonl'))('%s', async (_what, tool, args, code, says) => {
    const { body } = await call(sample, tool, args);
    expect([body.ok, body.code]).toEqual([false, code]);
    expect(body.error).toMatch(says);
    // A space before the colon prevents Markdown definitions, but a path in a plan needs none.
    expect((await sample.callTool(tool, args)).content[0]!.text).not.toMatch(/\w\[\d+\] :/);
  });
});

describe('describe_lens', () => {
  const describeLens = (args: object) => call(wide, 'describe_lens', { lens: 'wide', ...args });

  it('returns names, a summary, or one dataset in full, as requested', async () => {
    const names = await describeLens({ detail: 'names' });
    expect(names.body.schema.datasets[7]).toEqual({ name: 'ledger_007' });
    const full = await describeLens({ dataset: 'ledger_007' });
    expect(full.body).toMatchObject({ detail: 'full', next_cursor: null });
    expect(full.body.schema.datasets[0].fields).toHaveLength(8);
    expect(full.body.schema.datasets[0].metrics).toHaveLength(3);
    expect(full.text).toContain('region string {East, South, West}. Where it was sold');
    expect((await describeLens({})).body.detail).toBe('summary');
  });

  it('summarizes each dataset in one line: key, date, joins, fields, and metrics that add to the fields', async () => {
    const { text, body } = await describeLens({ detail: 'summary' });
    const line = text.split('\n').find((item) => item.startsWith('ledger_007'));
    expect(line).toBe(
      'ledger_007 (key row_id; date posting_date; customer_id -> ledger_006): region {East, South, West}, customer_segment, gross_amount, net_amount, account_holder_name (masked); metrics lines',
    );
    expect(JSON.stringify(body.schema)).not.toMatch(/:(?:null|\[\]|false)/);
    // The summary omits this sum, but a plan with it is verified.
    const measures = [{ fn: 'sum', field: 'ledger_007.gross_amount' }];
    const { body: sum } = await call(wide, 'query_metrics', { lens: 'wide', measures });
    expect([sum.status, sum.confidence]).toEqual(['answered', 'verified']);
  });

  it('finds datasets with their joins, and metrics, by search words', async () => {
    const found = await describeLens({ search: 'branch 10' });
    expect(found.body.certified_count).toBe(0);
    expect(found.body.schema.datasets).toEqual([
      expect.objectContaining({
        name: 'ledger_010',
        joins: ['customer_id -> ledger_009'],
        joined_by: ['ledger_011.customer_id'],
      }),
    ]);
    const sold = await describeLens({ search: 'rows sold' });
    expect(sold.body.schema.datasets.map(({ name, metrics }: Json) => [name, metrics?.[0].name])).toEqual([
      ['ledger_007', 'lines'],
    ]);
    for (const search of ['arrows', 'no arrows']) {
      const { body } = await describeLens({ search });
      expect([search, body.schema.datasets ?? [], body.schema.metrics ?? []]).toEqual([search, [], []]);
    }
  });

  it('names the search words that nothing in the lens contains', async () => {
    const { body, text } = await describeLens({ search: 'ledger 7 zeppelin posting' });
    expect(body.unmatched_words).toEqual(['zeppelin']);
    expect(body.schema.datasets).not.toEqual([]);
    expect(text).toContain('No name, description or value contains: zeppelin');
    expect((await describeLens({ search: 'branch 10' })).body.unmatched_words).toBeUndefined();
    // The dataset, its fields and its values also match if another of them does.
    const { body: sampleBody } = await call(sample, 'describe_lens', {
      lens: 'superstore',
      search: 'orders segment california revenue zeppelin',
    });
    expect(sampleBody.unmatched_words).toEqual(['zeppelin']);
  });

  it('shows short value lists, the key, and today in the timezone of the lens', async () => {
    const { body, text } = await call(sample, 'describe_lens', { lens: 'superstore', detail: 'full' });
    const [orders] = body.schema.datasets;
    const findField = (name: string) => orders.fields.find((field: Json) => field.name === name);
    expect(orders.key).toEqual(['row_id']);
    expect(findField('region').values).toEqual(['Central', 'East', 'South', 'West']);
    expect([findField('state').values, findField('state').has_values]).toEqual([undefined, true]);
    expect(body.timezone).toBe('UTC');
    expect(body.today).toBe(new Date().toISOString().slice(0, 10));
    expect(text).toContain(`Today ${body.today} (UTC), data as of 2017-12-30.`);
    expect(text).toContain('region string {Central, East, South, West}. Also: area');
    expect(text).toContain('revenue [USD] by orders.order_date. Sales after discount, before returns. Also: sales,');
  });

  it('finds fields by their stored values, and lists more values for a single dataset', async () => {
    const search = async (words: string) =>
      (await call(sample, 'describe_lens', { lens: 'superstore', search: words })).text;
    const found = await search('new hampshire');
    expect(found).toContain('state string {New Hampshire, …}');
    expect(found).not.toContain('region string');
    const { text } = await call(sample, 'describe_lens', { lens: 'superstore', dataset: 'orders' });
    expect(text).toMatch(/sub_category string \{Accessories, Appliances, (?:\w+, )+Tables\}/);
  });

  it.each([{ detail: 'summary' }, { detail: 'full' }, { search: 'west' }])(
    'shows no stored values to a caller that a row policy restricts: %o',
    async (wanted) => {
      const bound = await sample.mintCaller({
        name: `bound ${JSON.stringify(wanted)}`,
        lenses: ['superstore'],
        groups: ['field'],
        attributes: { region: 'West' },
      });
      const params = { name: 'describe_lens', arguments: { lens: 'superstore', ...wanted } };
      const { text } = await sample.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, bound.key);
      expect(text).not.toContain('"values"');
      expect(text).not.toMatch(/Central|\{West/);
    },
  );
});

const listTools = async (): Promise<Json[]> =>
  (await sample.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })).body.result.tools;

describe('the list of MCP tools', () => {
  it('takes at most 16 KB with the instructions, and 9 KB for query_metrics with four examples', async () => {
    const tools = await listTools();
    const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
    expect(tools).toHaveLength(12);
    expect(bytes(tools) + bytes(SERVER_INSTRUCTIONS)).toBeLessThanOrEqual(16 * KB);
    const metrics = tools.find(({ name }) => name === 'query_metrics');
    expect(bytes(metrics)).toBeLessThanOrEqual(9 * KB);
    expect(metrics.inputSchema.examples).toHaveLength(4);
    for (const example of metrics.inputSchema.examples) {
      const { body } = await call(sample, 'query_metrics', example);
      expect([body.status, body.confidence], JSON.stringify(example)).toEqual(['answered', 'verified']);
    }
  });

  it('has a schema that accepts the documented plans, and calls enforce limits that it omits', async () => {
    const [{ inputSchema }] = (await listTools()).filter(({ name }) => name === 'query_metrics');
    const fits = new Ajv2020({ strict: false }).compile(inputSchema);
    const documented = [...(await readFile('docs/plans.md', 'utf8')).matchAll(/```json\n([\s\S]*?)```/g)].map(
      ([, text]) => JSON.parse(text!),
    );
    expect(documented.length).toBeGreaterThanOrEqual(5);
    for (const plan of documented) expect(fits({ lens: 'x', ...plan }), JSON.stringify([plan, fits.errors])).toBe(true);
    expect(fits({ lens: 'x', metrics: [1] })).toBe(false);
    expect(fits({ lens: 'x', metric: ['revenue'] })).toBe(false);
    expect(JSON.stringify(inputSchema)).not.toMatch(/maxLength|maxItems|"maximum"/);
    for (const beyond of [
      { limit: 5_001 },
      { metrics: Array(51).fill('revenue') },
      { dimensions: ['x'.repeat(201)] },
      { measures: [{ fn: 'ratio', of: ['revenue'] }] },
      { measures: [{ fn: 'sum' }] },
      { filters: [{ field: 'region', values: ['West'], anything: true }] },
    ])
      expect(
        (await call(sample, 'query_metrics', { lens: 'superstore', metrics: ['revenue'], ...beyond })).body,
      ).toMatchObject({ ok: false, reason: 'invalid' });
  });
});

it('recommends the tools in one order, and documents row limits consistently', async () => {
  const tools = Object.fromEntries((await listTools()).map((tool: Json) => [tool.name, tool]));
  const texts = [
    SERVER_INSTRUCTIONS,
    writeGettingStarted('svc'),
    ...Object.values(tools).map((tool: Json) => tool.description),
  ];
  for (const text of texts) expect(text).not.toMatch(/call this first|default door|last resort|are answers too/i);
  const order = ['query_metrics', 'query', 'sql'].map((name) => writeGettingStarted('svc').indexOf(`. ${name}:`));
  expect(order.every((at, index) => at > 0 && (index === 0 || at > order[index - 1]!))).toBe(true);
  expect(SERVER_INSTRUCTIONS).toMatch(/use query_metrics/);
  expect(tools.query.description).toMatch(/for query_metrics/);
  expect(tools.query_metrics.description).toMatch(/use sql only/i);
  for (const name of ['query', 'route_query', 'run_certified'])
    expect(tools[name].inputSchema.properties.rows).toMatchObject({ default: 20 });
  // `rows` in a plan names the dataset to list. In other calls, a number is still the number of rows.
  const listingPlan = { lens: 'superstore', rows: 'orders', dimensions: ['product_name'], limit: 30 };
  expect((await call(sample, 'query_metrics', listingPlan)).text).toContain(
    'the first 20 of 30; more with `shown_rows`',
  );
  expect((await call(sample, 'query_metrics', { ...listingPlan, shown_rows: 25 })).text).toContain(
    'the first 25 of 30',
  );
  const grouped = { lens: 'superstore', metrics: ['revenue'], dimensions: ['state'], rows: 5 };
  expect((await call(sample, 'query_metrics', grouped)).text).toContain('the first 5 of 49');
  expect(tools.sql.inputSchema.properties.limit).toMatchObject({ default: 20 });
  expect(JSON.stringify(tools)).not.toMatch(/\b(?:1000|5001) rows/);
});
