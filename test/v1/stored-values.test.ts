import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startTestApp } from '../support/app.ts';
import { lensText } from '../support/lens-text.ts';
import { connect, connectionTo, createDatabase } from '../support/postgres.ts';

const LENS = lensText(`
name: retail
title: Retail
description: Orders of stores.
connection: retail
timezone: UTC
datasets:
  stores: public.stores (id integer key, city string auto, nickname string)
  orders: public.orders (id integer key, store_id integer, region string auto, category string {values: [{value: Furniture, synonyms: [fittings]}, Technology]}, status string auto, channel_code integer, units integer, amount decimal {unit: USD}, ordered_on date time)
relationships:
  - {from: orders.store_id, to: stores.id}
metrics:
  revenue: {expression: sum(orders.amount), description: What was paid., unit: USD, time_field: orders.ordered_on}
  order_count: {expression: count(orders.id), description: Orders., synonyms: [number of orders]}
  channels: {expression: count(distinct orders.channel_code), description: Channels.}
  web_revenue: {expression: sum(orders.amount), filter: orders.channel_code = 10, unit: USD}
`);
const POLICY = `row_policies:
  - {name: own-region, dataset: orders, filter: "orders.region = {caller.region}", groups: [field]}
`;
const ENTRY = (id: string, question: string, sql: string, parameters: string) =>
  `- {id: ${id}, question: "${question}", sql: "${sql}", parameters: ${parameters}, status: approved, approved_by: ada, approved_at: "2026-01-01"}\n`;
const LINES = (values: string): string =>
  lensText(`
name: lines
title: Lines
description: Lines of orders.
connection: retail
timezone: UTC
datasets:
  order_items: public.order_items (id integer key, sku string${values}, order_code string${values} {synonyms: [order, ord]}, product_code string${values} {synonyms: [product number, fur]}, bin string${values}, line_amount decimal {unit: USD})
metrics:
  revenue: {expression: sum(order_items.line_amount), description: Sum of lines., unit: USD, synonyms: [total amount, total line amount]}
`);
const CATALOG = (name: string): string =>
  lensText(`
name: ${name}
title: Catalog
description: Parts of machines.
connection: retail
timezone: UTC
datasets:
  parts: public.parts (id integer key, code string, region string, maker string {values: [Acme, ACME, AcMe, Bolt, BOLT, BOlt, BoLT, Core, CORE]})
metrics:
  part_count: {expression: count(parts.id), description: Parts.}
`);
const CERTIFIED = [
  ENTRY(
    'by-category',
    'Which store sold most in {category}?',
    'select store_id, sum(amount) as revenue from public.orders where category = :category group by store_id order by 2 desc, 1 limit 1',
    '{category: {datatype: string}}',
  ),
  ENTRY(
    'by-store',
    'What did store number {store} take?',
    'select count(*) as orders, sum(o.amount) as revenue from public.orders o where o.store_id = :store',
    '{store: {datatype: integer}}',
  ),
  ENTRY(
    'since',
    'What did we take per year since {year}?',
    'select extract(year from ordered_on) as year, sum(amount) as revenue from public.orders where extract(year from ordered_on) >= :year group by 1 order by 1',
    '{year: {datatype: integer}}',
  ),
  ENTRY(
    'at-least',
    'How many orders of at least {amount}, or all?',
    'select count(*) as n from public.orders where amount >= :amount or :everything',
    '{amount: {datatype: float}, everything: {datatype: boolean}}',
  ),
].join('');
const MAKER_ENTRY = ENTRY(
  'by-maker',
  'How many parts are from {maker}?',
  'select count(*) as parts from public.parts where maker = :maker',
  '{maker: {datatype: string}}',
);
const url = await createDatabase();
const db = await connect(url);
await db.query(`create table stores (id int primary key, city text, nickname text);
    create table orders (id int primary key, store_id int references stores, region text, category text, status text,
      channel_code int, units int, amount numeric(12, 2), ordered_on date);
    create table order_items (id int primary key, sku text, order_code text, product_code text, bin text, line_amount numeric(12, 2));
    insert into order_items select i, 'SKU-' || lpad(i::text, 4, '0'), 'ORD-' || (77770 + i), 'FUR-BO-' || (10001790 + i), '12A', i
      from generate_series(1, 12) i;
    create table parts (id int primary key, code text, region text, maker text);
    insert into parts select i, 'P-' || lpad(i::text, 5, '0'), (array['East', 'West'])[1 + i % 2],
      (array['ACME', 'Acme', 'AcMe', 'BOlt', 'BoLT', 'Core', 'CORE', 'BOLT'])[1 + i % 8] from generate_series(1, 20000) i;
    insert into stores values (1, 'Lyon'), (2, 'Besançon'), (3, 'Graz');
    insert into orders select i, 1 + i % 2, (array['North', 'South', 'East'])[1 + i % 3],
      (array['Furniture', 'Technology'])[1 + i % 2], (array['past_due', 'canceled', 'paid'])[1 + i % 3], 10 + i % 2, 1 + i % 4, i,
      date '2025-01-01' + i from generate_series(1, 30) i`);
