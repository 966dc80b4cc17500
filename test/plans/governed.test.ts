// Row policies and masks apply wherever a plan reads data: in joins, subqueries, aggregates and on the many side.
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
  it.each<[string, Plan, string]>(caseRows(import.meta.dirname, 'governed.jsonl'))(
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
  it.each<[string, Plan]>([
    ['a group', { metrics: ['revenue'], dimensions: [masked] }],
    ['a condition', { metrics: ['revenue'], filters: [{ field: masked, values: ['Ada Moss'] }] }],
    [
      'a condition within a measure',
      { measures: [{ fn: 'count', rows: 'jobs', where: [{ field: masked, values: ['Ada Moss'] }] }] },
    ],
    [
      'a condition behind exists',
      {
        rows: 'sites',
        dimensions: ['sites.site_name'],
        filters: [{ exists: 'jobs', where: [{ not: { field: masked, values: ['Ada Moss'] } }] }],
      },
    ],
    [
      'a yes-or-no group',
      {
        measures: [{ fn: 'count', rows: 'clients' }],
        dimensions: [{ when: [{ field: masked, op: 'starts_with', values: ['A'] }], as: 'a' }],
      },
    ],
    [
      'a comparison with another field',
      {
        rows: 'clients',
        dimensions: ['clients.city'],
        filters: [{ field: 'clients.city', op: '<', other: { field: masked } }],
      },
    ],
    [
      'a comparison with an aggregate',
      {
        rows: 'clients',
        dimensions: ['clients.city'],
        filters: [{ field: 'clients.city', op: '<', than: { fn: 'max', field: masked } }],
      },
    ],
    [
      'a value shared with other rows',
      { rows: 'clients', dimensions: ['clients.city'], filters: [{ exists: 'clients', sharing: 'client_name' }] },
    ],
    [
      'the group of an aggregate',
      {
        rows: 'clients',
        dimensions: ['clients.city'],
        filters: [{ field: 'clients.joined', than: { fn: 'max', field: 'clients.joined', per: [masked] } }],
      },
    ],
    [
      'a value computed for each row',
      {
        measures: [{ fn: 'count', rows: 'clients' }],
        dimensions: [{ value: { items: masked, separator: ' ' }, as: 'words' }],
      },
    ],
    ['a minimum', { measures: [{ fn: 'min', field: masked }] }],
    ['values as one text', { measures: [{ fn: 'list', field: masked, distinct: true }], dimensions: ['clients.city'] }],
    [
      'a condition on values as one text',
      {
        measures: [{ fn: 'list', field: 'clients.city', where: [{ field: masked, op: 'starts_with', values: ['A'] }] }],
      },
    ],
    ['items of a text', { measures: [{ fn: 'max', value: { items: masked, separator: ' ' } }] }],
    ['an order', { rows: 'clients', dimensions: ['clients.city'], order_by: [{ field: masked, direction: 'asc' }] }],
    [
      'the first row of each group',
      { rows: 'clients', dimensions: ['clients.city'], limit_per: { by: [masked], rows: 1 } },
    ],
    [
      'a group on the many side',
      { measures: [{ fn: 'count', rows: 'sites' }], dimensions: [{ field: masked, through: 'jobs' }] },
    ],
    ['counted groups', { measures: [{ fn: 'count_groups', by: [masked] }] }],
  ])('refuse a masked field in this use: %s', async (_name, plan) => {
    const { status, body } = await ask(plan);
    expect({ status, codes: body.error?.details.map(({ code }: { code: string }) => code) }).toEqual({
      status: 422,
      codes: expect.arrayContaining(['masked']),
    });
  });

  it('allow a distinct count of a masked field', async () => {
    const { body } = await ask({ measures: [{ fn: 'count_distinct', field: masked }] });
    expect(Object.values(body.data[0])).toEqual([5]);
  });
});
