// A plan that silently includes rows, leaves out rows or combines rows isn't verified.
import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { caseRows } from '../support/case-rows.ts';
import { openPlanStage, type Plan } from './stage.ts';

/** Adds the join columns as fields, so that plans can count their values. */
const { svc } = await openPlanStage(['duckdb'], (lens) =>
  lens
    .replace('      kind: {', '      client_id: {datatype: integer}\n      kind: {')
    .replace('      paid_on: {', '      job_id: {datatype: integer}\n      paid_on: {'),
);

describe.each(['counted_once', 'nulls_stated', 'names_distinct'])('%s', (check) => {
  it.each<[string, Plan, string | null]>(caseRows(import.meta.dirname, 'graded.jsonl', check))(
    'judges %s',
    async (_name, plan, warning) => {
      const { body } = await svc.post<Envelope>('/v1/lenses/duckdb/metrics', plan);
      expect([body.confidence, body.warnings]).toEqual(warning === null ? ['verified', []] : ['partial', [warning]]);
      expect(body.checks.find(({ name }) => name === check)?.outcome).toBe(warning === null ? 'pass' : 'fail');
    },
  );
});
