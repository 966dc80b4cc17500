import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Problem } from '../problem.ts';
import { FairQueue } from './fair-queue.ts';

afterEach(() => void vi.useRealTimers());

const job = () => {
  let finish = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { done, finish: () => finish() };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('FairQueue', () => {
  it('lets so many of one key in, and the next one when one leaves', async () => {
    const gate = new FairQueue({ perKey: 2, overall: 10, waitMs: 1_000 });
    const jobs = [job(), job(), job()];
    const entered: number[] = [];
    const passes = jobs.map((one, index) =>
      gate.pass('a', () => {
        entered.push(index);
        return one.done;
      }),
    );
    await turn();
    expect(entered).toEqual([0, 1]);
    jobs[0]!.finish();
    await turn();
    expect(entered).toEqual([0, 1, 2]);
    for (const one of jobs) one.finish();
    await Promise.all(passes);
  });

  it('turns away with rate_limited whoever waited too long', async () => {
    const gate = new FairQueue({ perKey: 1, overall: 10, waitMs: 20 });
    const first = job();
    const running = gate.pass('a', () => first.done);
    await expect(gate.pass('a', async () => undefined)).rejects.toMatchObject({ code: 'rate_limited' });
    first.finish();
    await running;
    await expect(gate.pass('a', async () => 'free again')).resolves.toBe('free again');
  });

  it('serves waiting keys in turn, so that a busy one does not starve the others', async () => {
    const gate = new FairQueue({ perKey: 4, overall: 1, waitMs: 1_000 });
    const order: string[] = [];
    const first = job();
    const running = gate.pass('busy', () => first.done);
    const waiting = ['busy', 'busy', 'busy', 'calm'].map((key) =>
      gate.pass(key, async () => {
        order.push(key);
      }),
    );
    first.finish();
    await Promise.all([running, ...waiting]);
    expect(order.indexOf('calm')).toBeLessThan(2);
  });

  it('frees the place of work that failed', async () => {
    const gate = new FairQueue({ perKey: 1, overall: 1, waitMs: 50 });
    await expect(gate.pass('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(gate.pass('b', async () => 1)).resolves.toBe(1);
  });

  it('keeps places for other tenants, however many keys one has', async () => {
    const gate = new FairQueue({ perKey: 2, perTenant: 3, overall: 4, waitMs: 1_000 });
    const hold = job();
    const held = ['a1', 'a1', 'a2', 'a2', 'a3'].map((key) => gate.pass(key, () => hold.done, 'a'));
    await expect(gate.pass('b1', async () => 'served', 'b')).resolves.toBe('served');
    hold.finish();
    await Promise.all(held);
  });

  it('serves waiting tenants in turn, and the keys of each', async () => {
    const gate = new FairQueue({ perKey: 9, overall: 1, waitMs: 10_000 });
    const order: string[] = [];
    const first = job();
    const running = gate.pass('a1', () => first.done, 'a');
    const waiting = ['a1', 'a1', 'a2', 'b1'].map((key) => gate.pass(key, async () => void order.push(key), key[0]));
    first.finish();
    await Promise.all([running, ...waiting]);
    expect(order).toEqual(['a1', 'b1', 'a2', 'a1']);
  });

  it('turns away at once, once it has been full that long, whoever has more ahead than left lately', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const gate = new FairQueue({ perKey: 1, overall: 9, waitMs: 100 });
    const stuck = job();
    const running = gate.pass('a', () => stuck.done);
    const outcomes: string[] = [];
    const come = (name: string) =>
      gate
        .pass('a', async () => `${name} served`)
        .then(
          (served) => outcomes.push(served),
          (fault: Problem) => outcomes.push(`${name} ${fault.code}`),
        );
    void come('first');
    vi.advanceTimersByTime(60);
    void come('second');
    vi.advanceTimersByTime(60);
    void come('third');
    await turn();
    expect(outcomes).toEqual(['first rate_limited', 'third rate_limited']);
    stuck.finish();
    await running;
    await turn();
    expect(outcomes).toContain('second served');
    await come('fourth');
    expect(outcomes).toContain('fourth served');
  });
});
