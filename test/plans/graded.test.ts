import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { caseRows } from '../support/case-rows.ts';
import { openPlanStage, type Plan } from './stage.ts';

const CLOCKS_ONLY = `row_policies:
  - {name: clock-jobs, dataset: jobs, filter: "jobs.kind = 'clock'", groups: [cards]}
  - {name: clock-payments, dataset: payments, filter: "jobs.kind = 'clock'", groups: [cards]}
`;
/** Adds the columns of joins to the fields, so that plans can count their values. */
const { svc } = await openPlanStage(['duckdb'], (lens) =>
  lens
    .replace('      kind: {', '      client_id: {datatype: integer}\n      kind: {')
    .replace('      paid_on: {', '      job_id: {datatype: integer}\n      paid_on: {')
    .concat(CLOCKS_ONLY),
);

describe.each(['counted_once', 'nulls_stated', 'names_distinct', 'groups_complete', 'rows_complete'])('%s', (check) => {
  it.each<[string, Plan, string | null, string?]>(caseRows(import.meta.dirname, 'graded.jsonl', check))(
    'judges %s',
    async (_name, plan, warning, note) => {
      const { body } = await svc.post<Envelope>('/v1/lenses/duckdb/metrics', plan);
      expect(body.confidence).toBe(warning === null ? 'verified' : 'partial');
      expect(new Set(body.warnings)).toEqual(new Set([warning, note].filter((text) => typeof text === 'string')));
      const outcome = body.checks.find(({ name }) => name === check)?.outcome ?? 'pass';
      expect(outcome).toBe(warning === null ? 'pass' : 'fail');
    },
  );
});

it('answers if it can’t look for excluded rows without the groupings', async () => {
  for (const measure of [
    { fn: 'count_distinct', field: 'sites.site_name' },
    { fn: 'count', rows: 'sites' },
  ]) {
    const filters = [{ field: 'clients.city', op: '!=', values: ['Leeds'] }];
    const plan = { measures: [measure], dimensions: ['jobs.kind'], filters };
    const { body } = await svc.post<Envelope>('/v1/lenses/duckdb/metrics', plan);
    const check = body.checks?.find(({ name }) => name === 'counted_once');
    expect([body.confidence, check?.outcome]).toEqual(['partial', 'unknown']);
  }
});

it.each([
  ['measures of one dataset', ['revenue', 'job_count'], 'verified', []],
  ['measures of two datasets with the same policy', ['revenue', 'paid'], 'verified', []],
  [
    'measures of a dataset with and a dataset without a policy',
    ['revenue', 'minutes_worked'],
    'partial',
    ['The row policy clock-jobs hides rows of jobs. svc treats the hidden rows as missing.'],
  ],
])('judges missing values under row policies for %s', async (_name, metrics, confidence, warnings) => {
  const { key } = await svc.mintCaller({ name: metrics.join('-'), lenses: ['duckdb'], groups: ['cards'] });
  const plan = { metrics, filters: [{ field: 'jobs.rating', op: 'is_null' }] };
  const { body } = await svc.post<Envelope>('/v1/lenses/duckdb/metrics', plan, key);
  expect([body.confidence, body.warnings]).toEqual([confidence, warnings]);
});
