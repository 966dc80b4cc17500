import { describe, expect, it } from 'vitest';
import { caseRows } from '../support/case-rows.ts';
import { cell, openPlanStage, type Plan, sortRows } from './stage.ts';

const stage = await openPlanStage(['duckdb'], (lens) =>
  lens
    .replace('client_name: {datatype: string, values: auto}', 'client_name: {datatype: string, mask: true}')
    .concat(
      `row_policies:\n  - {name: cards-only, dataset: payments, filter: "payments.method = 'card'", groups: [cards]}\n`,
    ),
);
const key = (await stage.svc.mintCaller({ name: 'till', lenses: ['duckdb'], groups: ['cards'] })).key;

const ask = (plan: Plan) => stage.svc.post('/v1/lenses/duckdb/metrics', plan, key);

describe('row policies', () => {
  it.each<[string, Plan, string]>(caseRows(import.meta.dirname, 'governed.jsonl', 'row policies'))(
    'apply to %s',
    async (_name, plan, sql) => {
      const { body } = await ask(plan);
      expect(body.scope?.row_policies).toEqual(['cards-only']);
      const rows = (body.data as Record<string, unknown>[]).map((row) => Object.values(row).map(cell));
      expect(sortRows(rows)).toEqual(sortRows(await stage.byHand('duckdb', sql)));
    },
  );
});

describe('masks', () => {
  const masked = 'clients.client_name';
  it.each<[string, Plan]>(caseRows(import.meta.dirname, 'governed.jsonl', 'masks'))(
    'refuse a masked field in this use: %s',
    async (_name, plan) => {
      const { status, body } = await ask(plan);
      expect({ status, codes: body.error?.details.map(({ code }: { code: string }) => code) }).toEqual({
        status: 422,
        codes: expect.arrayContaining(['masked']),
      });
    },
  );

  it('allow a distinct count of a masked field', async () => {
    const { body } = await ask({ measures: [{ fn: 'count_distinct', field: masked }] });
    expect(Object.values(body.data[0])).toEqual([5]);
  });
});
