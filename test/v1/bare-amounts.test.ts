import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startTestApp } from '../support/app.ts';

const BILLING = fileURLToPath(new URL('../fixtures/billing', import.meta.url));
const svc = await startTestApp({ project: BILLING });
const ask = async (q: string) => (await svc.post<Envelope>('/v1/lenses/billing/query', { q })).body;

it('grades a list of amounts alone partial, because the question may ask for their total', async () => {
  const bareList = await ask('amount of invoices with status paid');
  expect(bareList).toMatchObject({ status: 'answered', confidence: 'partial' });
  expect(bareList.warnings.join()).toMatch(/may ask for the total/);
});

it('grades a list of amounts with their ids, or the total of the amounts, verified', async () => {
  const listWithIds = await ask('show the invoice id and amount of invoices with status paid');
  expect(listWithIds).toMatchObject({ status: 'answered', confidence: 'verified' });
  const total = await ask('total amount of invoices with status paid');
  expect(total).toMatchObject({ status: 'answered', confidence: 'verified' });
});