const svc = await startTestApp({
  files: {
    'svc.config.yaml': `connections: ${JSON.stringify({ retail: connectionTo(url) })}\ngroups: {field: {}}\n`,
    'lenses/retail/lens.yaml': LENS,
    'lenses/retail/certified/core.yaml': CERTIFIED,
    'lenses/lines/lens.yaml': LINES(' auto'),
    'lenses/unlisted/lens.yaml': LINES('').replace('name: lines', 'name: unlisted'),
    'lenses/catalog/lens.yaml': CATALOG('catalog'),
    'lenses/catalog/certified/core.yaml': MAKER_ENTRY,
    'lenses/own_catalog/lens.yaml': CATALOG('own_catalog') + POLICY.replaceAll('orders', 'parts'),
    'lenses/own_catalog/certified/core.yaml': MAKER_ENTRY,
    'lenses/regional/lens.yaml': LENS.replace('name: retail', 'name: regional') + POLICY,
  },
});
const east = (
  await svc.mintCaller({
    name: 'eva',
    lenses: ['regional', 'own_catalog'],
    groups: ['field'],
    attributes: { region: 'East' },
  })
).key;

type Filter = { field: string; op: string; values: unknown[] };
const post = async (path: string, body: object, key?: string): Promise<Envelope> =>
  (await svc.post<Envelope>(`/v1/lenses/${path}`, body, key)).body;
const postMetrics = (filters: Filter[], extraMembers: object = {}, key?: string) =>
  post(`${key ? 'regional' : 'retail'}/metrics`, { metrics: ['order_count'], filters, ...extraMembers }, key);
const ask = (q: string, lens = 'retail') => post(`${lens}/query`, { q, format: 'structured' });
const run = (id: string, parameters: object, extraMembers: object = {}) =>
  post(`retail/certified/${id}/run`, { parameters, format: 'structured', ...extraMembers });
const callTool = async (name: string, toolArguments: object): Promise<Envelope> =>
  (await svc.callTool<Envelope>(name, { lens: 'retail', ...toolArguments })).structuredContent;
const valuesCheckOf = ({ checks }: Envelope) => checks.find(({ name }) => name === 'values_known');
const unknownValue = (term: string, value: string, options: string[] = []) => ({
  status: 'clarification',
  clarification: { kind: 'unknown_value', term, value, options: expect.arrayContaining(options) },
});

