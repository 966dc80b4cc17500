// A plan that can't be right is a 422 that names the place and what is valid there; nothing of it is dropped.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { badPlans } from './bad-plans.ts';
import { openPlanStage, type PlanStage } from './stage.ts';

let stage: PlanStage;
beforeAll(async () => {
  stage = await openPlanStage(['duckdb']);
}, 120_000);
afterAll(() => stage?.close());

const SEED = Number(process.env['PLAN_SEED'] ?? 11);

it('11.3: a thousand bad plans are each a 422 that names the path and a valid neighbour', async () => {
  const failures: Record<string, string[]> = {};
  for (const { what, plan, path, neighbours } of badPlans(SEED, 1000)) {
    const { status, body } = await stage.svc.post('/v1/lenses/duckdb/metrics', plan);
    const details: { path: string; message: string }[] = body.error?.details ?? [];
    const fault = details.find((one) => path.test(one.path));
    const named = fault && neighbours.some((one) => fault.message.includes(one));
    if (status === 422 && named) continue;
    const said = `${status} ${JSON.stringify(details).slice(0, 400)} for ${JSON.stringify(plan).slice(0, 300)}, wanted ${path} naming ${neighbours.join(' or ')}`;
    failures[what] = [...(failures[what] ?? []), said];
  }
  const told = Object.entries(failures).map(([what, all]) => `${what} (${all.length}): ${all[0]}`);
  expect(told).toEqual([]);
}, 300_000);

const monthly = {
  measures: [{ fn: 'count', rows: 'payments' }],
  dimensions: ['payments.paid_on.month'],
  every: 'payments.paid_on.month',
};
it.each<[string, object, string, RegExp]>([
  [
    'more days than can be shown',
    {
      ...monthly,
      ...{ dimensions: ['payments.paid_on.day'], every: 'payments.paid_on.day' },
      time: { field: 'payments.paid_on', from: '2020-01-01', to: '2025-01-01' },
    },
    'every',
    /more than 400 days.*shorter time or a longer period/,
  ],
  ['a period that is not shown', { ...monthly, dimensions: ['payments.method'] }, 'every', /not among the dimensions/],
  ['a part of the calendar', { ...monthly, every: 'payments.paid_on.weekday' }, 'every', /\.day \.week \.month/],
  ['a date without a period', { ...monthly, every: 'payments.paid_on' }, 'every', /\.day \.week \.month/],
  [
    'ends that the filters leave open',
    { ...monthly, filters: [{ not: { field: 'payments.paid_on', during: '2024-02' } }] },
    'every',
    /don't say its first and last month/,
  ],
  [
    'no rows to tell the ends',
    { ...monthly, filters: [{ field: 'payments.amount', op: '>', values: [1_000_000] }] },
    'every',
    /from when to when/,
  ],
])('29: every period: %s', async (_name, plan, path, message) => {
  const { status, body } = await stage.svc.post('/v1/lenses/duckdb/metrics', plan);
  expect([status, body.error?.details[0]?.path]).toEqual([422, path]);
  expect(body.error.message).toMatch(message);
});
