// A weak model on a real server: svc grades none of its answers verified, and the guard checks all of its SQL. npm run
// models:real runs this test and passes the address of the server. Without an address, the test is skipped.
import { beforeAll, describe, expect, it } from 'vitest';
import { createOpenAiModel } from '../../src/adapters/language-model/openai.ts';
import type { Envelope } from '../../src/contract/ask.ts';
import { ModelFault } from '../../src/domain/model-fault.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { ROOT } from '../support/own-process.ts';

const baseUrl = process.env['SVC_REAL_MODEL_URL'];
const ASKED = Number(process.env['SVC_REAL_MODEL_QUESTIONS'] ?? 200);

/** Questions with words that the lenses lack, so that svc asks the model. */
const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  superstore: ['How much dough came in', 'What did we rake in', 'Which buyers are loaded', 'Where do we bleed money'],
  flights: ['How late do planes roll in', 'Which hubs are a mess', 'How many birds got grounded', 'Who flies furthest'],
};
const ENDS = [
  '',
  'by region',
  'in 2016',
  'last year',
  'by month',
  'in Texas',
  'for each state',
  'the most',
  'at night',
];

describe.skipIf(!baseUrl)('a real model endpoint', () => {
  let svc: TestApp;
  const entry = { provider: 'openai', model: 'SmolLM2-135M', base_url: baseUrl, api_key: 'none', timeout_ms: 7_000 };
  const model = () => createOpenAiModel({ ...entry, entry: 'fast', baseUrl: baseUrl!, apiKey: 'none', price: null });
  beforeAll(async () => {
    svc = await startTestApp({ project: ROOT, operator: { models: { fast: entry, smart: entry } } });
  }, 120_000);

  it('returns text, returns JSON or is reported as unusable, and stops at the deadline or on cancellation', async () => {
    const { text, usage } = await model().write({ system: 'Be brief.', user: 'Say hello.', deadlineMs: 60_000 });
    expect(text).not.toBe('');
    expect(usage.tokensOut).toBeGreaterThan(0);
    const properties = { even: { type: 'boolean' } };
    const schema = { type: 'object', properties, required: ['even'], additionalProperties: false };
    const decideRequest = {
      system: 'Answer in JSON.',
      user: 'Is 2 even?',
      schemaName: 'parity',
      schema,
      deadlineMs: 60_000,
    };
    const decided = await model()
      .decide(decideRequest)
      .catch((fault: unknown) => fault);
    if (decided instanceof ModelFault) expect(decided.usage.outcome).toMatch(/^(?:unusable|truncated|invalid_json)$/);
    else expect(decided).toMatchObject({ value: expect.any(Object) });
    const story = { system: '', user: 'Tell a very long story.' };
    await expect(model().write({ ...story, deadlineMs: 1_000 })).rejects.toMatchObject({ code: 'timeout' });
    const abortedWrite = model().write({ ...story, deadlineMs: 60_000, signal: AbortSignal.timeout(1_000) });
    await expect(abortedWrite).rejects.toBeInstanceOf(Error);
  }, 200_000);

  it(`${ASKED} questions: grades no model answer verified, and runs no SQL outside the lens`, async () => {
    const seen: Record<string, number> = {};
    const lenses = Object.keys(QUESTIONS);
    for (let nth = 0; nth < ASKED; nth++) {
      const lens = lenses[nth % lenses.length]!;
      const begun = QUESTIONS[lens]!;
      const round = Math.floor(nth / lenses.length);
      const q = `${begun[round % begun.length]} ${ENDS[Math.floor(round / begun.length) % ENDS.length]}`.trim();
      const { body } = await svc.post<Envelope>(`/v1/lenses/${lens}/query`, { q: `${q}?`, format: 'structured' });
      const calls = (await svc.deps.traces.find(svc.orgId, body.request_id))?.modelCalls ?? [];
      for (const key of [
        `${body.status} ${body.plan} ${body.confidence}`,
        ...calls.map(({ outcome }) => `call ${outcome}`),
      ])
        seen[key] = (seen[key] ?? 0) + 1;
      const bodyText = JSON.stringify(body);
      if (calls.length > 0) expect(body.confidence, bodyText).not.toBe('verified');
      if (body.status === 'answered')
        expect(body.checks.find(({ name }) => name === 'lens_scope')?.outcome, bodyText).toBe('pass');
      else expect(body, bodyText).toMatchObject({ data: null, receipt: null });
    }
    console.log(`${ASKED} questions:`, seen);
    expect(Object.keys(seen).some((key) => key.startsWith('call '))).toBe(true);
  }, 7_200_000);
});
