// Tests measures that compile but have no meaning, and the filters or groups that give them one.
import { expect, test } from 'vitest';
import { caseRows } from '../../test/support/case-rows.ts';
import { dataset, field, lens, metric, relation } from '../../test/support/planner-lenses.ts';
import { findDoubtfulMeasures } from './doubtful-measures.ts';
import { createEmptyPlan, type LensPlan } from './lens-plan.ts';

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

test.each<[string, Partial<LensPlan>, number]>(caseRows(import.meta.dirname, 'doubtful-measures.test.jsonl'))(
  'finds the doubtful measures in: %s',
  (_what, parts, doubts) => {
    expect(findDoubtfulMeasures(bankLens, { ...createEmptyPlan(), ...parts })).toHaveLength(doubts);
  },
);
