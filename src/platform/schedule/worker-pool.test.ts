import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { type WorkerJob, WorkerPool } from './worker-pool.ts';

const module = new URL('../../../test/support/pool-process.mjs', import.meta.url);
const pool = new WorkerPool({ module, maxProcesses: 2, perTenant: 1, perCaller: 1, waitMs: 20_000 });
const createPoolJob = (request: string, options: Partial<WorkerJob> = {}): WorkerJob => ({
  owner: { tenant: 'a', caller: '' },
  affinityKey: '',
  request,
  timeoutMs: 20_000,
  createTimeoutError: () => new Error('too long'),
  ...options,
});
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it('ends a process that hangs at the time limit, and starts another for the next job', async () => {
  const firstPid = await pool.run<number>(createPoolJob('pid'));
  expect(await pool.run(createPoolJob('pid'))).toBe(firstPid);
  await expect(pool.run(createPoolJob('hang', { timeoutMs: 200 }))).rejects.toThrow('too long');
  await expect.poll(() => isAlive(firstPid)).toBe(false);
  expect(await pool.run(createPoolJob('pid'))).not.toBe(firstPid);
}, 60_000);

it('ends a job when its caller disconnects, and serves another tenant meanwhile', async () => {
  const gone = new AbortController();
  const hangingJob = pool.run(
    createPoolJob('hang', { signal: gone.signal, createCanceledError: () => new Error('gone') }),
  );
  hangingJob.catch(() => undefined);
  await sleep(100);
  expect(await pool.run(createPoolJob('pid', { owner: { tenant: 'b', caller: '' } }))).toEqual(expect.any(Number));
  gone.abort();
  await expect(hangingJob).rejects.toThrow('gone');
}, 60_000);

it('passes on problems, keeps the process, and delivers parts in order', async () => {
  const process = await pool.run(createPoolJob('pid'));
  await expect(pool.run(createPoolJob('refuse'))).rejects.toMatchObject({ code: 'invalid', retryAfter: 3 });
  await expect(pool.attempt('a', 'refuse', 20_000)).rejects.toMatchObject({ code: 'invalid' });
  const parts: unknown[] = [];
  expect(await pool.run(createPoolJob('parts', { onPart: async (part) => void parts.push(part) }))).toBe(process);
  expect(parts).toEqual([1, 2, 3]);
}, 60_000);

it('never gives a process that served one affinity key to a job with another key', async () => {
  const onePid = await pool.run<number>(createPoolJob('pid', { affinityKey: 'one' }));
  expect(await pool.run(createPoolJob('pid', { affinityKey: 'two' }))).not.toBe(onePid);
}, 60_000);

it('returns null from an attempt that fails or takes too long', async () => {
  expect(await pool.attempt('a', 'end', 20_000)).toBeNull();
  expect(await pool.attempt('a', 'hang', 200)).toBeNull();
  await expect(pool.run(createPoolJob('end'))).rejects.toThrow('ended before its work was done');
}, 60_000);

it('ends a busy process if its parent process has ended', async () => {
  // The process with the id 1 isn't the parent of this process.
  const orphan = fork(fileURLToPath(module), ['1'], { execArgv: [], serialization: 'advanced', stdio: 'ignore' });
  await once(orphan, 'message');
  orphan.send('hang');
  expect(await once(orphan, 'exit')).toEqual([null, 'SIGKILL']);
}, 60_000);
