import { expect, it } from 'vitest';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { SHOP, startTestApp } from '../support/app.ts';
import { caseRows } from '../support/case-rows.ts';

const LENS = 'lenses/shop/lens.yaml';
const svc = await startTestApp();
const files = await loadProjectFolder(SHOP);

const warningsOf = async (from: string, to: string): Promise<string> => {
  expect(files[LENS]).toContain(from);
  const changedFiles = { ...files, [LENS]: files[LENS]!.replace(from, to) };
  const { status, text, body } = await svc.admin('POST', '/project/plan', { files: changedFiles });
  expect(status, text).toBe(200);
  return JSON.stringify([body.problems, body.warnings]);
};

it('reports no name conflict in a plan without one', async () => {
  expect(await warningsOf('title: Shop', 'title: Shops')).not.toMatch(
    /names the metric|two metrics|can't apply the filter/,
  );
});

it.each(caseRows<[string, string, string, RegExp]>(import.meta.dirname, 'name-conflicts.jsonl'))(
  'warns in the plan about %s',
  async (_what, from, to, said) => {
    expect(await warningsOf(from, to)).toMatch(said);
  },
);
