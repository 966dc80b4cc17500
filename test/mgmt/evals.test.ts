import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
  app.send({ method, url: `/mgmt/lenses/shop/evals${path}`, token: app.adminToken, ...(payload && { payload }) });
async function run(body: object = {}) {
  const { status, body: startBody } = await call('POST', '/run', body);
  expect(status).toBe(202);
  expect(await app.runEnds(startBody.run_id)).toMatchObject({ state: 'succeeded', error: null });
  return (await call('GET', `/runs/${startBody.run_id}`)).body;
}
const app = await startTestApp();

describe('evals', () => {
  it('check answers, clarifications and refusals, and give a reason for each failure', async () => {
    const cases = [
      {
        id: 'by-region',
        question: 'What was revenue by region in 2016?',
        paraphrases: ['Revenue per region in 2016'],
        expect: {
          sql: "select region, sum(sales) from orders where order_date >= date '2016-01-01' and order_date < date '2017-01-01' group by region",
        },
      },
      { id: 'margin', question: 'What was the margin?', expect: { clarification: 'ambiguous_term' } },
      { id: 'unicorns', question: 'How many unicorns sold?', expect: { status: 'refused' } },
      { id: 'absent', question: 'What was revenue in region "Atlantis"?', expect: { clarification: 'unknown_value' } },
      { id: 'wrong-number', question: 'What was revenue?', expect: { value: 1 } },
      { id: 'wrong-grain', question: 'What was revenue by region?', expect: { sql: 'select sum(sales) from orders' } },
      {
        id: 'wrong-filter',
        question: 'What was revenue in the West?',
        expect: { sql: "select sum(sales) from orders where region = 'East'" },
      },
      { id: 'broken', question: 'What was profit?', expect: { sql: 'select nothing from orders' } },
    ];
    for (const item of cases) expect((await call('POST', '', item)).status, item.id).toBe(201);
    const finishedRun = await run();
    const reasons = Object.fromEntries(
      finishedRun.cases.map((one: { id: string; reason: string | null }) => [one.id, one.reason]),
    );
    expect(reasons).toEqual({
      'by-region': null,
      margin: null,
      unicorns: null,
      absent: null,
      'wrong-number': 'wrong_value',
      'wrong-grain': 'wrong_grain',
      'wrong-filter': 'wrong_filter',
      broken: 'expectation_failed',
    });
    expect(finishedRun.summary).toMatchObject({
      cases: 8,
      passed: 4,
      failed: 4,
      accuracy: 0.2,
      clarification_accuracy: 1,
      refusal: { precision: 1, recall: 1 },
      paraphrase_stability: 1,
      by_grade: { verified: { answers: 4, right: 1 } },
      by_reader: [
        // One of its two expectations fails, so the question counts as wrong.
        { reader: 'certified', questions: 1, right: 0, verified: 1, verified_but_wrong: 1 },
        { reader: 'reader', questions: 3, right: 1, verified: 3, verified_but_wrong: 2 },
      ],
      wrong_answers: 3,
      regressed: [],
      compared_with: null,
    });
  });

  it('report fixed and regressed cases since the previous run, and list the runs', async () => {
    await call('PATCH', '/broken', { expect: { status: 'answered' } });
    await call('PATCH', '/unicorns', { expect: { value: 3 } });
    const { items } = (await call('GET', '/runs')).body;
    const finishedRun = await run();
    const compared_with = { run_id: items[0].run_id, lens_version: 1 };
    expect(finishedRun.summary).toMatchObject({ fixed: ['broken'], regressed: ['unicorns'], compared_with });
    const runs = await call('GET', '/runs');
    expect(runs.body.items.map((item: { run_id: string }) => item.run_id)[0]).toBe(finishedRun.run_id);
    const observed = await app.admin('GET', '/observe/evals');
    expect(observed.body.items.find((item: { lens: string }) => item.lens === 'shop')).toMatchObject({
      cases: 8,
      last_run: { run_id: finishedRun.run_id },
    });
    const only = await run({ ids: ['margin'] });
    expect(only.summary).toMatchObject({ cases: 1, accuracy: null });
    expect((await call('DELETE', '/broken')).body).toEqual({ ok: true });
  });

  it('leave no traces among the requests', async () => {
    expect((await app.admin('GET', '/observe/requests')).body.items).toEqual([]);
  });
});

describe('evals refuse', () => {
  it('taken and unknown ids, and invalid expectations', async () => {
    expect((await call('POST', '', { id: 'margin', question: 'Again?', expect: { value: 1 } })).status).toBe(409);
    expect((await call('POST', '', { id: 'odd', question: 'Again?', expect: { colour: 1 } })).status).toBe(422);
    expect((await call('POST', '/run', { ids: ['nope'] })).status).toBe(422);
    expect((await call('PATCH', '/nope', {})).status).toBe(404);
  });
});
