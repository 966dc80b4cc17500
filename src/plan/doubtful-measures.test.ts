import { expect, test } from 'vitest';
import { caseRows } from '../../test/support/case-rows.ts';
import { datasetsOf, lens, metric, relation } from '../../test/support/planner-lenses.ts';
import { findDoubtfulMeasures } from './doubtful-measures.ts';
import { createEmptyPlan, type LensPlan } from './lens-plan.ts';

const bankLens = lens('bank', {
  datasets: datasetsOf(`
  accounts: main.accounts (account_id integer key, currency string {values: [EUR, USD]})
  transactions: main.transactions (amount decimal, fee_eur decimal {unit: EUR}, points integer, fx_rate decimal, charge decimal, disc decimal, disc_amt decimal, quantity integer) {primary_key: [transaction_id]}
  machines: main.machines (machine_id integer key, purchase_price decimal, purchase_ccy string)
  orders: main.orders (order_id integer key, order_total decimal, order_currency string)
  bills: main.bills (order_id integer, net decimal) {primary_key: [bill_id]}
  repairs: main.repairs (machine_id integer, labor_cost decimal) {primary_key: [repair_id]}
  harvests: main.harvests (quantity decimal, frames integer, price_per_kg decimal, tariff decimal, unit string {values: [kg, lb]}) {primary_key: [harvest_id]}`),
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
