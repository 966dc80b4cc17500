import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestTenant } from '../support/app.ts';

let svc: TestApp;
let other: TestTenant;
let shopOnly: string;
let nothing: string;
let field: string;
beforeAll(async () => {
  svc = await startTestApp();
  other = await svc.addTenant('other');
  shopOnly = (await svc.mintCaller({ name: 'shop-only', lenses: ['shop'] })).key;
  nothing = (await svc.mintCaller({ name: 'nothing' })).key;
  field = (await svc.mintCaller({ name: 'field', groups: ['field'], attributes: { region: 'West' } })).key;
});
afterAll(() => svc?.close());

describe('answers', () => {
  it('lists the lenses this key may query, by page', async () => {
    const all = await svc.get('/v1/lenses');
    expect(all.body.items.map(({ name }: { name: string }) => name)).toEqual(['shop', 'stock']);
    expect(all.body.items[0]).toEqual({
      name: 'shop',
      title: 'Shop',
      description: 'Order lines of a corner shop.',
      version: 1,
      certified_count: 2,
      sample_questions: ['What was revenue by region in 2016?'],
    });
    const first = await svc.get('/v1/lenses?limit=1');
    const second = await svc.get(`/v1/lenses?limit=1&cursor=${first.body.next_cursor}`);
    expect([first.body.items[0].name, second.body.items[0].name, second.body.next_cursor]).toEqual([
      'shop',
      'stock',
      null,
    ]);
  });

  it("gives the lens's schema, definitions, caps, filler words and freshness", async () => {
    const { body } = await svc.get('/v1/lenses/shop');
    expect(body).toMatchObject({
      certified_count: 2,
      model: null,
      max_rows_to_compose: 200,
      max_rows_to_return: 5,
      data_as_of: '2017-12-24T00:00:00.000Z',
    });
    const [orders] = body.schema.datasets;
    expect(orders.fields.find(({ name }: { name: string }) => name === 'customer_name')).toEqual({
      name: 'customer_name',
      datatype: 'string',
      description: null,
      synonyms: [],
      unit: null,
      masked: true,
      has_values: false,
    });
    expect(body.definitions.map(({ term }: { term: string }) => term)).toContain('margin');
    expect(body.filler_words).toContain('please');
    expect(JSON.stringify(body)).not.toMatch(/nullif|main\.orders|own-region/);
  });

  it('lists stored values nearest first', async () => {
    const { body } = await svc.get('/v1/lenses/shop/values?field=region&q=wset');
    expect(body).toMatchObject({ field: 'orders.region', complete: true, next_cursor: null });
    expect(body.items[0]).toBe('West');
    expect((await svc.get('/v1/lenses/stock/values?field=stock.item')).body.items).toEqual(['chair', 'desk', 'lamp']);
  });

  it("looks a governed term up verbatim, by its synonyms and its metric's, across lenses", async () => {
    const revenue = await svc.get('/v1/definitions?term=Revenue');
    expect(revenue.body.items).toEqual([
      {
        lens: 'shop',
        term: 'revenue',
        meaning: 'Revenue is what customers paid, less discounts.',
        synonyms: [],
        senses: [],
        metric: 'revenue',
      },
    ]);
    expect((await svc.get('/v1/definitions?term=sales')).body.items[0].term).toBe('revenue');
    expect((await svc.get('/v1/definitions?term=takings&lens=stock')).body.items[0].meaning).toBe(
      'Money taken in, before returns.',
    );
    const margin = await svc.get('/v1/definitions?term=margin');
    expect(margin.body.items[0].senses.map(({ key }: { key: string }) => key)).toEqual(['profit', 'ratio']);
  });

  it('answers an unknown term with no items and names what comes near', async () => {
    const reply = await svc.get('/v1/definitions?term=revenu');
    expect([reply.status, reply.body.items, reply.body.suggestions]).toEqual([200, [], ['revenue']]);
  });

  it('lists the certified library with exact_band and the embedder, and ranks it by similarity', async () => {
    const listed = await svc.get('/v1/lenses/shop/certified');
    expect(listed.body).toMatchObject({ exact_band: 0.95, next_cursor: null });
    expect(listed.body.items[0]).toEqual({
      cert_id: 'revenue-by-region',
      question: 'What is revenue by region?',
      also_asked: ['Show me sales per region'],
      sql: 'select region, sum(sales) as revenue from main.orders group by region order by revenue desc',
      parameters: {},
      approved_by: 'ops@example.com',
      approved_at: '2026-01-31',
      status: 'approved',
      notes: null,
    });
    const ranked = await svc.get('/v1/lenses/shop/certified?q=show+me+sales+per+region');
    expect(ranked.body.items[0]).toMatchObject({ cert_id: 'revenue-by-region', similarity: 1 });
    expect(ranked.body.embedder).toMatch(/^builtin/);
  });
});

