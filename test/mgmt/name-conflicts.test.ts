// What takes a name away from another thing, or fails each question that uses it, is said at plan.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { SHOP, startTestApp, type TestApp } from '../support/app.ts';

const LENS = 'lenses/shop/lens.yaml';
let svc: TestApp;
let files: Record<string, string>;
beforeAll(async () => {
  svc = await startTestApp();
  files = await loadProjectFolder(SHOP);
});
afterAll(() => svc?.close());

const warningsOf = async (from: string, to: string): Promise<string> => {
  expect(files[LENS]).toContain(from);
  const changed = { ...files, [LENS]: files[LENS]!.replace(from, to) };
  const { status, text, body } = await svc.post('/mgmt/project/plan', { files: changed }, svc.adminToken);
  expect(status, text).toBe(200);
  return JSON.stringify([body.problems, body.warnings]);
};

it('8.17: a plan without conflicts names none', async () => {
  expect(await warningsOf('title: Shop', 'title: Shops')).not.toMatch(
    /names the metric|two metrics|can't be restricted/,
  );
});

it.each([
  [
    'a listed value',
    'values: [Central, East',
    'values: [Sales, Central, East',
    /\\"Sales\\" is a value of orders\.region and names the metric revenue/,
  ],
  [
    'the synonym of a value',
    'synonyms: [home]',
    'synonyms: [sales]',
    /\\"sales\\" means the value .*Home Office.* names the metric revenue/,
  ],
  [
    'a synonym of two metrics',
    'profit: {expression: sum(orders.profit),',
    'profit: {expression: sum(orders.profit), synonyms: [sale],',
    /\\"sale\\" names two metrics, revenue and profit/,
  ],
  [
    'the name of another metric',
    'profit: {expression: sum(orders.profit),',
    'profit: {expression: sum(orders.profit), synonyms: [revenue],',
    /names two metrics/,
  ],
  [
    'a definition of another thing',
    'definitions:\n',
    'definitions:\n  - {term: sales, meaning: "What was kept.", metric: profit}\n',
    /\\"sales\\" is defined here and is also a name of the metric revenue/,
  ],
  [
    'a filter that no question can be restricted by',
    'definitions:\n',
    'definitions:\n  - {term: overdue, meaning: "Not paid in time.", filter: "orders.order_date < current_date or orders.profit < 0"}\n',
    /can't be restricted by the filter of \\"overdue\\"/,
  ],
])('8.17: %s is said at plan', async (_what, from, to, said) => {
  expect(await warningsOf(from, to)).toMatch(said);
});
