import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startTestApp, type TestApp } from '../support/app.ts';

const BILLING = fileURLToPath(new URL('../fixtures/billing', import.meta.url));
const [sample, billing] = await Promise.all([startTestApp({ project: '.' }), startTestApp({ project: BILLING })]);

const ask = async (q: string): Promise<Envelope> =>
  (await sample.post<Envelope>('/v1/lenses/superstore/query', { q })).body;
const postChat = async (app: TestApp, model: string, turns: string[], extraMembers = {}): Promise<Envelope> => {
  const messages = turns.map((content) => ({ role: 'user', content }));
  return (await app.post('/v1/chat/completions', { model, messages, ...extraMembers })).body.svc;
};

it('ignores case in contains and starts with, in a question and in a plan', async () => {
  for (const [q, op, value] of [
    ['products whose product name contains "SAFCO"', 'contains', 'SAFCO'],
    ['products whose product name starts with "xerox"', 'starts_with', 'xerox'],
  ] as const) {
    const asked = await ask(q);
    expect(asked.status).toBe('answered');
    const body = {
      dimensions: ['product_name'],
      filters: [{ field: 'product_name', op, values: [value] }],
      distinct: true,
    };
    const planEnvelope = (await sample.post<Envelope>('/v1/lenses/superstore/metrics', body)).body;
    const names = (envelope: Envelope) => new Set(envelope.data!.map((row) => row['product_name']));
    expect(names(planEnvelope).size).toBeGreaterThan(1);
    expect(names(asked)).toEqual(names(planEnvelope));
  }
});

it('states the start and the end of a relative period', async () => {
  for (const period of ['in the last 7 days', 'in the last 6 months', 'last month', 'year to date']) {
    const { answer, scope } = await ask(`revenue ${period}`);
    const { from, to } = scope!.time!;
    expect(answer).toContain(from);
    expect(answer).toContain(to);
  }
});

it('refuses distinct in a plan with metrics', async () => {
  const body = { metrics: ['revenue'], dimensions: ['region'], distinct: true };
  const { status, body: errorBody } = await sample.post('/v1/lenses/superstore/metrics', body);
  expect([status, errorBody.error.param]).toEqual([422, 'distinct']);
});

it('resolves a date clarification by choices over HTTP, chat and MCP, and by the next chat turn', async () => {
  const q = 'billed amount by month in 2024';
  const lens = '/v1/lenses/billing/query';
  const { clarification } = (await billing.post<Envelope>(lens, { q })).body;
  const [first] = clarification!.options as { key: string; label: string }[];
  const choices = { [clarification!.term]: first!.key };
  const settled = [
    (await billing.post<Envelope>(lens, { q, choices })).body,
    await postChat(billing, 'svc/billing', [q], { choices }),
    await postChat(billing, 'svc/billing', [q, first!.label]),
    (await billing.callTool<Envelope>('query', { lens: 'billing', q, choices })).structuredContent,
  ];
  for (const envelope of settled)
    expect([envelope.status, envelope.scope?.time?.field]).toEqual(['answered', 'invoices.issued_on']);
});

it('takes the name of a lens as the next turn to svc/auto, and keeps that lens for later turns', async () => {
  const files = {
    'svc.config.yaml':
      'connections:\n  desk: {kind: duckdb, files: {invoices: {path: ./data/customers.csv, select: select plan as status from source}}}\n',
    ...Object.fromEntries(
      [
        ['north', 'Northern desk', 'bills'],
        ['south', 'Southern desk', 'bills'],
        ['east', 'Eastern desk', 'refunds'],
      ].map(([name, title, metric]) => [
        `lenses/${name}/lens.yaml`,
        `name: ${name}\ntitle: ${title}\ndescription: Bills.\nconnection: desk\ndatasets:\n  invoices: {source: main.invoices, description: Bills., fields: {status: {datatype: string, values: auto}}}\nmetrics:\n  ${metric}: {expression: count(*), dataset: invoices, description: Bills.}\n`,
      ]),
    ),
  };
  const twins = await startTestApp({ project: BILLING, files });
  try {
    const q = 'bills by status';
    expect(await postChat(twins, 'svc/auto', [q])).toMatchObject({
      status: 'uncovered',
      answer: expect.stringContaining('send the name of a lens'),
    });
    for (const lensWords of ['south', 'Southern desk', 'svc/south', 'the south lens'])
      expect(await postChat(twins, 'svc/auto', [q, lensWords])).toMatchObject({ status: 'answered', lens: 'south' });
    expect(await postChat(twins, 'svc/auto', [q, 'south', 'how many bills are there'])).toMatchObject({
      status: 'answered',
      lens: 'south',
    });
    // These questions fit only one lens, so svc must find that lens.
    expect(await postChat(twins, 'svc/auto', [q, 'south', 'how many refunds are there'])).toMatchObject({
      status: 'answered',
      lens: 'east',
      routing: { why: expect.stringContaining('refunds') },
    });
    expect(await postChat(twins, 'svc/auto', ['how many refunds are there', 'south'])).toMatchObject({
      status: 'uncovered',
      data: null,
    });
  } finally {
    await twins.close();
  }
});

it('returns unknown words and a proposal with a refusal over chat and MCP too', async () => {
  const q = 'revenue by warehouse and regoin';
  const messages = [{ role: 'user', content: q }];
  const chatBody = (await sample.post('/v1/chat/completions', { model: 'svc/superstore', messages })).body;
  const text = chatBody.choices[0].message.content as string;
  expect(text).toContain('"warehouse"');
  expect(text).toContain('orders.region');
  expect(text).toMatch(/svc can answer this part: Revenue by region\..*left out "warehouse"/);
  const result = await sample.callTool('query', { lens: 'superstore', q });
  expect(result.structuredContent.unplaced.map((item: { text: string }) => item.text)).toEqual(['warehouse', 'regoin']);
  expect(result.content[0]!.text).toContain(JSON.stringify(result.structuredContent.proposal.plan));
  const plan = result.structuredContent.proposal.plan;
  const sent = await sample.callTool('query_metrics', { lens: 'superstore', ...plan });
  expect(sent.structuredContent).toMatchObject({ ok: true, status: 'answered' });
});
