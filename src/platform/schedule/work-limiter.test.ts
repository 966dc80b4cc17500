import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Problem } from '../problem.ts';
import { WorkLimiter } from './work-limiter.ts';

afterEach(() => void vi.useRealTimers());

const createJob = () => {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { done: finished, finish: () => finish() };
};
const createOwner = (caller: string, tenant = '') => ({ tenant, caller });
const waitForNextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('a work limiter', () => {
  it('admits work of one caller up to its limit, and the next task when a task finishes', async () => {
    const places = new WorkLimiter({ perCaller: 2, overall: 10, waitMs: 1_000 });
    const jobs = [createJob(), createJob(), createJob()];
    const enteredJobs: number[] = [];
    const passes = jobs.map((job, index) =>
      places.run(createOwner('a'), () => {
        enteredJobs.push(index);
        return job.done;
      }),
    );
    await waitForNextTurn();
    expect(enteredJobs).toEqual([0, 1]);
    jobs[0]!.finish();
    await waitForNextTurn();
    expect(enteredJobs).toEqual([0, 1, 2]);
    for (const item of jobs) item.finish();
    await Promise.all(passes);
  });

  it('refuses work that waited too long, with rate_limited', async () => {
    const places = new WorkLimiter({ perCaller: 1, overall: 10, waitMs: 20 });
    const firstJob = createJob();
    const firstRun = places.run(createOwner('a'), () => firstJob.done);
    await expect(places.run(createOwner('a'), async () => undefined)).rejects.toMatchObject({ code: 'rate_limited' });
    firstJob.finish();
    await firstRun;
    await expect(places.run(createOwner('a'), async () => 'free again')).resolves.toBe('free again');
  });

  it('serves waiting callers in turn, so that a busy caller doesn’t starve the others', async () => {
    const places = new WorkLimiter({ perCaller: 4, overall: 1, waitMs: 1_000 });
    const order: string[] = [];
    const firstJob = createJob();
    const firstRun = places.run(createOwner('busy'), () => firstJob.done);
    const waitingRuns = ['busy', 'busy', 'busy', 'calm'].map((key) =>
      places.run(createOwner(key), async () => {
        order.push(key);
      }),
    );
    firstJob.finish();
    await Promise.all([firstRun, ...waitingRuns]);
    expect(order.indexOf('calm')).toBeLessThan(2);
  });

  it('frees the slot of failed work', async () => {
    const places = new WorkLimiter({ perCaller: 1, overall: 1, waitMs: 50 });
    await expect(places.run(createOwner('a'), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(places.run(createOwner('b'), async () => 1)).resolves.toBe(1);
  });

  it('keeps slots for other tenants, however many callers one tenant has', async () => {
    const places = new WorkLimiter({ perCaller: 2, perTenant: 3, overall: 4, waitMs: 1_000 });
    const heldJob = createJob();
    const heldRuns = ['a1', 'a1', 'a2', 'a2', 'a3'].map((key) => places.run(createOwner(key, 'a'), () => heldJob.done));
    await expect(places.run(createOwner('b1', 'b'), async () => 'served')).resolves.toBe('served');
    heldJob.finish();
    await Promise.all(heldRuns);
  });

  it('serves waiting tenants in turn, and the callers of each tenant in turn', async () => {
    const places = new WorkLimiter({ perCaller: 9, overall: 1, waitMs: 10_000 });
    const order: string[] = [];
    const firstJob = createJob();
    const firstRun = places.run(createOwner('a1', 'a'), () => firstJob.done);
    const waitingRuns = ['a1', 'a1', 'a2', 'b1'].map((key) =>
      places.run(createOwner(key, key[0]), async () => void order.push(key)),
    );
    firstJob.finish();
    await Promise.all([firstRun, ...waitingRuns]);
    expect(order).toEqual(['a1', 'b1', 'a2', 'a1']);
  });

  it('refuses new work immediately if older work timed out and the queue is longer than the recent throughput', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const places = new WorkLimiter({ perCaller: 1, overall: 9, waitMs: 100 });
    const stuckJob = createJob();
    const stuckRun = places.run(createOwner('a'), () => stuckJob.done);
    const outcomes: string[] = [];
    const enterAs = (name: string) =>
      places
        .run(createOwner('a'), async () => `${name} served`)
        .then(
          (servedName) => outcomes.push(servedName),
          (fault: Problem) => outcomes.push(`${name} ${fault.code}`),
        );
    void enterAs('first');
    vi.advanceTimersByTime(60);
    void enterAs('second');
    vi.advanceTimersByTime(60);
    void enterAs('third');
    await waitForNextTurn();
    expect(outcomes).toEqual(['first rate_limited', 'third rate_limited']);
    stuckJob.finish();
    await stuckRun;
    await waitForNextTurn();
    expect(outcomes).toContain('second served');
    await enterAs('fourth');
    expect(outcomes).toContain('fourth served');
  });

  it('admits returning work before other work of its caller, and drops work that stopped waiting', async () => {
    const places = new WorkLimiter({ overall: 1, waitMs: 1_000 });
    const order: string[] = [];
    const enterAndRecord = async (name: string, options = {}) => {
      const leave = await places.enter(createOwner('a'), options);
      order.push(name);
      return leave;
    };
    const leave = await enterAndRecord('first');
    leave();
    leave(); // the second call has no effect
    const hold = await enterAndRecord('second');
    const impatient = new AbortController();
    const impatientResult = enterAndRecord('impatient', { signal: impatient.signal }).catch(() => 'gone');
    const waitingEntries = [
      enterAndRecord('new'),
      enterAndRecord('back', { isReturning: true }),
      enterAndRecord('back too', { isReturning: true }),
    ];
    impatient.abort();
    expect(await impatientResult).toBe('gone');
    hold();
    for (const index of [1, 2, 0]) (await waitingEntries[index]!)();
    expect(order).toEqual(['first', 'second', 'back', 'back too', 'new']);
  });

  it('takes back a slot that arrives after the work is over', async () => {
    const places = new WorkLimiter({ overall: 1 });
    const leave = await places.enter(createOwner('a'));
    const holdEnd = new AbortController();
    const heldPlace = places.hold(createOwner('b'), holdEnd.signal, new AbortController().signal);
    holdEnd.abort();
    leave();
    await heldPlace;
    expect(await places.enter(createOwner('c'))).toBeTypeOf('function');
  });

  it('serves a tenant again after its limit rises', async () => {
    let limit = 0;
    const places = new WorkLimiter({ perTenant: () => limit });
    let servedCount = 0;
    const firstRun = places.run(createOwner('a'), async () => void servedCount++);
    await waitForNextTurn();
    expect(servedCount).toBe(0);
    limit = 1;
    places.admit();
    await firstRun;
    expect(servedCount).toBe(1);
  });
});
