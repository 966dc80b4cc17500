// Tests measures that compile but have no meaning, and the filters or groups that give them one.
import { expect, test } from 'vitest';
import { dataset, field, lens, metric, relation } from '../../test/support/planner-lenses.ts';
import { findDoubtfulMeasures } from './doubtful-measures.ts';
import { type Condition, createEmptyPlan, type LensPlan } from './lens-plan.ts';

const bankLens = lens('bank', {
  datasets: [
    dataset(
      'accounts',
      ['account_id'],
      [field('account_id', 'integer'), field('currency', 'string', { values: ['EUR', 'USD'] })],
    ),
    dataset(
      'transactions',
      ['transaction_id'],
      [
        field('amount', 'decimal'),
        field('fee_eur', 'decimal', { unit: 'EUR' }),
        field('points', 'integer'),
        field('fx_rate', 'decimal'),
        field('charge', 'decimal'),
        field('disc', 'decimal'),
        field('disc_amt', 'decimal'),
        field('quantity', 'integer'),
      ],
    ),
    dataset(
      'machines',
      ['machine_id'],
      [field('machine_id', 'integer'), field('purchase_price', 'decimal'), field('purchase_ccy', 'string')],
    ),
    dataset(
      'orders',
      ['order_id'],
      [field('order_id', 'integer'), field('order_total', 'decimal'), field('order_currency', 'string')],
    ),
    dataset('bills', ['bill_id'], [field('order_id', 'integer'), field('net', 'decimal')]),
    dataset('repairs', ['repair_id'], [field('machine_id', 'integer'), field('labor_cost', 'decimal')]),
    dataset(
      'harvests',
      ['harvest_id'],
      [
        field('quantity', 'decimal'),
        field('frames', 'integer'),
        field('price_per_kg', 'decimal'),
        field('tariff', 'decimal'),
        field('unit', 'string', { values: ['kg', 'lb'] }),
      ],
    ),
  ],
  relationships: [
    relation('transactions', 'account_id', 'accounts', 'account_id'),
    relation('repairs', 'machine_id', 'machines', 'machine_id'),
    relation('bills', 'order_id', 'orders', 'order_id'),
  ],
  metrics: [
    metric('turnover', 'sum(transactions.amount)', 'transactions'),
    metric('turnover_eur', 'sum(transactions.amount)', 'transactions', { unit: 'EUR' }),
  ],
});
const createTestPlan = (parts: Partial<LensPlan>): LensPlan => ({ ...createEmptyPlan(), ...parts });
const createSumMeasure = (path: string, name: string, fn: 'sum' | 'avg' = 'sum') =>
  ({ fn, field: { path, field: name } }) as const;
const createProductSum = (path: string, ...names: string[]) =>
  ({ fn: 'sum', value: { op: '*', of: names.map((name) => ({ path, field: name })) } }) as const;
const convertedPlusFee: LensPlan['measures'][number] = {
  fn: 'sum',
  value: {
    op: '+',
    of: [createProductSum('transactions', 'amount', 'fx_rate').value, { path: 'transactions', field: 'charge' }],
  },
};
const createCondition = (path: string, name: string, ...values: string[]): Condition => ({
  field: { path, field: name },
  op: values.length > 1 ? 'in' : '=',
  values,
});

