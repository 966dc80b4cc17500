// Plans that an agent sends with their question. Plans with the same meaning get the same grade, in whichever form they
// state a period or a measure.
import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startDuckdbLens } from '../support/duckdb-lens.ts';

const FACTORY = `
name: factory
title: Factory
description: Maintenance orders, purchase orders and staff.
connection: factory
timezone: UTC
datasets:
  maintenance_orders: main.maintenance_orders (order_id integer key, opened_on date time, completed_on date, hours decimal {aggregation: sum, unit: h})
  purchase_orders: main.purchase_orders (purchase_id integer key, ordered_on date time, promised_on date)
  staff: main.staff (staff_id integer key, hourly_wage decimal {aggregation: average, unit: EUR}, bonus decimal {aggregation: sum, unit: EUR})
metrics:
  purchase_order_count: {expression: count(*), dataset: purchase_orders, synonyms: [number of purchase orders]}
  average_hourly_wage: {expression: avg(staff.hourly_wage), unit: EUR}
  large_bonus: {expression: sum(staff.bonus), filter: staff.bonus > 20, unit: EUR, synonyms: [total bonus]}
  total_hours: {expression: sum(maintenance_orders.hours), unit: h, time_field: maintenance_orders.completed_on}
`;
const { svc } = await startDuckdbLens(
  [FACTORY],
  "create table maintenance_orders as select n order_id, date '2025-01-01' + n::int * 20 opened_on, case when n % 4 > 0 then date '2025-03-01' + n::int * 20 end completed_on, n as hours from range(1, 30) t(n)",
  "create table purchase_orders as select n purchase_id, date '2025-01-01' + n::int ordered_on, case when n % 3 > 0 then date '2025-02-01' + n::int end promised_on from range(1, 20) t(n)",
  'create table staff as select n staff_id, 10 + n hourly_wage, n * 3 bonus from range(1, 20) t(n)',
);

const gradeOf = async (question: string, plan: object) => {
  const { body } = await svc.post<Envelope>('/v1/lenses/factory/metrics', { ...plan, answers: { question } });
  return [body.status, body.confidence, body.checks.find(({ name }) => name === 'reading_proven')?.outcome];
};

const PURCHASES = 'number of purchase orders without promised on';
const WAGE = 'average hourly wage';
const OPENED_AND_COMPLETED = 'Number of maintenance orders opened in 2025 and completed in 2026';
const COUNT = { measures: [{ fn: 'count', rows: 'maintenance_orders' }] };
const isMissing = [{ field: 'purchase_orders.promised_on', op: 'is_null' }];
const opened = 'maintenance_orders.opened_on';
const completed = 'maintenance_orders.completed_on';
const bounds = (field: string, year: number) => [
  { field, op: '>=', values: [`${year}-01-01`] },
  { field, op: '<', values: [`${year + 1}-01-01`] },
];

describe('a plan with its question', () => {
  it.each<[string, string, object]>([
    ['a row count', PURCHASES, { measures: [{ fn: 'count', rows: 'purchase_orders' }], filters: isMissing }],
    ['the metric for a row count', PURCHASES, { metrics: ['purchase_order_count'], filters: isMissing }],
    ['an aggregate', WAGE, { measures: [{ fn: 'avg', field: 'staff.hourly_wage' }] }],
    ['the metric for an aggregate', WAGE, { metrics: ['average_hourly_wage'] }],
    [
      'two named periods',
      OPENED_AND_COMPLETED,
      {
        ...COUNT,
        filters: [
          { field: completed, during: '2026' },
          { field: opened, during: '2025' },
        ],
      },
    ],
    [
      'bounds of two dates',
      OPENED_AND_COMPLETED,
      { ...COUNT, filters: [...bounds(opened, 2025), ...bounds(completed, 2026)] },
    ],
    [
      'a time window and a named period',
      OPENED_AND_COMPLETED,
      { ...COUNT, time: { field: opened, during: '2025' }, filters: [{ field: completed, during: '2026' }] },
    ],
    [
      'a time window with bounds and a named period',
      OPENED_AND_COMPLETED,
      {
        ...COUNT,
        time: { field: completed, from: '2026-01-01', to: '2027-01-01' },
        filters: [{ field: opened, during: '2025' }],
      },
    ],
  ])('is verified with %s', async (_form, question, plan) => {
    expect(await gradeOf(question, plan)).toEqual(['answered', 'verified', 'pass']);
  });

  it.each<[string, string, object]>([
    [
      'the other date',
      PURCHASES,
      { metrics: ['purchase_order_count'], filters: [{ field: 'ordered_on', op: 'is_null' }] },
    ],
    ['no condition', PURCHASES, { measures: [{ fn: 'count', rows: 'purchase_orders' }] }],
    ['another aggregate', WAGE, { measures: [{ fn: 'max', field: 'staff.hourly_wage' }] }],
    [
      'an aggregate without the filter of its metric',
      'total bonus',
      { measures: [{ fn: 'sum', field: 'staff.bonus' }] },
    ],
    [
      'the default date of the rows instead of the date of the metric',
      'total hours in 2026',
      { measures: [{ fn: 'sum', field: 'maintenance_orders.hours' }], time: { field: opened, during: '2026' } },
    ],
    [
      'swapped periods',
      OPENED_AND_COMPLETED,
      {
        ...COUNT,
        filters: [
          { field: completed, during: '2025' },
          { field: opened, during: '2026' },
        ],
      },
    ],
    [
      'either period',
      OPENED_AND_COMPLETED,
      {
        ...COUNT,
        filters: [
          {
            any: [
              { field: opened, during: '2025' },
              { field: completed, during: '2026' },
            ],
          },
        ],
      },
    ],
  ])('is not verified with %s', async (_form, question, plan) => {
    expect(await gradeOf(question, plan)).toEqual([
      'answered',
      expect.stringMatching(/^(?:partial|unverified)$/),
      'unknown',
    ]);
  });
});