describe('keys and codes', () => {
  it('asks for clarification about a key that doesn’t exist, instead of answering 0', async () => {
    expect(await postMetrics([{ field: 'stores.id', op: '=', values: [77] }])).toMatchObject(
      unknownValue('stores.id', '77', ['1', '2', '3']),
    );
    expect(
      await callTool('query_metrics', {
        metrics: ['order_count'],
        filters: [{ field: 'store_id', op: '=', values: ['77'] }],
      }),
    ).toMatchObject(unknownValue('orders.store_id', '77', ['1', '2']));
  });

  it.each([
    ['.5', '0.5'],
    ['+077', '77'],
    ['77.0', '77'],
  ])('asks for clarification about %s too, which is another form of %s', async (written, value) => {
    const filters = [{ field: 'stores.id', op: '=', values: [written] }];
    expect(await postMetrics(filters)).toMatchObject(unknownValue('stores.id', value, ['1', '2', '3']));
  });

  it('doesn’t ask for clarification if the column is empty or the plan isn’t possible', async () => {
    const empty = await postMetrics([{ field: 'stores.nickname', op: '=', values: ['Bell'] }]);
    expect(empty).toMatchObject({ status: 'refused', clarification: null });
    expect(empty.answer).toMatch(/has no values\. Leave “Bell” out/);
    const { status, body } = await svc.post('/v1/lenses/retail/metrics', {
      measures: [{ fn: 'running_total', of: 'revenue' }],
      dimensions: ['region'],
      filters: [{ field: 'stores.city', op: '=', values: ['Bath'] }],
    });
    expect([status, body.error?.message]).toEqual([422, expect.stringContaining('needs a date')]);
  });

  it('answers a verified 0 for an existing key without matching rows', async () => {
    const zeroAnswer = await postMetrics([{ field: 'stores.id', op: '=', values: [3] }]);
    expect(zeroAnswer).toMatchObject({ status: 'answered', confidence: 'verified', data: [{ order_count: 0 }] });
    expect(valuesCheckOf(zeroAnswer)).toMatchObject({ outcome: 'pass' });
  });

  it.each(['in', 'not_in', '!='])('asks for clarification about a value that doesn’t exist with %s too', async (op) => {
    const values = op === '!=' ? [77] : [1, 77];
    expect(
      await postMetrics([{ field: 'channel_code', op, values: values.map((value) => (value === 1 ? 10 : value)) }]),
    ).toMatchObject(unknownValue('orders.channel_code', '77', ['10', '11']));
  });

  it('grades the answer partial if the caller chooses a value that doesn’t exist', async () => {
    const answer = await postMetrics([{ field: 'channel_code', op: '=', values: [77] }], {
      choices: { 'orders.channel_code': '77' },
      dimensions: ['region'],
    });
    const absent = { row_count: 0, empty: { reason: 'value_absent' } };
    expect(answer).toMatchObject({ status: 'answered', confidence: 'partial', ...absent });
    expect(valuesCheckOf(answer)).toMatchObject({ outcome: 'fail', detail: expect.stringContaining('77') });
  });

  it('answers 0 for an amount, a count or a day that no row has', async () => {
    for (const filter of [
      { field: 'amount', op: '=', values: [5000] },
      { field: 'units', op: '=', values: [77] },
      { field: 'ordered_on', op: '=', values: ['2031-01-01'] },
    ])
      expect(await postMetrics([filter])).toMatchObject({ status: 'answered', data: [{ order_count: 0 }] });
  });

  it('treats a key of hidden rows like a key that doesn’t exist, and grades its 0 partial', async () => {
    const [hidden, nowhere] = await Promise.all(
      [await findHiddenId(), 7777].map((id) => postMetrics([{ field: 'orders.id', op: '=', values: [id] }], {}, east)),
    );
    expect(hidden).toMatchObject({ status: 'answered', confidence: 'partial', data: [{ order_count: 0 }] });
    expect(valuesCheckOf(hidden!)).toMatchObject({ outcome: 'unknown' });
    expect([nowhere!.status, nowhere!.confidence, valuesCheckOf(nowhere!)!.outcome]).toEqual([
      'answered',
      'partial',
      'unknown',
    ]);
  });
});
describe('codes that begin with the name of their field', () => {
  it.each(
    ['lines', 'unlisted'].flatMap((lens) =>
      [
        ['total line amount for SKU-0009', 9],
        ['total amount of order ORD-77777', 7],
        ['revenue of ORD-77777', 7],
        ['revenue of product number FUR-BO-10001798', 8],
      ].map(([q, revenue]) => [lens, String(q), Number(revenue)] as const),
    ),
  )('looks up the whole code in %s: “%s”', async (lens, q, revenue) => {
    expect(await ask(q, lens)).toMatchObject({ status: 'answered', confidence: 'verified', data: [{ revenue }] });
  });

  it('ignores the case of a code, and names an unknown code as a whole', async () => {
    for (const lens of ['lines', 'unlisted']) {
      expect(await ask('total line amount for sku-0009', lens)).toMatchObject({ data: [{ revenue: 9 }] });
      const unknown = { status: 'refused', unplaced: [{ text: 'SKU-9999' }] };
      expect(await ask('total line amount for SKU-9999', lens)).toMatchObject(unknown);
    }
  });

  it('takes the part after the field name as the value if only that part is stored', async () => {
    expect(await ask('revenue of bin-12A', 'lines')).toMatchObject({ status: 'answered', data: [{ revenue: 78 }] });
  });
});
const findHiddenId = async (): Promise<number> =>
  (await db.query("select id from orders where region = 'North'")).rows[0].id;