test.each<[string, Partial<LensPlan>, number]>([
  ['amounts in several currencies', { measures: [createSumMeasure('transactions', 'amount')] }, 1],
  ['their mean', { measures: [createSumMeasure('transactions', 'amount', 'avg')] }, 1],
  ['a metric over several currencies', { measures: [{ fn: 'metric', metric: 'turnover' }] }, 1],
  ['a metric with one unit for all currencies', { measures: [{ fn: 'metric', metric: 'turnover_eur' }] }, 0],
  [
    'one currency',
    {
      measures: [createSumMeasure('transactions', 'amount')],
      filters: [createCondition('accounts', 'currency', 'EUR')],
    },
    0,
  ],
  [
    'two currencies',
    {
      measures: [createSumMeasure('transactions', 'amount')],
      filters: [createCondition('accounts', 'currency', 'EUR', 'USD')],
    },
    1,
  ],
  [
    'grouped by currency',
    { measures: [createSumMeasure('transactions', 'amount')], dimensions: [{ path: 'accounts', field: 'currency' }] },
    0,
  ],
  ['amounts times an exchange rate', { measures: [createProductSum('transactions', 'amount', 'fx_rate')] }, 0],
  ['an unconverted amount next to a converted one', { measures: [convertedPlusFee] }, 1],
  ['bills whose parent has a currency for all amounts', { measures: [createSumMeasure('bills', 'net')] }, 1],
  ['discount amounts', { measures: [createSumMeasure('transactions', 'disc_amt')] }, 1],
  ['discount rates', { measures: [createSumMeasure('transactions', 'disc', 'avg')] }, 0],
  ['amounts times a quantity', { measures: [createProductSum('transactions', 'amount', 'quantity')] }, 1],
  [
    'amounts of rows whose parent has a currency for its own price',
    { measures: [createSumMeasure('repairs', 'labor_cost')] },
    0,
  ],
  ['a product in which nothing adds up', { measures: [createProductSum('harvests', 'tariff', 'price_per_kg')] }, 1],
  ['a price times a quantity', { measures: [createProductSum('harvests', 'price_per_kg', 'frames')] }, 0],
  ['an amount with its unit', { measures: [createSumMeasure('transactions', 'fee_eur')] }, 0],
  [
    'the share of each currency',
    {
      measures: [{ fn: 'share_of_total', of: createSumMeasure('transactions', 'amount') }],
      dimensions: [{ path: 'accounts', field: 'currency' }],
    },
    1,
  ],
  [
    'a share within a currency',
    {
      measures: [
        {
          fn: 'share_of_total',
          of: createSumMeasure('transactions', 'amount'),
          within: [{ path: 'accounts', field: 'currency' }],
        },
      ],
      dimensions: [
        { path: 'accounts', field: 'currency' },
        { path: 'accounts', field: 'account_id' },
      ],
    },
    0,
  ],
  [
    'the largest amounts',
    {
      dimensions: [{ path: 'transactions', field: 'transaction_id' }],
      order_by: [{ field: { path: 'transactions', field: 'amount' }, direction: 'desc' }],
      limit: 3,
    },
    1,
  ],
  [
    'the currency with the highest total',
    {
      measures: [{ fn: 'count', rows: 'transactions' }],
      dimensions: [{ path: 'accounts', field: 'currency' }],
      order_by: [{ measure: createSumMeasure('transactions', 'amount'), direction: 'desc' }],
      limit: 1,
    },
    1,
  ],
  [
    'amounts in one currency above the mean of all currencies',
    {
      measures: [{ fn: 'count', rows: 'transactions' }],
      filters: [
        createCondition('accounts', 'currency', 'EUR'),
        {
          field: { path: 'transactions', field: 'amount' },
          op: '>',
          values: [],
          than: createSumMeasure('transactions', 'amount', 'avg'),
        },
      ],
    },
    1,
  ],
  [
    'a measure of one currency',
    {
      measures: [
        { ...createSumMeasure('transactions', 'amount'), where: [createCondition('accounts', 'currency', 'EUR')] },
      ],
    },
    0,
  ],
  ['quantities in several units', { measures: [createSumMeasure('harvests', 'quantity')] }, 1],
  ['their mean', { measures: [createSumMeasure('harvests', 'quantity', 'avg')] }, 1],
  [
    'one unit',
    { measures: [createSumMeasure('harvests', 'quantity')], filters: [createCondition('harvests', 'unit', 'kg')] },
    0,
  ],
  [
    'grouped by unit',
    { measures: [createSumMeasure('harvests', 'quantity')], dimensions: [{ path: 'harvests', field: 'unit' }] },
    0,
  ],
  [
    'fields that the unit column doesn’t apply to',
    { measures: [createSumMeasure('harvests', 'frames'), createSumMeasure('harvests', 'price_per_kg')] },
    0,
  ],
  ['a field that isn’t money', { measures: [createSumMeasure('transactions', 'points')] }, 0],
])('finds the doubtful measures in: %s', (_what, parts, doubts) => {
  expect(findDoubtfulMeasures(bankLens, createTestPlan(parts))).toHaveLength(doubts);
});
