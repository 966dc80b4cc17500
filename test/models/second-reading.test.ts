// Agreement of two independent paths (issue 7): the planner's reading beside a model's own, where the operator asks for it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CANNOT, decision, type ModelsApp, playing, startModelsApp } from './models-app.ts';

const ALWAYS = `
typed_decisions: always
models:
  fast: {model: fast-1}
`;
let app: ModelsApp;
beforeAll(async () => {
  app = await startModelsApp(ALWAYS);
});
afterAll(() => app?.close());

const PLAIN = 'What was revenue in the West?';
const proposes = (plan: object) => app.models.script(playing({ decides: { say: decision('plan', { plan }) } }));
const regions = (...values: string[]) => [{ field: 'orders.region', op: values.length > 1 ? 'in' : '=', values }];
const agreement = (checks: { name: string; outcome: string; critical: boolean }[]) =>
  checks.find(({ name }) => name === 'readings_agree');

it('the same reading passes the check, and the answer stays verified', async () => {
  proposes({ metrics: ['revenue'], filters: regions('West') });
  const envelope = await app.ask(PLAIN);
  expect(envelope).toMatchObject({ status: 'answered', confidence: 'verified', data: [{ revenue: 710.5 }] });
  expect(agreement(envelope.checks)).toMatchObject({ outcome: 'pass', critical: false });
  expect(await app.modelCalls(envelope.request_id)).toHaveLength(1);
});

it('another reading lowers the grade and is named, and the rows stay those of the planner', async () => {
  proposes({ metrics: ['revenue'], filters: regions('East') });
  const envelope = await app.ask(PLAIN);
  expect(envelope).toMatchObject({ status: 'answered', confidence: 'partial', data: [{ revenue: 710.5 }] });
  expect(agreement(envelope.checks)?.outcome).toBe('fail');
  expect(envelope.warnings.join()).toContain('East');
});

it('a reading in other words that comes to the same rows agrees', async () => {
  proposes({
    metrics: ['revenue'],
    filters: [...regions('West'), { field: 'orders.region', op: '!=', values: ['East'] }],
  });
  expect(await app.ask(PLAIN)).toMatchObject({ confidence: 'verified' });
});

it('12: SQL may be the second reading, and columns that were not asked for do not matter', async () => {
  const says = (sql: string) => app.models.script(playing({ decides: { say: decision('sql', { sql }) } }));
  says("select region, sum(sales) as total, count(*) as n from main.orders where region = 'West' group by region");
  const agreed = await app.ask(PLAIN);
  expect(agreed).toMatchObject({ confidence: 'verified', data: [{ revenue: 710.5 }] });
  expect(agreement(agreed.checks)?.outcome).toBe('pass');
  says("select region, sum(profit) as total from main.orders where region = 'West' group by region");
  expect(await app.ask(PLAIN)).toMatchObject({ confidence: 'partial', data: [{ revenue: 710.5 }] });
});

it('a model that finds the question unanswerable lowers the grade', async () => {
  app.models.script(playing({ decides: CANNOT }));
  expect(await app.ask(PLAIN)).toMatchObject({ status: 'answered', confidence: 'partial' });
});

it('a model that is away, or says what the lens does not hold, changes nothing', async () => {
  proposes({ metrics: ['secrets'] });
  expect(await app.ask(PLAIN)).toMatchObject({ confidence: 'verified' });
  app.models.script(playing({}));
  const envelope = await app.ask(PLAIN);
  expect(envelope).toMatchObject({ status: 'answered', confidence: 'verified' });
  expect(agreement(envelope.checks)?.outcome).toBe('not_applicable');
});
