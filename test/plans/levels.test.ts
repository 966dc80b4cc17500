// A plan sums a level, such as a balance, at one time for each value. Otherwise svc asks, or the answer is partial.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = await temporaryFolder();
await createDuckdbFile(
  join(folder, 'bank.duckdb'),
  'create table balances (balance_id integer, account integer, day date, balance decimal(12,2))',
  `insert into balances values (1, 1, '2024-01-31', 10), (2, 1, '2024-02-29', 20), (3, 2, '2024-02-29', 5),
     (4, 1, '2024-03-01', 7), (5, 1, '2024-03-02', 9)`,
);
await writeFile(join(folder, 'svc.config.yaml'), 'limits: {requests_per_minute: 1000000}\n');
const svc = await startTestApp({
  project: folder,
  files: {
    'svc.config.yaml': JSON.stringify({ connections: { bank: { kind: 'duckdb', path: './bank.duckdb' } } }),
    'lenses/bank/lens.yaml': `name: bank
connection: bank
datasets:
  balances:
    source: main.balances
    primary_key: [balance_id]
    time_field: day
    fields:
      balance_id: {datatype: integer}
      account: {datatype: integer, aggregation: none}
      day: {datatype: date}
      balance: {datatype: decimal, aggregation: latest, unit: USD}
metrics:
  total_balance: {expression: sum(balances.balance), description: What all accounts hold., unit: USD}
`,
  },
});
const total = { fn: 'sum', field: 'balances.balance' };
const during = (period: string) => ({ field: 'balances.day', during: period });
const untilMarch = { filters: [{ field: 'balances.day', op: '<', values: ['2024-03-01'] }] };
const change = (from: string, to: string) => ({ fn: 'change', of: total, from: during(from), to: during(to) });

it.each<[string, object, string, unknown[][]]>([
  ['a change between two days', { measures: [change('2024-01', '2024-02')] }, 'verified', [[15]]],
  ['a sum with its own day', { measures: [{ ...total, where: [during('2024-01')] }] }, 'verified', [[10]]],
  [
    'a total of two days',
    { measures: [{ fn: 'total', of: ['2024-01', '2024-02'].map((month) => ({ ...total, where: [during(month)] })) }] },
    'partial',
    [[35]],
  ],
  ['a period with two days', { measures: [change('2024-01', '2024-03')] }, 'unverified', []],
  [
    'a running total',
    { measures: [{ fn: 'running_total', of: total }], dimensions: ['balances.day'], ...untilMarch },
    'partial',
    [
      ['2024-01-31', 10],
      ['2024-02-29', 35],
    ],
  ],
  [
    'a share within each day',
    {
      measures: [{ fn: 'share_of_total', of: total, within: ['balances.day'] }],
      dimensions: ['balances.day', 'balances.account'],
      ...untilMarch,
    },
    'verified',
    [
      ['2024-01-31', 1, 1],
      ['2024-02-29', 1, 0.8],
      ['2024-02-29', 2, 0.2],
    ],
  ],
  ['a count next to the sum', { measures: [total, { fn: 'count', rows: 'balances' }] }, 'unverified', []],
  // The latest day would change the count, so the approved sum covers all days.
  [
    'a count next to an approved sum',
    { measures: ['total_balance', { fn: 'count', rows: 'balances' }] },
    'partial',
    [[51, 5]],
  ],
])('sums a balance at one time: %s', async (_about, plan, confidence, rows) => {
  const { body } = await svc.post('/v1/lenses/bank/metrics', plan);
  expect(body.confidence).toBe(confidence);
  expect((body.data ?? []).map((row: object) => Object.values(row))).toEqual(rows);
});
