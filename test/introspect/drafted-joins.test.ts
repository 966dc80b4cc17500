// Drafts find undeclared joins, and almost no wrong ones. Uses some of the schemas of npm run drafts:measure.
import { expect, test } from 'vitest';
import { declaredSchemas, readDeclared } from './declared-schema.ts';
import { type Measured, measureJoins, totals } from './measured-joins.ts';

const SOME = ['campus', 'chinook', 'freight', 'insurance', 'oracle_hr', 'stackoverflow', 'star', 'tpch', 'wordpress'];

test.each(['declared', 'stripped'] as const)(
  'drafts at least 85 % of undeclared joins, at least 98 % of them right, with keys %s',
  async (keys) => {
    const all: Measured[] = [];
    for (const schema of declaredSchemas(SOME)) all.push(await measureJoins(schema, keys));
    const { recall, precision } = totals(all);
    expect({ recall, missed: all.flatMap(({ missed }) => missed) }).toMatchObject({
      recall: expect.toSatisfy((share: number) => share >= 0.85),
    });
    expect({ precision, wrong: all.flatMap(({ wrong }) => wrong) }).toMatchObject({
      precision: expect.toSatisfy((share: number) => share >= 0.98),
    });
  },
  120_000,
);

test('drafts no wrong join from quantities, ratings or sort orders', async () => {
  const [campus] = declaredSchemas(['campus']);
  const { wrong } = await measureJoins(campus!, 'declared');
  expect(wrong).toEqual([]);
}, 60_000);

test('drafts joins to the few rows that are managers, approvers or parents, but no join from a line number', async () => {
  const count = (rows: number) => Array.from({ length: rows }, (_, index) => index + 1);
  const schema = readDeclared(
    'offices',
    'employee 40: *employee_id, name\naccount 40: *account_id, parent_account_id int, title\norders 60: *order_id, approver_id int\norder_lines 60: *line_id, order_id ->orders, line_no int',
  );
  const [, accounts, orders, lines] = schema.tables;
  for (const index of count(60).map((row) => row - 1)) {
    if (accounts!.rows[index]) accounts!.rows[index]!['parent_account_id'] = index < 4 ? null : (index % 4) + 1;
    orders!.rows[index]!['approver_id'] = (index % 3) + 1;
    lines!.rows[index]!['line_no'] = (index % 4) + 1;
  }
  const { wrong, found } = await measureJoins(schema, 'stripped');
  expect(found).toBe(1);
  expect(wrong.sort()).toEqual([
    'account.parent_account_id -> account.account_id',
    'orders.approver_id -> employee.employee_id',
  ]);
}, 60_000);
