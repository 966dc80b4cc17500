import { describe, expect, it } from 'vitest';
import { FairGate } from './fair-gate.ts';

const job = () => {
  let finish = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { done, finish: () => finish() };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('FairGate', () => {
  it('lets so many of one key in, and the next one when one leaves', async () => {
    const gate = new FairGate({ perKey: 2, overall: 10, waitMs: 1_000 });
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
    const gate = new FairGate({ perKey: 1, overall: 10, waitMs: 20 });
    const first = job();
    const running = gate.pass('a', () => first.done);
    await expect(gate.pass('a', async () => undefined)).rejects.toMatchObject({ code: 'rate_limited' });
    first.finish();
    await running;
    await expect(gate.pass('a', async () => 'free again')).resolves.toBe('free again');
  });

  it('serves waiting keys in turn, so that a busy one does not starve the others', async () => {
    const gate = new FairGate({ perKey: 4, overall: 1, waitMs: 1_000 });
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
    const gate = new FairGate({ perKey: 1, overall: 1, waitMs: 50 });
    await expect(gate.pass('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(gate.pass('b', async () => 1)).resolves.toBe(1);
  });
});
