import { expect, it } from 'vitest';
import { connect, createDatabase } from '../../../test/support/postgres.ts';
import { takeProcessLock } from './process-lock.ts';

const url = await createDatabase();

async function countHolders(end = false): Promise<number> {
  const client = await connect(url);
  const endSql = end ? ', pg_terminate_backend(pid)' : '';
  const { rows } = await client.query(`select pid${endSql} from pg_locks where locktype = 'advisory' and objid = 41`);
  await client.end();
  return rows.length;
}

it('admits one process, and the next after it leaves', async () => {
  const firstLock = await takeProcessLock(url, 40);
  expect(firstLock).not.toBeNull();
  expect(await takeProcessLock(url, 40)).toBeNull();
  await firstLock!.release();
  const secondLock = await takeProcessLock(url, 40);
  expect(secondLock).not.toBeNull();
  await secondLock!.release();
});

it('takes the lock again after the database ends its session', async () => {
  const lock = await takeProcessLock(url, 41);
  expect(await countHolders(true)).toBe(1);
  await expect.poll(() => countHolders(), { timeout: 10_000 }).toBe(1);
  await lock!.release();
});