describe('refuses', () => {
  it('a field that does not exist, naming the nearest, and the values of a masked one', async () => {
    const unknown = await svc.get('/v1/lenses/shop/values?field=regon');
    expect([unknown.status, unknown.body.error.message]).toEqual([422, expect.stringContaining('region')]);
    const masked = await svc.get('/v1/lenses/shop/values?field=customer_name');
    expect(masked.status).toBe(422);
    expect(masked.text).not.toContain('Ann Lee');
  });
});

describe('isolates', () => {
  const same = (reply: { body: { error: { request_id: string } } }, name: string) =>
    JSON.stringify({ ...reply.body, error: { ...reply.body.error, request_id: '' } }).replaceAll(name, 'LENS');

  it.each([
    ['GET', '/v1/lenses/NAME'],
    ['GET', '/v1/lenses/NAME/certified'],
    ['GET', '/v1/lenses/NAME/values?field=item'],
    ['GET', '/v1/definitions?lens=NAME'],
    ['POST', '/v1/lenses/NAME/query', { q: 'units on hand' }],
    ['POST', '/v1/lenses/NAME/metrics', { metrics: ['units_on_hand'] }],
    ['POST', '/v1/lenses/NAME/certified/x/run', {}],
    ['POST', '/v1/sql', { lens: 'NAME', sql: 'select * from main.stock' }],
    ['POST', '/v1/chat/completions', { model: 'svc/NAME', messages: [{ role: 'user', content: 'units on hand' }] }],
  ] as const)(
    'a lens that is not granted and one that does not exist answer alike: %s %s',
    async (method, url, body?: object) => {
      const ask = (name: string) =>
        svc.send({
          method,
          url: url.replace('NAME', name),
          token: shopOnly,
          ...(body ? { payload: JSON.parse(JSON.stringify(body).replaceAll('NAME', name)) } : {}),
        });
      const [ungranted, absent] = [await ask('stock'), await ask('stack')];
      expect([ungranted.status, absent.status]).toEqual([404, 404]);
      expect(same(ungranted, 'stock')).toBe(same(absent, 'stack'));
      expect(ungranted.body.error.message).toContain('shop');
    },
  );

  it('a caller without grants sees no lens, no model, no term', async () => {
    expect((await svc.get('/v1/lenses', nothing)).body.items).toEqual([]);
    expect((await svc.get('/v1/models', nothing)).body.data).toEqual([]);
    expect((await svc.get('/v1/definitions', nothing)).body.items).toEqual([]);
    expect((await svc.post('/v1/query', { q: 'revenue' }, nothing)).body).toMatchObject({
      status: 'uncovered',
      data: null,
      suggestions: [],
    });
  });

  it('a grant of one tenant opens nothing in another', async () => {
    const only = await other.mintCaller({ name: 'shop-only', lenses: ['stock'] });
    expect((await svc.get('/v1/lenses', only.key)).body.items.map(({ name }: { name: string }) => name)).toEqual([
      'stock',
    ]);
    expect((await svc.get('/v1/lenses/shop', only.key)).status).toBe(404);
  });

  it('values behind a row policy are those of visible rows', async () => {
    expect((await svc.get('/v1/lenses/shop/values?field=region', field)).body.items).toEqual(['West']);
  });
});
