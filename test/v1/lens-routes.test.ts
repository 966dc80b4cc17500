import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';

const svc = await startTestApp();
const shopOnly = (await svc.mintCaller({ name: 'shop-only', lenses: ['shop'] })).key;
const nothing = (await svc.mintCaller({ name: 'nothing' })).key;
const field = (await svc.mintCaller({ name: 'field', groups: ['field'], attributes: { region: 'West' } })).key;

describe('lens routes', () => {
  it('list the lenses that the key may query, by page', async () => {
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

  it('return the schema, definitions, caps, filler words and freshness of a lens', async () => {
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

  it('list stored values, nearest first', async () => {
    const { body } = await svc.get('/v1/lenses/shop/values?field=region&q=wset');
    expect(body).toMatchObject({ field: 'orders.region', complete: true, next_cursor: null });
    expect(body.items[0]).toBe('West');
    expect((await svc.get('/v1/lenses/stock/values?field=stock.item')).body.items).toEqual(['chair', 'desk', 'lamp']);
  });

  const completeText = async (q: string, key?: string, extraQuery = '') =>
    (await svc.get(`/v1/lenses/shop/complete?q=${encodeURIComponent(q)}${extraQuery}`, key)).body;
  const texts = ({ next }: { next: { text: string }[] }) => next.map(({ text }) => text);

  it('return completions of a question by kind and by name', async () => {
    const completions = await completeText('Reve');
    expect(completions.next[0]).toEqual({ kind: 'metric', text: 'revenue', insert: 'nue', detail: 'revenue', from: 0 });
    const behind = await completeText('Revenue ');
    expect(texts(behind)).toEqual(expect.arrayContaining(['where', 'per', 'without']));
    expect(behind.sentence).toBe('Revenue');
    const values = (await completeText('Revenue where region is ')).next.filter(
      ({ kind }: { kind: string }) => kind === 'value',
    );
    expect(values.map(({ insert, detail }: Record<string, string>) => [insert, detail])).toEqual(
      ['Central', 'East', 'South', 'West'].map((value) => [value, 'orders.region']),
    );
    expect(texts(await completeText('Revenue where segment is Home O'))[0]).toBe('Home Office');
    expect(texts(await completeText('top 5 ords by revenue', undefined, '&cursor=8'))).toContain('orders');
  });

  it('name the field that a word of the text means', async () => {
    const { words } = await completeText('Revenue where region is ');
    expect(words.map(({ text, of }: Record<string, string>) => [text, of])).toContainEqual(['region', 'orders.region']);
  });

  it('offer each stored value in a form that is read as this value', async () => {
    const values = [
      ...[
        'Quote " d',
        '"x"',
        `5' 10"`,
        "O'Neill",
        'a “b” c',
        '«q»',
        '',
        ' ',
        ' lead',
        'x\ny',
        '2016',
        '10%',
        '-',
        'a, b',
      ],
      ...[
        'all',
        'not',
        'of',
        'the',
        'Missing',
        'total',
        'May',
        'No',
        'orders',
        'revenue',
        'Trinidad and Tobago',
        'C++',
      ],
    ];
    const { body: project } = await svc.admin('GET', '/project/export');
    const files = { ...project.files };
    files['lenses/shop/lens.yaml'] = files['lenses/shop/lens.yaml'].replace(
      '[Central, East, South, West]',
      JSON.stringify(values),
    );
    const { callerKey } = await svc.addTenant('odd-values', files);
    const start = 'Revenue where region is ';
    const offered = (await completeText(start, callerKey, '&limit=200')).next
      .filter(({ kind }: { kind: string }) => kind === 'value')
      .map(({ insert }: { insert: string }) => insert);
    const readValues = await Promise.all(
      offered.map(async (insert: string) => (await completeText(start + insert, callerKey)).plan?.filters[0].values),
    );
    expect(readValues.flat().toSorted()).toEqual(values.filter((value) => value.trim() !== '').toSorted());
  });

  it('complete a follow-up to the earlier questions of a conversation', async () => {
    expect((await completeText('and by region?')).sentence).toBeNull();
    const followUp = (...before: string[]) =>
      completeText('and by region?', undefined, before.map((q) => `&before=${encodeURIComponent(q)}`).join(''));
    const completion = await followUp('revenue in 2016');
    expect(completion.sentence).toBe('Revenue in 2016 by region');
    expect(completion.words.map(({ kind }: { kind: string }) => kind)).not.toContain('unresolved');
    expect((await followUp('profit in 2016', 'and revenue?')).sentence).toBe('Revenue in 2016 by region');
  });

  it('return only completions whose period begins before the data ends', async () => {
    await svc.get('/v1/lenses/shop'); // after this request, svc knows the latest date of the data, 2017-12-24
    const periodsOf = async (q: string) =>
      (await completeText(q, undefined, '&limit=200')).next
        .filter(({ kind }: { kind: string }) => kind === 'time')
        .map(({ text }: { text: string }) => text);
    const offeredPeriods = await periodsOf('Revenue ');
    expect(offeredPeriods).toContain('in 2017');
    expect(offeredPeriods).toContain('in Q4 2017');
    const offeredYears = await periodsOf('Revenue in ');
    expect(offeredYears).toContain('in December 2017');
    for (const text of [...offeredPeriods, ...offeredYears])
      expect(Number(/20\d\d$/.exec(text)?.[0] ?? 0)).toBeLessThan(2018);
    expect(offeredPeriods).not.toContain('this year');
  });

  it('list questions that the lens answers, each with the sentence of its plan', async () => {
    const { items, next_cursor } = (await svc.get('/v1/lenses/shop/phrases')).body;
    expect(next_cursor).toBeNull();
    expect((await svc.get('/v1/lenses/shop/phrases?limit=500')).status).toBe(200);
    expect((await svc.get('/v1/lenses/shop/phrases?limit=501')).status).toBe(422);
    expect(items).toContainEqual({ about: 'orders', sentence: 'Revenue in 2016' }); // the data ends in 2017
    expect(items).toContainEqual({ about: 'orders', sentence: 'Revenue where region is Central' });
    for (const { sentence } of items) expect((await completeText(sentence)).sentence).toBe(sentence);
    expect((await svc.get('/v1/lenses/shop/phrases', field)).text).not.toMatch(/Central|Home Office|customer_name/);
  });

  it('return the plan of a text, and the words of it that match nothing', async () => {
    expect(await completeText('what was our revenue from the West in 2016')).toMatchObject({
      sentence: 'Revenue in 2016 where region is West',
      plan: { metrics: ['revenue'], filters: [{ field: 'orders.region', values: ['West'] }] },
      words: expect.arrayContaining([
        { text: 'revenue', start: 13, end: 20, kind: 'metric', of: 'revenue' },
        { text: 'West', start: 30, end: 34, kind: 'value', of: 'orders.region' },
        { text: 'in 2016', start: 35, end: 42, kind: 'time', of: null },
      ]),
    });
    const { sentence, words } = await completeText('revenu by regoin');
    expect(sentence).toBeNull();
    expect(words.map(({ kind }: { kind: string }) => kind)).toEqual(['unresolved', 'word', 'unresolved']);
    const unknownWords = await completeText('turnovers per xyzzy region');
    expect(unknownWords.sentence).toBeNull();
    expect(unknownWords.plan).toBeNull();
    const none = { of: null, candidates: [] };
    expect(unknownWords.words).toContainEqual({ text: 'xyzzy', start: 14, end: 19, kind: 'unresolved', ...none });
  });

  it('return a governed term verbatim by its name and synonyms, across lenses', async () => {
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

  it('return no items for an unknown term, with near names as suggestions', async () => {
    const reply = await svc.get('/v1/definitions?term=revenu');
    expect([reply.status, reply.body.items, reply.body.suggestions]).toEqual([200, [], ['revenue']]);
  });

  it('list the certified library with exact_band and the embedder, and rank it by similarity', async () => {
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
    const searchReply = await svc.get('/v1/lenses/shop/certified?q=show+me+sales+per+region');
    expect(searchReply.body.items[0]).toMatchObject({ cert_id: 'revenue-by-region', similarity: 1 });
    expect(searchReply.body.embedder).toMatch(/^builtin/);
  });
});

describe('refuses', () => {
  it('a field that doesn’t exist, with the nearest name, and the values of a masked field', async () => {
    const unknown = await svc.get('/v1/lenses/shop/values?field=regon');
    expect([unknown.status, unknown.body.error.message]).toEqual([422, expect.stringContaining('region')]);
    const masked = await svc.get('/v1/lenses/shop/values?field=customer_name');
    expect(masked.status).toBe(422);
    expect(masked.text).not.toContain('Ann Lee');
  });
});

describe('isolation', () => {
  const same = (reply: { body: { error: { request_id: string } } }, name: string) =>
    JSON.stringify({ ...reply.body, error: { ...reply.body.error, request_id: '' } }).replaceAll(name, 'LENS');

  it.each([
    ['GET', '/v1/lenses/NAME'],
    ['GET', '/v1/lenses/NAME/certified'],
    ['GET', '/v1/lenses/NAME/values?field=item'],
    ['GET', '/v1/lenses/NAME/complete?q=units'],
    ['GET', '/v1/definitions?lens=NAME'],
    ['POST', '/v1/lenses/NAME/query', { q: 'units on hand' }],
    ['POST', '/v1/lenses/NAME/metrics', { metrics: ['units_on_hand'] }],
    ['POST', '/v1/lenses/NAME/certified/x/run', {}],
    ['POST', '/v1/sql', { lens: 'NAME', sql: 'select * from main.stock' }],
    ['POST', '/v1/chat/completions', { model: 'svc/NAME', messages: [{ role: 'user', content: 'units on hand' }] }],
  ] as const)(
    'gives a lens that isn’t granted and one that doesn’t exist the same response: %s %s',
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

  it('shows a caller without grants no lens, no model and no term', async () => {
    expect((await svc.get('/v1/lenses', nothing)).body.items).toEqual([]);
    expect((await svc.get('/v1/models', nothing)).body.data).toEqual([]);
    expect((await svc.get('/v1/definitions', nothing)).body.items).toEqual([]);
    expect((await svc.post('/v1/query', { q: 'revenue' }, nothing)).body).toMatchObject({
      status: 'uncovered',
      data: null,
      suggestions: [],
    });
  });

  it('suggests no masked field and no value from hidden rows', async () => {
    const asked = async (q: string, key?: string): Promise<string> =>
      (await svc.get(`/v1/lenses/shop/complete?limit=500&q=${encodeURIComponent(q)}`, key)).text;
    for (const key of [undefined, field]) {
      expect(await asked('Revenue where region is ', key)).toContain('row id');
      for (const q of ['customer n', 'Revenue where customer n', 'Revenue where customer name is ', 'Ann'])
        expect(await asked(q, key)).not.toMatch(/customer_name|Ann Lee/);
    }
    for (const q of ['', 'W', 'Revenue where region is ', 'Revenue in ', 'Revenue where region is Wst']) {
      expect(await asked(q, field)).not.toMatch(/Central|East|South|West|Home Office/);
      expect(await asked(q)).toMatch(/West/);
    }
  });

  it('lists only the values of visible rows under a row policy', async () => {
    expect((await svc.get('/v1/lenses/shop/values?field=region', field)).body.items).toEqual(['West']);
  });
});
