import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { startTestApp } from '../support/app.ts';
import { svcSays } from '../support/own-process.ts';

const BILLING = fileURLToPath(new URL('../fixtures/billing', import.meta.url));
const PATH = 'lenses/billing/lens.yaml';
const FACTS = `facts:
  - {kind: join, of: invoices.customer_id, says: customers.customer_id, origin: inferred, evidence: all 12 values are there}
  - {kind: unit, of: invoices.amount, says: USD, origin: inferred, evidence: its name}
`;
const files = await loadProjectFolder(BILLING);
const app = await startTestApp({ project: BILLING, files: { ...files, [PATH]: files[PATH] + FACTS } });
const base = await app.listen();

const runSvc = (...args: string[]) =>
  svcSays(['lens', 'facts', ...args], { SVC_BASE_URL: base, SVC_TOKEN: app.adminToken });

it('lists inferred facts, confirms them, and suggests the nearest fact for an unknown one', {
  timeout: 300_000,
}, async () => {
  const factList = await runSvc('billing');
  expect(factList.said).toContain(
    'join:invoices.customer_id  customers.customer_id\n    all 12 values are there; 0 answers',
  );
  expect(factList.said).toContain('billing: 2 inferred; 0 confirmed, 0 declared by the database.');
  const unknown = await runSvc('billing', '--confirm', 'unit:invoices.amont');
  expect([unknown.code, unknown.said]).toEqual([1, expect.stringContaining('Did you mean unit:invoices.amount')]);
  const confirmReply = await runSvc('billing', '--confirm-proven-joins', '--confirm', 'unit:invoices.amount');
  expect([confirmReply.code, confirmReply.said]).toEqual([
    0,
    expect.stringContaining('confirmed  join:invoices.customer_id\nconfirmed  unit'),
  ]);
  const json = await runSvc('billing', '--json');
  expect(JSON.parse(json.said)).toMatchObject([{ origin: 'confirmed' }, { origin: 'confirmed' }]);
});