it.each([
  ['contains', 'zzzz'],
  ['starts_with', 'XYZ-'],
])('reports for a pattern (%s) that it needs no stored value, not that there is no filter', async (op, value) => {
  const answer = await postMetrics([{ field: 'orders.category', op, values: [value] }]);
  expect(valuesCheckOf(answer)).toMatchObject({
    outcome: 'not_applicable',
    detail: expect.stringContaining('pattern'),
  });
  const amount = await postMetrics([{ field: 'amount', op: '>', values: [5] }]);
  expect(valuesCheckOf(amount)).toMatchObject({
    outcome: 'not_applicable',
    detail: 'There is no filter on a string, key or code.',
  });
});

describe('parameters of certified entries', () => {
  it.each(['furniture', ' FURNITURE ', 'fittings'])(
    'reads %s as the stored value, and says so in a warning',
    async (category) => {
      const answer = await run('by-category', { category });
      expect(answer).toMatchObject({
        status: 'answered',
        certification: 'certified',
        confidence: 'verified',
        parameters: { category: 'Furniture' },
        row_count: 1,
      });
      expect(valuesCheckOf(answer)).toMatchObject({ outcome: 'pass' });
      expect(answer.warnings.join(' ')).toContain('was interpreted as “Furniture”');
    },
  );

  it('accepts only values of their datatypes', async () => {
    const count = async (amount: unknown, everything: unknown) => {
      const { data, error } = await run('at-least', { amount, everything });
      return data ? data[0]!['n'] : error!.details!.map(({ path }) => path);
    };
    expect(await count(28.5, false)).toBe(2);
    expect(await count('28.5', false)).toBe(2);
    expect(await count(28.5, true)).toBe(30);
    expect(await count('28,5', 'true')).toEqual(['parameters.amount', 'parameters.everything']);
    expect(await count(true, 1)).toEqual(['parameters.amount', 'parameters.everything']);
    expect(await count('1e400', false)).toEqual(['parameters.amount']);
  });

  it('asks for clarification about a value that isn’t stored: by id, by question and over MCP', async () => {
    const fruit = unknownValue('orders.category', 'Fruit', ['Furniture', 'Technology']);
    expect(await run('by-category', { category: 'Fruit' })).toMatchObject(fruit);
    expect(await ask('Which store sold most in Fruit?')).toMatchObject(fruit);
    expect(
      await callTool('run_certified', { cert_id: 'by-category', parameters: { category: 'Fruit' } }),
    ).toMatchObject(fruit);
    expect(await callTool('run_certified', { q: 'Which store sold most in Fruit?' })).toMatchObject(fruit);
    expect(await run('by-category', { category: 'Fruit' }, { choices: { category: 'Fruit' } })).toMatchObject({
      status: 'answered',
      confidence: 'partial',
      empty: { reason: 'value_absent' },
    });
  });

  it.each([
    [
      { category: 'Technology' },
      'parameters.category differs from the value in the question. Leave it out, or change the question.',
    ],
    [{ category: 'Furniture', color: 'red' }, 'parameters.color: color is not a parameter of this entry.'],
  ])('refuses parameters that the question contradicts or the entry lacks: %j', async (parameters, message) => {
    const q = 'Which store sold most in Furniture?';
    expect(await callTool('run_certified', { q, parameters })).toMatchObject({ ok: false, error: message });
    expect(await callTool('run_certified', { q, parameters: { category: 'Furniture' } })).toMatchObject({
      status: 'answered',
      certification: 'certified',
    });
  });

  it('asks for clarification about a key that doesn’t exist, and answers for a key that exists', async () => {
    expect(await run('by-store', { store: 77 })).toMatchObject(unknownValue('orders.store_id', '77', ['1', '2']));
    const answer = await run('by-store', { store: 1 });
    expect(answer).toMatchObject({ status: 'answered', confidence: 'verified', data: [{ orders: 15 }] });
    expect(valuesCheckOf(answer)).toMatchObject({ outcome: 'pass' });
  });

  it('reports that a parameter is compared with no column, instead of reporting no filter', async () => {
    const answer = await run('since', { year: 2025 });
    expect(answer).toMatchObject({ status: 'answered', confidence: 'verified' });
    expect(valuesCheckOf(answer)).toMatchObject({
      outcome: 'not_applicable',
      detail: expect.stringContaining('No parameter is compared'),
    });
  });
});

