// What a model is shown, what its calls cost, and what is kept of statements that were refused.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ModelsApp, playing, startModelsApp } from './models-app.ts';

const STRANGE = 'How much dough did the shop rake in by region?';
let app: ModelsApp;
beforeAll(async () => {
  app = await startModelsApp();
});
afterAll(() => app?.close());
const drillDown = async (requestId: string) =>
  (await app.svc.get(`/mgmt/observe/requests/${requestId}`, app.svc.adminToken)).body;
const framedLens = (user: string): string =>
  /^<lens untrusted="true">\n([\s\S]*?)\n<\/lens>/.exec(user)![1]!.replaceAll('<\\/', '</');

it('8.14: /context is what each call that reads the question is sent, examples included', async () => {
  app.models.script(
    playing({ decides: { say: { answerable: true, intent: null } }, writesSql: { say: 'UNANSWERABLE' } }),
  );
  await app.ask(STRANGE);
  const path = `/mgmt/lenses/shop/context?q=${encodeURIComponent(STRANGE)}`;
  const { body } = await app.svc.get(path, app.svc.adminToken);
  expect(body.context.approved_examples.length).toBeGreaterThan(0);
  expect(app.models.requests.map(({ structured }) => structured)).toEqual([true, false]);
  for (const { user } of app.models.requests) {
    expect(JSON.parse(framedLens(user))).toEqual(body.context);
    expect(framedLens(user)).toHaveLength(body.characters);
  }
});

it('8.14: usage of a chat counts the tokens of every model that took part', async () => {
  const intent = { metrics: ['revenue'], dimensions: ['orders.region'] };
  app.models.script(
    playing({
      decides: { say: { answerable: true, intent }, tokens: [1000, 11] },
      composes: { say: 'West made 710.50 USD.', tokens: [200, 7] },
    }),
  );
  const { body } = await app.svc.post('/v1/chat/completions', {
    ...{ model: 'svc/shop', messages: [{ role: 'user', content: STRANGE }] },
  });
  expect(body.svc.status).toBe('answered');
  expect(body.usage).toEqual({ prompt_tokens: 1200, completion_tokens: 18, total_tokens: 1218 });
});

it('8.19: a model that reads a turn of a conversation is shown the questions before it', async () => {
  app.models.script(playing({ decides: { say: { answerable: false, intent: null } } }));
  await app.svc.post('/v1/chat/completions', {
    model: 'svc/shop',
    messages: ['How much dough did the West rake in?', 'and how is the East doing dough-wise?'].map((content) => ({
      ...{ role: 'user', content },
    })),
  });
  expect(app.models.requests[0]!.user).toMatch(
    /<earlier_questions untrusted="true">\nHow much dough did the West rake in\?\n<\/earlier_questions>\n<question/,
  );
});

it('8.14: SQL that the guard refused is in the log, with its text and the reason', async () => {
  for (const sql of [
    'drop table main.orders',
    "select * from read_csv('/etc/passwd')",
    'select secret from main.orders',
  ]) {
    const refused = await app.svc.post('/v1/sql', { lens: 'shop', sql });
    expect(refused.status).toBe(422);
    const kept = await drillDown(refused.body.error.request_id);
    expect(kept, sql).toMatchObject({
      ...{ sql, outcome: 'guard_refused' },
      guard: { verdict: 'refused', reason: refused.body.error.message, details: refused.body.error.details },
    });
    expect(refused.text).not.toContain('superuser');
  }
  const dry = await app.svc.post('/v1/sql', { lens: 'shop', sql: 'delete from main.orders', dry_run: true });
  expect(await drillDown(dry.body.error.request_id)).toMatchObject({ sql: 'delete from main.orders' });
});

it('8.14: so is what a model wrote and the guard refused', async () => {
  const sql = 'select customer_secret from main.orders';
  app.models.script(playing({ decides: { say: { answerable: true, intent: null } }, writesSql: { say: sql } }));
  const { request_id } = await app.ask(STRANGE);
  const { steps } = await drillDown(request_id);
  const refused = steps.filter(({ name }: { name: string }) => name === 'model_sql');
  expect(refused).toHaveLength(3);
  expect(refused[0].detail).toMatch(/^refused: .+\nselect customer_secret from main\.orders$/s);
});
