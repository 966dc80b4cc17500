import { expect, it } from 'vitest';
import { connect, createDatabase } from '../../../test/support/postgres.ts';
import { takeProcessLock } from './process-lock.ts';

const url = await createDatabase();

async function holders(end = false): Promise<number> {
  const client = await connect(url);
  const ending = end ? ', pg_terminate_backend(pid)' : '';
  const { rows } = await client.query(`select pid${ending} from pg_locks where locktype = 'advisory' and objid = 41`);
  await client.end();
  return rows.length;
}

it('admits one process, and the next after it leaves', async () => {
  const first = await takeProcessLock(url, 40);
  expect(first).not.toBeNull();
  expect(await takeProcessLock(url, 40)).toBeNull();
  await first!.release();
  const second = await takeProcessLock(url, 40);
  expect(second).not.toBeNull();
  await second!.release();
});

it('takes the lock again after the database ends its session', async () => {
  const lock = await takeProcessLock(url, 41);
  expect(await holders(true)).toBe(1);
  await expect.poll(() => holders(), { timeout: 10_000 }).toBe(1);
  await lock!.release();
});