describe('a column with too many values to read at once', () => {
  const countParts = (code: string, key?: string) => {
    const filters = [{ field: 'code', op: '=', values: [code] }];
    return post(`${key ? 'own_catalog' : 'catalog'}/metrics`, { metrics: ['part_count'], filters }, key);
  };
  // Reads only a part of the values, so at least one of these lookups needs a search.
  const CODES = ['p-00001', 'p-04000', 'p-08000', 'p-12000', 'p-16000', 'p-20000'];

  it.each(CODES)('finds %s, and uses the stored spelling', async (code) => {
    const answer = await countParts(code);
    expect(answer).toMatchObject({ status: 'answered', confidence: 'verified', data: [{ part_count: 1 }] });
    expect(answer.scope?.filters).toMatchObject([{ values: [code.toUpperCase()] }]);
  });

  it('asks for clarification about a plain value that doesn’t exist', async () => {
    const envelope = await countParts('P-99999');
    expect(envelope).toMatchObject(unknownValue('parts.code', 'P-99999'));
    expect(envelope.clarification?.options.length).toBeGreaterThan(0);
  });

  it('grades the answer partial if an accent may hide the value from the search', async () => {
    const answer = await countParts('Pé-99999');
    expect(answer).toMatchObject({ status: 'answered', confidence: 'partial', data: [{ part_count: 0 }] });
    expect(valuesCheckOf(answer)?.detail).toContain('the column has too many values to search');
  });

  it('treats a value of hidden rows like a value that doesn’t exist', async () => {
    // Parts with an odd number are in the West.
    const details = await Promise.all(
      ['P-00001', 'P-99999'].map(async (code) => {
        const answer = await countParts(code, east);
        expect(answer).toMatchObject({ status: 'answered', confidence: 'partial', data: [{ part_count: 0 }] });
        return valuesCheckOf(answer)?.detail?.replaceAll(code, 'CODE');
      }),
    );
    expect(details[0]).toContain('a row policy hides some rows');
    expect(details[1]).toBe(details[0]);
  });
});

describe('a parameter with several stored spellings', () => {
  const countOf = (maker: string, key?: string) => {
    const path = `${key ? 'own_catalog' : 'catalog'}/certified/by-maker/run`;
    return post(path, { parameters: { maker }, format: 'structured' }, key);
  };

  it('asks which spelling is meant, and answers for an exact spelling', async () => {
    expect((await countOf('acme')).clarification).toEqual({
      kind: 'unknown_value',
      term: 'parts.maker',
      value: 'acme',
      message: '“acme” may be “Acme” or “ACME” or “AcMe” in parts.maker. Give the value that you mean.',
      options: ['Acme', 'ACME', 'AcMe'],
    });
    expect(await countOf('Acme')).toMatchObject({ status: 'answered', data: [{ parts: 2_500 }] });
  });

  it('offers only spellings of rows that the caller can see', async () => {
    const expected = await db.query("select distinct maker from parts where region = 'East' order by 1");
    expect(expected.rows.map(({ maker }) => maker).sort()).toEqual(['ACME', 'AcMe', 'BoLT', 'CORE']);
    expect((await countOf('acme', east)).clarification).toMatchObject({
      message: '“acme” may be “ACME” or “AcMe” in parts.maker. Give the value that you mean.',
      options: ['ACME', 'AcMe'],
    });
    expect(await countOf('bolt', east)).toMatchObject({
      status: 'answered',
      parameters: { maker: 'BoLT' },
      data: [{ parts: 2_500 }],
    });
  });
});

describe('two spellings of one word', () => {
  it.each([
    ['cancelled', 'canceled'],
    ['past due', 'past_due'],
    ['Past-Due', 'past_due'],
  ])('reads %s as %s, in a metrics body and in a question', async (writtenValue, stored) => {
    const body = await postMetrics([{ field: 'status', op: '=', values: [writtenValue] }]);
    expect(body).toMatchObject({
      status: 'answered',
      confidence: 'verified',
      scope: { filters: [{ values: [stored] }] },
    });
    const envelope = await ask(`number of orders with status ${writtenValue}`);
    expect(envelope).toMatchObject({ status: 'answered', data: body.data, scope: { filters: [{ values: [stored] }] } });
  });
});

