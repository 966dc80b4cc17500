import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPool } from '../../src/platform/database.ts';
import { GroupCommit } from '../../src/platform/group-commit.ts';
import { newId } from '../../src/platform/ids.ts';
import { appLogin, createOrganization } from '../../src/platform/migrate.ts';
import { Tenancy } from '../../src/platform/tenant.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';

let postgres: TestPostgres;
let pool: pg.Pool;
let tenancy: Tenancy;
let orgs: string[];
beforeAll(async () => {
  postgres = await startTestPostgres();
  const ownerUrl = await postgres.createControlDatabase();
  pool = openPool(appLogin(ownerUrl).url, { max: 3 });
  tenancy = new Tenancy(pool);
  orgs = [await createOrganization(ownerUrl, 'a', newId()), await createOrganization(ownerUrl, 'b', newId())];
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
});

const INSERT = 'insert into svc.snapshots (org_id, subject, kind, body) values ($1, $2, $3, $4)';
const insert = (orgId: string, subject: string, body = '{}') => ({
  name: 'insert_snapshot',
  text: INSERT,
  values: [orgId, subject, 'catalog', body],
});
const subjects = (orgId: string) =>
  tenancy.inTenant(orgId, async (db) =>
    (await db.query<{ subject: string }>('select subject from svc.snapshots order by subject')).rows.map(
      ({ subject }) => subject,
    ),
  );

describe('writes of many in few transactions', () => {
  it('are all there when they are answered, each in its own tenant, fewer transactions than writes', async () => {
    let transactions = 0;
    const counted: Pick<Tenancy, 'batch'> = {
      batch: (orgId, statements) => {
        transactions++;
        return tenancy.batch(orgId, statements);
      },
    };
    const commits = new GroupCommit(counted);
    const names = Array.from({ length: 40 }, () => randomUUID()).sort();
    const answers = await Promise.all(
      names.flatMap((name) => orgs.map((orgId) => commits.run(orgId, insert(orgId, name)))),
    );
    expect(answers.map(({ rowCount }) => rowCount)).toEqual(Array(80).fill(1));
    for (const orgId of orgs) expect(await subjects(orgId)).toEqual(names);
    expect(transactions).toBeLessThan(40);
  });

  it('do not fail with the one that cannot be written, nor reach another tenant', async () => {
    const commits = new GroupCommit(tenancy);
    const [orgA, orgB] = orgs as [string, string];
    const good = Array.from({ length: 10 }, () => randomUUID());
    const results = await Promise.allSettled([
      ...good.slice(0, 5).map((name) => commits.run(orgA, insert(orgA, name))),
      commits.run(orgA, insert(orgA, 'not json', 'this is not json')),
      commits.run(orgA, insert(orgB, 'another tenant')),
      ...good.slice(5).map((name) => commits.run(orgA, insert(orgA, name))),
    ]);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(2);
    expect(await subjects(orgA)).toEqual(expect.arrayContaining(good));
    expect(await subjects(orgB)).not.toContain('another tenant');
    const { rows } = await pool.query("select current_setting('svc.org_id', true) as left");
    expect(rows[0].left ?? '').toBe('');
  });
});
