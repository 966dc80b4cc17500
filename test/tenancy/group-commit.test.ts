import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { createId } from '../../src/platform/ids.ts';
import { openPool } from '../../src/platform/tenancy/database.ts';
import { GroupCommit } from '../../src/platform/tenancy/group-commit.ts';
import { createOrganization, readAppLogin } from '../../src/platform/tenancy/migrate.ts';
import { Tenancy } from '../../src/platform/tenancy/tenant.ts';
import { createControlDatabase } from '../support/postgres.ts';

const ownerUrl = await createControlDatabase();
const pool = openPool(readAppLogin(ownerUrl).url, { max: 3 });
const tenancy = new Tenancy(pool);
const orgs: string[] = [
  await createOrganization(ownerUrl, 'a', createId()),
  await createOrganization(ownerUrl, 'b', createId()),
];
afterAll(() => pool.end());

interface Snapshot {
  subject: string;
  body: string;
  /** The tenant in the row, if another tenant writes the row. */
  org?: string;
}
const snapshot = (subject: string, body = '{}', org?: string): Snapshot => ({ subject, body, org });
/** Inserts all given rows in one statement of one transaction. */
const insertAll = async (orgId: string, together: readonly Snapshot[]): Promise<string[]> => {
  const { rows } = await tenancy.queryInTenant<{ subject: string }>(orgId, {
    name: 'insert_snapshots',
    text: `insert into svc.snapshots (org_id, subject, kind, body)
      select coalesce(org, $1::uuid), subject, 'catalog', body::jsonb
      from jsonb_to_recordset($2::jsonb) as made(subject text, body text, org uuid)
      returning subject`,
    values: [orgId, JSON.stringify(together)],
  });
  return rows.map(({ subject }) => subject);
};
const subjects = (orgId: string) =>
  tenancy.inTenant(orgId, async (db) =>
    (await db.rows<{ subject: string }>('select subject from svc.snapshots order by subject')).map(
      ({ subject }) => subject,
    ),
  );

describe('group commit', () => {
  it('stores each write in its own tenant before answering, in fewer transactions than writes', async () => {
    let transactions = 0;
    const commits = new GroupCommit((orgId, together: readonly Snapshot[]) => {
      transactions++;
      return insertAll(orgId, together);
    });
    const names = Array.from({ length: 40 }, () => randomUUID()).sort();
    const answers = await Promise.all(names.flatMap((name) => orgs.map((orgId) => commits.run(orgId, snapshot(name)))));
    expect(answers).toEqual(names.flatMap((name) => [name, name]));
    for (const orgId of orgs) expect(await subjects(orgId)).toEqual(names);
    expect(transactions).toBeLessThan(40);
  });

  it('rejects only the write that fails, and never writes to another tenant', async () => {
    const commits = new GroupCommit(insertAll);
    const [orgA, orgB] = orgs as [string, string];
    const goodNames = Array.from({ length: 10 }, () => randomUUID());
    const results = await Promise.allSettled([
      ...goodNames.slice(0, 5).map((name) => commits.run(orgA, snapshot(name))),
      commits.run(orgA, snapshot('not json', 'this is not json')),
      commits.run(orgA, snapshot('another tenant', '{}', orgB)),
      ...goodNames.slice(5).map((name) => commits.run(orgA, snapshot(name))),
    ]);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(2);
    expect(await subjects(orgA)).toEqual(expect.arrayContaining(goodNames));
    expect(await subjects(orgB)).not.toContain('another tenant');
    const { rows } = await pool.query("select current_setting('svc.org_id', true) as left");
    expect(rows[0].left ?? '').toBe('');
  });
});