describe('rows that change after svc read the dictionary', () => {
  it('finds a new value for the next question, and lists it', async () => {
    expect(await ask('revenue in the West region')).toMatchObject({ status: 'clarification' });
    await db.query(
      `insert into orders select 1000 + i, 1, 'West', 'Furniture', 'paid', 10, 1, 1, '2025-06-01' from generate_series(1, 10000) i`,
    );
    for (const q of ['revenue in the West region', 'revenue in West', 'revenue by store id in the west'])
      expect(await ask(q), q).toMatchObject({
        status: 'answered',
        confidence: 'verified',
        scope: { filters: [{ field: 'orders.region', values: ['West'] }] },
      });
    expect(await postMetrics([{ field: 'region', op: 'in', values: ['west', 'North'] }])).toMatchObject({
      status: 'answered',
      data: [{ order_count: 10_010 }],
    });
    const { body } = await svc.get('/v1/lenses/retail/values?field=orders.region');
    expect(body).toMatchObject({ complete: true, items: ['East', 'North', 'South', 'West'] });
  });

  it('reads the dictionary again, and keeps the lens version if its values are the same', async () => {
    await expect.poll(async () => (await readDictionary('region')).values, { timeout: 10_000 }).toContain('West');
    await svc.deps.dictionaries.waitUntilIdle();
    const stamp = await stampOf();
    const before = (await readDictionary('region')).refreshed_at;
    await svc.deps.dictionaries.refresh(svc.orgId, 'retail');
    expect((await readDictionary('region')).refreshed_at.getTime()).toBeGreaterThan(before.getTime());
    expect(await stampOf()).toBe(stamp);
  });

  it('finds a value that the lens file doesn’t list', async () => {
    await db.query(`insert into orders values (20001, 2, 'North', 'Garden', 'paid', 10, 1, 7, '2025-06-02')`);
    expect(await ask('revenue in Garden')).toMatchObject({ status: 'answered', confidence: 'verified' });
    expect(await run('by-category', { category: 'garden' })).toMatchObject({
      status: 'answered',
      parameters: { category: 'Garden' },
    });
  });

  it('grades the 0 of a removed value partial', async () => {
    await db.query("delete from orders where region = 'South'");
    const zero = await postMetrics([{ field: 'region', op: '=', values: ['South'] }]);
    expect(zero).toMatchObject({ status: 'answered', confidence: 'partial', data: [{ order_count: 0 }] });
    expect(valuesCheckOf(zero)).toMatchObject({ outcome: 'fail', detail: expect.stringContaining('no longer') });
    await svc.deps.dictionaries.waitUntilIdle();
    const groupedAnswer = await postMetrics([{ field: 'region', op: '=', values: ['South'] }], {
      dimensions: ['status'],
    });
    expect([groupedAnswer.empty?.reason, groupedAnswer.clarification?.kind]).toContainEqual(
      expect.stringMatching(/value_absent|unknown_value/),
    );
  });

  it('reads the dictionaries again during a drift audit', async () => {
    await db.query("update stores set city = 'Wien' where id = 3");
    const { body } = await svc.admin('POST', '/lenses/retail/drift', undefined, { 'idempotency-key': 'drift-1' });
    expect(await svc.runEnds(body.run_id)).toMatchObject({ state: 'succeeded' });
    expect((await readDictionary('city')).values).toEqual(['Besançon', 'Lyon', 'Wien']);
  });

  it('reads an outdated dictionary again in the background of the next ask', async () => {
    await db.query("update stores set city = 'Linz' where id = 3");
    await svc.sql("update svc.value_dictionaries set refreshed_at = now() - interval '1 day'");
    const otherReplica = await svc.replica();
    const reply = await otherReplica.inject({
      ...{ method: 'POST', url: '/v1/lenses/retail/metrics', payload: { metrics: ['revenue'] } },
      headers: { authorization: `Bearer ${svc.callerKey}` },
    });
    expect(reply.json()).toMatchObject({ confidence: 'verified' });
    await expect.poll(async () => (await readDictionary('city')).values, { timeout: 10_000 }).toContain('Linz');
  });
});

const readDictionary = async (field: string): Promise<{ values: string[]; refreshed_at: Date }> => {
  const sql = `select "values", refreshed_at from svc.value_dictionaries
    where field = $1 and lens_id = (select id from svc.lenses where name = 'retail')`;
  return (await svc.sql<{ values: string[]; refreshed_at: Date }>(sql, [field]))[0]!;
};
const stampOf = async (): Promise<number> =>
  (await svc.sql<{ at: Date }>("select updated_at as at from svc.lenses where name = 'retail'"))[0]!.at.getTime();
