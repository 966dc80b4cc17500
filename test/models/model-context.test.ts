import { expect, it } from 'vitest';
import { CANNOT, decision, scriptRoles, startModelsApp } from './models-app.ts';

const STRANGE = 'How much dough did the shop rake in by region?';
const app = await startModelsApp();
const drillDown = async (requestId: string) => (await app.svc.admin('GET', `/observe/requests/${requestId}`)).body;
const framedLens = (system: string): string =>
  /<lens untrusted="true">\n([\s\S]*?)\n<\/lens>$/.exec(system)![1]!.replaceAll('<\\/', '</');

it('returns in /context the lens as model calls receive it, including examples', async () => {
  app.models.script(scriptRoles({ decides: CANNOT, writesSql: { say: 'UNANSWERABLE' } }));
  await app.ask(STRANGE);
  const path = `/mgmt/lenses/shop/context?q=${encodeURIComponent(STRANGE)}`;
  const { body } = await app.svc.get(path, app.svc.adminToken);
  expect(body.context).toMatch(/^lens shop \(duckdb, timezone UTC\)/);
  expect(body.context).toMatch(/^today is \w+day \d{4}-\d\d-\d\d$/m);
  expect(body.context).toMatch(/^approved: .+\n *select /m);
  expect(app.models.requests.map(({ structured }) => structured)).toEqual([true, false]);
  const systems = app.models.requests.map(({ system }) => system);
  expect(new Set(systems).size).toBe(1);
  expect(framedLens(systems[0]!)).toBe(body.context);
  expect(body.characters).toBe(body.context.length);
});

it('shows a model no values that a row policy can hide from the caller', async () => {
  const attributes = { region: 'West' };
  const { key } = await app.svc.mintCaller({ name: 'wendy', lenses: ['shop'], groups: ['field'], attributes });
  for (const [caller, isShown] of [
    [undefined, true],
    [key, false],
  ] as const) {
    app.models.script(scriptRoles({ decides: CANNOT, writesSql: { say: 'UNANSWERABLE' } }));
    await app.svc.post('/v1/lenses/shop/query', { q: STRANGE }, caller);
    expect(/Central|Home Office/.test(framedLens(app.models.requests[0]!.system))).toBe(isShown);
  }
});

it('shows the parts of a large lens that a question concerns, and names the rest', async () => {
  const field = 'A note of some length on what this column holds and why it is there at all, for whoever reads it.';
  const part = (n: number) =>
    `  part_${n}: {source: main.orders, fields: {region: {datatype: string}, sales: {datatype: decimal, description: "${field} ${field} ${field}"}}}`;
  const parts = Array.from({ length: 120 }, (_, n) => part(n));
  const gadgets = '  gadgets: {source: main.orders, synonyms: [gizmos], fields: {region: {datatype: string}}}';
  const lens = [
    'name: wide',
    'title: Wide',
    'description: Many parts.',
    'connection: shop',
    'datasets:',
    ...parts,
    gadgets,
    '',
  ].join('\n');
  const publishReply = await app.svc.publishLens('wide', lens);
  expect(publishReply.status, publishReply.text).toBeLessThan(300);
  const contextFor = async (q: string) =>
    (await app.svc.admin('GET', `/lenses/wide/context?q=${encodeURIComponent(q)}`)).body.context;
  const contextText = await contextFor('how many gizmos by region?');
  expect(contextText.length).toBeLessThan(13_000);
  expect(contextText).toContain('\ntable gadgets');
  expect(contextText).toMatch(/^left out here.*: .*part_119/m);
  expect(await contextFor('sales of part_117')).toContain('\ntable part_117');
});

it('counts the tokens of every model call in the usage of a chat', async () => {
  const plan = { metrics: ['revenue'], dimensions: ['orders.region'] };
  app.models.script(
    scriptRoles({
      decides: { say: decision('plan', { plan }), tokens: [1000, 11] },
      composes: { say: 'West made 710.50 USD.', tokens: [200, 7] },
    }),
  );
  const { body } = await app.svc.post('/v1/chat/completions', {
    ...{ model: 'svc/shop', messages: [{ role: 'user', content: STRANGE }] },
  });
  expect(body.svc.status).toBe('answered');
  expect(body.usage).toEqual({ prompt_tokens: 1200, completion_tokens: 18, total_tokens: 1218 });
});

it('shows a model the earlier questions of a conversation', async () => {
  app.models.script(scriptRoles({ decides: CANNOT, writesSql: { say: 'UNANSWERABLE' } }));
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

it('logs SQL that the guard refuses, with its text and the reason', async () => {
  for (const sql of [
    'drop table main.orders',
    "select * from read_csv('/etc/passwd')",
    'select secret from main.orders',
  ]) {
    const refusal = await app.svc.post('/v1/sql', { lens: 'shop', sql });
    expect(refusal.status).toBe(422);
    const kept = await drillDown(refusal.body.error.request_id);
    expect(kept, sql).toMatchObject({
      ...{ sql, outcome: 'guard_refused' },
      guard: { verdict: 'refused', reason: refusal.body.error.message, details: refusal.body.error.details },
    });
    expect(refusal.text).not.toContain('superuser');
  }
  const dry = await app.svc.post('/v1/sql', { lens: 'shop', sql: 'delete from main.orders', dry_run: true });
  expect(await drillDown(dry.body.error.request_id)).toMatchObject({ sql: 'delete from main.orders' });
});

it('logs SQL of a model that the guard refuses, with its text and the reason', async () => {
  const sql = 'select customer_secret from main.orders';
  app.models.script(scriptRoles({ decides: CANNOT, writesSql: { say: sql } }));
  const { request_id } = await app.ask(STRANGE);
  const { steps } = await drillDown(request_id);
  const refusedSteps = steps.filter(({ name }: { name: string }) => name === 'model_sql');
  expect(refusedSteps).toHaveLength(3);
  expect(refusedSteps[0].detail).toMatch(/^refused: .+\nselect customer_secret from main\.orders$/s);
});
