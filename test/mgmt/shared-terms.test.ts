import { appendFile, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHOP, startTestApp } from '../support/app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const project = await temporaryFolder();
await cp(SHOP, project, { recursive: true });
await appendFile(join(project, 'svc.config.yaml'), 'standards: {certified_minimum: 9}\n');
const app = await startTestApp({ project });
const { admin } = app;
const lookUp = async (term: string, lens: string) =>
  (await app.get(`/v1/definitions?term=${encodeURIComponent(term)}&lens=${lens}`)).body.items;
const ask = async (q: string) => (await app.post('/v1/lenses/shop/query', { q })).body;

describe('a shared term changed through the API', () => {
  it('takes effect in file-based lenses at once on every replica, and so does its removal', async () => {
    const replica = await app.replica();
    const askReplica = async () => {
      const headers = { authorization: `Bearer ${app.callerKey}` };
      const reply = await replica.inject({ url: '/v1/definitions?term=bounty&lens=shop', headers });
      return reply.json().items.map(({ meaning }: { meaning: string }) => meaning);
    };
    expect(await askReplica()).toEqual([]);
    expect((await ask('What was bounty in 2016?')).status).toBe('refused');
    const createReply = await admin('POST', '/semantic/definitions', {
      ...{ term: 'bounty', meaning: 'What came in.', metric: 'revenue' },
    });
    expect(createReply).toMatchObject({ status: 201, body: { used_by: ['shop'] } });
    expect(await lookUp('bounty', 'shop')).toMatchObject([{ meaning: 'What came in.', metric: 'revenue' }]);
    expect(await lookUp('bounty', 'stock'), 'it has no such metric').toEqual([]);
    expect(await askReplica()).toEqual(['What came in.']);
    expect((await ask('What was bounty in 2016?')).data).toEqual([{ revenue: 425.75 }]);
    const changeReply = await admin('PATCH', `/semantic/definitions/${createReply.body.id}`, {
      ...{ meaning: 'What stayed.', metric: 'profit' },
    });
    expect(changeReply.body.definition.meaning).toBe('What stayed.');
    expect(await lookUp('bounty', 'shop')).toMatchObject([{ meaning: 'What stayed.', metric: 'profit' }]);
    expect(await askReplica()).toEqual(['What stayed.']);
    expect(Object.keys((await ask('What was bounty in 2016?')).data[0])).toEqual(['profit']);
    const { body } = await admin('GET', '/lenses/shop');
    const files = (await admin('GET', '/project/export')).body.files;
    const changedLens = files['lenses/shop/lens.yaml'].replace('title: Shop', 'title: The shop');
    const changedFiles = { ...files, 'lenses/shop/lens.yaml': changedLens };
    expect((await admin('POST', '/project/apply', { files: changedFiles })).status).toBe(200);
    expect((await admin('GET', '/lenses/shop')).body.version).toBe(body.version + 1);
    expect(await lookUp('bounty', 'shop'), 'an apply does not drop it').toHaveLength(1);
    expect((await admin('DELETE', `/semantic/definitions/${createReply.body.id}`)).status).toBe(200);
    expect(await lookUp('bounty', 'shop')).toEqual([]);
    expect(await askReplica()).toEqual([]);
    expect((await ask('What was bounty in 2016?')).status).toBe('refused');
  });

  it('refuses two senses with one key', async () => {
    const senses = [1, 2].map((n) => ({ key: 'same', label: `Sense ${n}`, meaning: `Meaning ${n}.` }));
    expect(await admin('POST', '/semantic/definitions', { term: 'gain', senses })).toMatchObject({
      status: 422,
      body: { error: { param: 'senses.1.key', message: expect.stringContaining('have the key "same"') } },
    });
  });

  it('never overrides a term of a lens, and is left out of a lens without its fields', async () => {
    const own = await admin('POST', '/semantic/definitions', { term: 'Revenue', meaning: 'Something else.' });
    expect(await lookUp('revenue', 'shop')).toMatchObject([
      { meaning: 'Revenue is what customers paid, less discounts.' },
    ]);
    const strange = await admin('POST', '/semantic/definitions', {
      ...{ term: 'big sale', meaning: 'Big.', filter: 'orders.nothing > 1000' },
    });
    expect(strange.body.used_by).toEqual([]);
    for (const { body } of [own, strange]) await admin('DELETE', `/semantic/definitions/${body.id}`);
  });
});

describe('a sample question added through the API', () => {
  const fetchSamples = async () => (await app.get('/v1/lenses/shop')).body.sample_questions;
  const add = (question: string) => admin('POST', '/lenses/shop/sample-queries', { question });

  it('is shown to callers after svc has tried it', async () => {
    const question = 'What was profit by segment in 2017?';
    const added = await add(question);
    expect(added).toMatchObject({ status: 201, body: { question, tried_at: expect.any(String) } });
    expect(await fetchSamples()).toContain(question);
    const [shop] = (await app.get('/v1/lenses')).body.items;
    expect(shop.sample_questions).toContain(question);
    const sampleQueries = (await admin('GET', '/lenses/shop/sample-queries')).body.items;
    expect(sampleQueries.filter((item: { question: string }) => item.question === question)).toMatchObject([
      { origin: 'api' },
    ]);
    expect((await add(question)).status).toBe(409);
    expect((await admin('DELETE', `/lenses/shop/sample-queries/${added.body.id}`)).status).toBe(200);
    expect(await fetchSamples()).not.toContain(question);
  });

  it.each([
    ['is refused', 'Which supplier is cheapest?', 'refused'],
    ['leads to a clarification', 'What is our margin?', 'clarification'],
  ])('is not added or shown when it %s', async (_what, question, code) => {
    const added = await add(question);
    expect(added).toMatchObject({ status: 422, body: { error: { param: 'question', details: [{ code }] } } });
    expect(added.body.error.message).toContain('not added');
    expect(await fetchSamples()).not.toContain(question);
  });

  it('is hidden until it is tried if it was stored without a try', async () => {
    await app.sql(
      `insert into svc.sample_queries (org_id, id, lens, question, created_by) values ($1, gen_random_uuid(), 'shop', 'What was revenue in 2017?', 'ops')`,
      [app.orgId],
    );
    expect(await fetchSamples()).not.toContain('What was revenue in 2017?');
    expect((await add('What was revenue in 2017?')).status).toBe(201);
    expect(await fetchSamples()).toContain('What was revenue in 2017?');
  });
});

it('counts entries certified through the API in the warning about too few certified entries', async () => {
  const files = (await admin('GET', '/project/export')).body.files;
  const shortage = async () =>
    (await admin('POST', '/project/plan', { files: { ...files, 'README.md': '' } })).body.warnings.filter(
      (text: string) => text.includes('"stock"'),
    );
  const lensText = files['lenses/stock/lens.yaml'];
  files['lenses/stock/lens.yaml'] = `${lensText}\n# looked at again\n`;
  expect((await shortage()).join()).toContain('has 0 approved');
  const draft = await admin('POST', '/lenses/stock/certified', {
    ...{ cert_id: 'items', question: 'How many items are there?', sql: 'select count(*) as items from main.stock' },
  });
  expect(draft.status, draft.text).toBe(201);
  expect((await admin('POST', '/lenses/stock/certified/items/approve', {})).status).toBe(200);
  expect((await shortage()).join()).toContain('has 1 approved');
});
