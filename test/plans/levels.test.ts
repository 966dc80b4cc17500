import { expect, it } from 'vitest';
import { caseRows } from '../support/case-rows.ts';
import { startDuckdbLens } from '../support/duckdb-lens.ts';

const LENS = `name: bank
connection: bank
datasets:
  balances: main.balances (balance_id integer key, account integer {aggregation: none}, day date time, balance decimal {aggregation: latest, unit: USD})
metrics:
  total_balance: {expression: sum(balances.balance), description: What all accounts hold., unit: USD}
`;
const { svc } = await startDuckdbLens(
  [LENS],
  'create table balances (balance_id integer, account integer, day date, balance decimal(12,2))',
  `insert into balances values (1, 1, '2024-01-31', 10), (2, 1, '2024-02-29', 20), (3, 2, '2024-02-29', 5),
     (4, 1, '2024-03-01', 7), (5, 1, '2024-03-02', 9)`,
);

it.each<[string, object, string, unknown[][]]>(caseRows(import.meta.dirname, 'levels.jsonl'))(
  'sums a balance at one time: %s',
  async (_about, plan, confidence, rows) => {
    const { body } = await svc.post('/v1/lenses/bank/metrics', plan);
    expect(body.confidence).toBe(confidence);
    expect((body.data ?? []).map((row: object) => Object.values(row))).toEqual(rows);
  },
);
