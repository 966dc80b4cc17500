import { expect, it } from 'vitest';
import { caseRows } from '../support/case-rows.ts';
import { badPlans } from './bad-plans.ts';
import { openPlanStage } from './stage.ts';

const stage = await openPlanStage(['duckdb']);

const SEED = Number(process.env['PLAN_SEED'] ?? 11);

it('refuses a thousand invalid plans with 422, the path and a valid name', async () => {
  const failures: Record<string, string[]> = {};
  for (const { what, plan, path, neighbours } of badPlans(SEED, 1000)) {
    const { status, body } = await stage.svc.post('/v1/lenses/duckdb/metrics', plan);
    const details: { path: string; message: string }[] = body.error?.details ?? [];
    const fault = details.find((detail) => detail.path.startsWith(path));
    const isNamed = fault && neighbours.some((neighbour) => fault.message.includes(neighbour));
    if (status === 422 && isNamed) continue;
    const failureText = `${status} ${JSON.stringify(details).slice(0, 400)} for ${JSON.stringify(plan).slice(0, 300)}, wanted ${path} naming ${neighbours.join(' or ')}`;
    failures[what] = [...(failures[what] ?? []), failureText];
  }
  const failureLines = Object.entries(failures).map(([what, all]) => `${what} (${all.length}): ${all[0]}`);
  expect(failureLines).toEqual([]);
}, 300_000);

it.each<[string, object, string, RegExp]>(caseRows(import.meta.dirname, 'bad-plans.jsonl'))(
  'refuses a plan and names the place of the error: %s',
  async (_name, plan, path, message) => {
    const { status, body } = await stage.svc.post('/v1/lenses/duckdb/metrics', plan);
    expect([status, body.error?.details[0]?.path]).toEqual([422, path]);
    expect(body.error.message).toMatch(message);
  },
);

it.each([
  ['a measure of a dataset with several roles', { measures: [{ fn: 'count_distinct', field: 'region' }] }, 'sites'],
  [
    'a dataset that the measured rows have once',
    { measures: [{ fn: 'count', rows: 'jobs' }], dimensions: ['region'] },
    'sites',
  ],
  [
    'one of two fields that a join makes equal',
    { measures: [{ fn: 'count', rows: 'job_parts' }], dimensions: ['job_id'] },
    'job_parts',
  ],
])('accepts the bare name of a field: %s', async (_about, plan, dataset) => {
  const { body } = await stage.svc.post('/v1/lenses/duckdb/metrics', plan);
  const withDataset = JSON.parse(JSON.stringify(plan).replace(/"(region|job_id)"/, `"${dataset}.$1"`));
  const { body: qualified } = await stage.svc.post('/v1/lenses/duckdb/metrics', withDataset);
  expect([body.confidence, body.sql, body.data]).toEqual([qualified.confidence, qualified.sql, qualified.data]);
  expect(body.status).toBe('answered');
});
