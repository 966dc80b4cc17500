// After a change, svc reads only the changed entries of a library. The result must equal a complete read.
import fc from 'fast-check';
import pg from 'pg';
import { expect, it } from 'vitest';
import { LensRepository } from '../../src/domain/lenses/lens-repository.ts';
import { startTestApp } from '../support/app.ts';
import { untilFileEnds } from '../support/until-file-ends.ts';

const svc = await startTestApp({});
const owner = new pg.Client({ connectionString: svc.ownerUrl });
await owner.connect();
untilFileEnds(() => owner.end());
const [lens] = await svc.sql<{ id: string; name: string }>(
  'select id, name from svc.lenses where org_id = $1 limit 1',
  [svc.orgId],
);
const LIBRARY = 20;
await svc.sql(
  `insert into svc.certified_entries (org_id, id, lens_id, cert_id, question, sql, status, origin)
   select $1, gen_random_uuid(), $2, 'c' || n, 'question ' || n, 'select 1', 'approved', 'api' from generate_series(1, ${LIBRARY}) n`,
  [svc.orgId, lens!.id],
);
const mine = 'org_id = $1 and lens_id = $2 and cert_id = $3';
const CHANGES: Record<string, string> = {
  'another question': `update svc.certified_entries set question = question || '?' where ${mine}`,
  retired: `update svc.certified_entries set status = 'retired' where ${mine}`,
  approved: `update svc.certified_entries set status = 'approved', suspended_for = null where ${mine}`,
  suspended: `update svc.certified_entries set status = 'suspended', suspended_for = 'result', suspended_at = now() where status <> 'suspended' and ${mine}`,
  deleted: `delete from svc.certified_entries where ${mine}`,
  added: `insert into svc.certified_entries (org_id, id, lens_id, cert_id, question, sql, status, origin)
    values ($1, gen_random_uuid(), $2, $3, 'new', 'select 2', 'approved', 'api') on conflict do nothing`,
};
const longLived = new LensRepository(svc.deps.tenancy);
const read = async (lenses: LensRepository) => {
  const liveLens = await lenses.find(svc.orgId, lens!.name);
  return { certified: sortRows(liveLens!.certified), suspended: sortRows(liveLens!.suspended) };
};
const sortRows = <Value>(map: ReadonlyMap<string, Value>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
const expectSame = async () => expect(await read(longLived)).toEqual(await read(new LensRepository(svc.deps.tenancy)));

it('equals a completely read library after any changes, even if an earlier transaction commits later', async () => {
  const change = fc.record({
    what: fc.constantFrom(...Object.keys(CHANGES)),
    entry: fc.integer({ min: 1, max: LIBRARY + 5 }),
  });
  await expectSame();
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), change, async (changes, lateChange) => {
      const values = ({ entry }: { entry: number }) => [svc.orgId, lens!.id, `c${entry}`];
      await owner.query('begin');
      await owner.query('select pg_current_xact_id()'); // this transaction starts before the changes below and ends after them
      for (const change of changes) await svc.sql(CHANGES[change.what]!, values(change));
      await expectSame();
      await owner.query(CHANGES[lateChange.what]!, values(lateChange));
      await owner.query('commit');
      await expectSame();
    }),
    { numRuns: 25 },
  );
});

it('keeps the unchanged entries as they are', async () => {
  const before = (await longLived.find(svc.orgId, lens!.name))!.certified;
  await svc.sql(CHANGES['added']!, [svc.orgId, lens!.id, 'one-more']);
  const after = (await longLived.find(svc.orgId, lens!.name))!.certified;
  expect(after.size).toBe(before.size + 1);
  // svc may read a few entries again if a transaction of another test was open.
  expect([...before].filter(([id, entry]) => after.get(id) === entry).length).toBeGreaterThan(LIBRARY / 4);
});
