// Replicas read a certified library again only if its approved entries changed. Other updates of an entry don't count.
import { expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';

const svc = await startTestApp();

const stamp = async () =>
  (await svc.sql<{ at: string }>(`select updated_at::text as at from svc.lenses where name = 'shop'`))[0]!.at;

it('records the dependencies of an entry at its first run without touching the lens timestamp', async () => {
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
])('updates the lens timestamp when a certified entry changes: %s', async (change) => {
  const before = await stamp();
  await svc.sql(`update svc.certified_entries set ${change} where cert_id = 'revenue-by-region'`);
  expect(await stamp()).not.toBe(before);
});

it('serves an approved entry of a large library, but no longer a suspended or changed one', async () => {
  await svc.sql(`update svc.certified_entries set question = 'What is revenue by region?', also_asked = '{}', notes = null, status = 'approved'
    where cert_id = 'revenue-by-region'`);
  const columns = (
    await svc.sql<{ name: string }>(`select attname as name from pg_attribute
      where attrelid = 'svc.certified_entries'::regclass and attnum > 0 and attgenerated = ''
      and attname not in ('id', 'cert_id', 'question', 'also_asked', 'dependencies', 'last_check')`)
  ).map(({ name }) => name);
  await svc.sql(
    `insert into svc.certified_entries (id, cert_id, question, also_asked, ${columns.join(', ')})
     select gen_random_uuid(), 'large-' || n, 'What is revenue by region of delivery ' || n || '?', '{}', ${columns.map((name) => `c.${name}`).join(', ')}
     from svc.certified_entries c, generate_series(1, 40000) n where c.cert_id = 'revenue-by-region'`,
  );
  await svc.sql(`update svc.lenses set updated_at = clock_timestamp() where name = 'shop'`);
  const certifiedText = async (delivery: string) =>
    (await svc.post('/v1/lenses/shop/query', { q: `What is revenue by region of delivery ${delivery}?` })).body
      .certification === 'certified';
  // Reading this many new entries takes time.
  await expect.poll(() => certifiedText('7'), { timeout: 60_000 }).toBe(true);
  await svc.sql(`update svc.certified_entries set status = 'suspended' where cert_id = 'large-8'`);
  await svc.sql(
    `update svc.certified_entries set question = replace(question, ' 9?', ' x9?') where cert_id = 'large-9'`,
  );
  expect(await Promise.all(['7', '8', '9'].map(certifiedText))).toEqual([true, false, false]);
  await expect.poll(() => certifiedText('x9'), { timeout: 20_000 }).toBe(true);
}, 120_000);
