import { describe, expect, it } from 'vitest';
import { caseRows } from '../support/case-rows.ts';
import { CASES, goldOf, LISTING_ORDERS } from './cases.ts';
import { cell, ENGINES, openPlanStage, type Plan, sortRows } from './stage.ts';

const stage = await openPlanStage();

describe.each(ENGINES)('plans on %s', (engine) => {
  it.each([...CASES, ...LISTING_ORDERS].filter(({ without }) => without !== engine))(
    'return the rows of the reference SQL: $name',
    async ({ plan, sql, ordered }) => {
      const { status, body } = await stage.svc.post(`/v1/lenses/${engine}/metrics`, plan);
      expect({ status, said: body.error?.message ?? body.status }).toEqual({ status: 200, said: 'answered' });
      const rows = (body.data as Record<string, unknown>[]).map((row) => Object.values(row).map(cell));
      const gold = await stage.byHand(engine, goldOf({ sql }, engine));
      expect(ordered ? rows.map((row) => row.join(' | ')) : sortRows(rows)).toEqual(
        ordered ? gold.map((row) => row.join(' | ')) : sortRows(gold),
      );
      expect(gold.length).toBeGreaterThan(0);
    },
  );
});

it.each([
  ['split', { metrics: ['revenue'], dimensions: ['payments.amount'] }],
  ['restricted', { metrics: ['revenue'], filters: [{ field: 'payments.amount', op: '>', values: [1] }] }],
])('refuses a sum that is %s by the many side', async (_how, plan) => {
  const { status, body } = await stage.svc.post('/v1/lenses/duckdb/metrics', plan);
  expect([status, body.error.details[0].code]).toEqual([422, 'fan_out']);
});

it.skipIf(!ENGINES.includes('mysql'))('refuses a median over groups on an engine without medians', async () => {
  const measures = [{ fn: 'over_groups', take: 'median', of: 'revenue', by: ['jobs.kind'] }];
  const { status, body } = await stage.svc.post('/v1/lenses/mysql/metrics', { measures });
  expect([status, body.error.message]).toEqual([422, 'This warehouse has no median. Use avg, min or max.']);
});

it('names all faults of a plan at once, with the nearest names', async () => {
  const filters = [{ field: 'jobs.pric', op: '=', values: [1] }];
  const plan = { metrics: ['revenu'], dimensions: ['clients.ctiy'], filters };
  const { error } = (await stage.svc.post('/v1/lenses/duckdb/metrics', plan)).body;
  const places = error.details.map(({ path }: { path: string }) => path);
  expect(places).toEqual(['metrics[0]', 'dimensions[0]', 'filters[0].field']);
  expect(error.message).toMatch(/revenue.*city.*price/);
});

it.each([
  ['one sort key, which ties', ['jobs.kind'], {}, 'partial', 1],
  ['two sort keys, which don’t tie', ['jobs.kind', 'jobs.job_id'], {}, 'verified', 0],
  ['another limit, whose ties svc doesn’t check', ['jobs.kind', 'jobs.job_id'], { limit: 1 }, 'partial', 0],
  [
    'another limit, which cuts the ties',
    ['jobs.kind'],
    { limit: 1, limit_per: { by: ['jobs.kind'], rows: 1, ties: true } },
    'partial',
    0,
  ],
])('grades a limit per group with %s', async (_name, keys, more, confidence, warnings) => {
  const { body } = await stage.svc.post('/v1/lenses/duckdb/metrics', {
    rows: 'jobs',
    dimensions: ['jobs.kind', 'jobs.job_id'],
    order_by: keys.map((field) => ({ field })),
    limit_per: { by: ['jobs.kind'], rows: 1 },
    ...more,
  });
  expect([body.confidence, body.warnings.length]).toEqual([confidence, warnings]);
});

/** A right statement with its plan, and one with the common mistake that `wrong` has. */
interface Trap {
  name: string;
  kind: string;
  plan: Plan;
  right: string;
  wrong: string;
}

const TRAPS: readonly Trap[] = caseRows(import.meta.dirname, 'traps.jsonl');
describe.each(ENGINES)('plans for error-prone questions on %s', (engine) => {
  it.each(TRAPS)(
    'return the right rows, not those of the usual mistake: $kind: $name',
    async ({ plan, right, wrong }) => {
      const { status, body } = await stage.svc.post(`/v1/lenses/${engine}/metrics`, plan);
      expect({ status, said: body.error?.message ?? body.status }).toEqual({ status: 200, said: 'answered' });
      const rows = sortRows((body.data as Record<string, unknown>[]).map((row) => Object.values(row).map(cell)));
      expect(rows).toEqual(sortRows(await stage.byHand(engine, right)));
      expect(rows).not.toEqual(sortRows(await stage.byHand(engine, wrong)));
    },
  );
});

it('covers nine kinds of mistakes with at least thirty pairs of statements', () => {
  expect(TRAPS.length).toBeGreaterThanOrEqual(30);
  expect(new Set(TRAPS.map(({ kind }) => kind)).size).toBe(9);
});
