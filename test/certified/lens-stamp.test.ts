// What makes replicas read a certified library again: a change of what it serves, and nothing that is noted beside it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';

let svc: TestApp;
beforeAll(async () => {
  svc = await startTestApp();
});
afterAll(() => svc?.close());

const stamp = async () =>
  (await svc.sql<{ at: string }>(`select updated_at::text as at from svc.lenses where name = 'shop'`))[0]!.at;

it('serving an entry for the first time notes its dependencies and leaves the stamp of its lens', async () => {
  const before = await stamp();
  const run = await svc.post('/v1/lenses/shop/certified/revenue-by-region/run', {});
  expect(run.body, run.text).toMatchObject({ status: 'answered', certification: 'certified' });
  const noted = await svc.sql(`select from svc.certified_entries where dependencies is not null`);
  expect(noted.length).toBeGreaterThan(0);
  expect(await stamp()).toBe(before);
});

it.each([
  `question = question || ' please'`,
  `also_asked = '{Sales by area}'`,
  `notes = 'Other words'`,
  `status = 'suspended'`,
])('a change of what is served moves the stamp: %s', async (change) => {
  const before = await stamp();
  await svc.sql(`update svc.certified_entries set ${change} where cert_id = 'revenue-by-region'`);
  expect(await stamp()).not.toBe(before);
});
