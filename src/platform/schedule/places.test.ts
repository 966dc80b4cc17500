import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Problem } from '../problem.ts';
import { Places } from './places.ts';

afterEach(() => void vi.useRealTimers());

const job = () => {
  let finish = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { done, finish: () => finish() };
};
const by = (caller: string, tenant = '') => ({ tenant, caller });
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('Places', () => {
  it('admits work of one caller up to its limit, and the next piece when one finishes', async () => {
    const places = new Places({ perCaller: 2, overall: 10, waitMs: 1_000 });
    const jobs = [job(), job(), job()];
    const entered: number[] = [];
    const passes = jobs.map((job, index) =>
      places.run(by('a'), () => {
        entered.push(index);
        return job.done;
      }),
    );
    await turn();
    expect(entered).toEqual([0, 1]);
    jobs[0]!.finish();
    await turn();
    expect(entered).toEqual([0, 1, 2]);
    for (const item of jobs) item.finish();
    await Promise.all(passes);
  });

  it('refuses work that waited too long, with rate_limited', async () => {
    const places = new Places({ perCaller: 1, overall: 10, waitMs: 20 });
    const first = job();
    const running = places.run(by('a'), () => first.done);
    await expect(places.run(by('a'), async () => undefined)).rejects.toMatchObject({ code: 'rate_limited' });
    first.finish();
    await running;
    await expect(places.run(by('a'), async () => 'free again')).resolves.toBe('free again');
  });

  it('serves waiting callers in turn, so that a busy one doesn’t starve the others', async () => {
    const places = new Places({ perCaller: 4, overall: 1, waitMs: 1_000 });
    const order: string[] = [];
    const first = job();
    const running = places.run(by('busy'), () => first.done);
    const waiting = ['busy', 'busy', 'busy', 'calm'].map((key) =>
      places.run(by(key), async () => {
        order.push(key);
      }),
    );
    first.finish();
    await Promise.all([running, ...waiting]);
    expect(order.indexOf('calm')).toBeLessThan(2);
  });

  it('frees the slot of failed work', async () => {
    const places = new Places({ perCaller: 1, overall: 1, waitMs: 50 });
    await expect(places.run(by('a'), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(places.run(by('b'), async () => 1)).resolves.toBe(1);
  });

  it('keeps slots for other tenants, however many callers one tenant has', async () => {
    const places = new Places({ perCaller: 2, perTenant: 3, overall: 4, waitMs: 1_000 });
    const hold = job();
    const held = ['a1', 'a1', 'a2', 'a2', 'a3'].map((key) => places.run(by(key, 'a'), () => hold.done));
    await expect(places.run(by('b1', 'b'), async () => 'served')).resolves.toBe('served');
    hold.finish();
    await Promise.all(held);
  });

  it('serves waiting tenants in turn, and the callers of each in turn', async () => {
    const places = new Places({ perCaller: 9, overall: 1, waitMs: 10_000 });
    const order: string[] = [];
    const first = job();
    const running = places.run(by('a1', 'a'), () => first.done);
    const waiting = ['a1', 'a1', 'a2', 'b1'].map((key) =>
      places.run(by(key, key[0]), async () => void order.push(key)),
    );
    first.finish();
    await Promise.all([running, ...waiting]);
    expect(order).toEqual(['a1', 'b1', 'a2', 'a1']);
  });

  it('refuses work at once, after a full wait, if more work is ahead of it than left recently', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const places = new Places({ perCaller: 1, overall: 9, waitMs: 100 });
    const stuck = job();
    const running = places.run(by('a'), () => stuck.done);
    const outcomes: string[] = [];
    const come = (name: string) =>
      places
        .run(by('a'), async () => `${name} served`)
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

  it('admits returning work before other work of its caller, and forgets work that gave up', async () => {
    const places = new Places({ overall: 1, waitMs: 1_000 });
    const order: string[] = [];
    const come = async (name: string, how = {}) => {
      const leave = await places.enter(by('a'), how);
      order.push(name);
      return leave;
    };
    const leave = await come('first');
    leave();
    leave(); // a second call has no effect
    const hold = await come('second');
    const impatient = new AbortController();
    const gone = come('impatient', { signal: impatient.signal }).catch(() => 'gone');
    const waiting = [come('new'), come('back', { returning: true }), come('back too', { returning: true })];
    impatient.abort();
    expect(await gone).toBe('gone');
    hold();
    for (const at of [1, 2, 0]) (await waiting[at]!)();
    expect(order).toEqual(['first', 'second', 'back', 'back too', 'new']);
  });

  it('takes back a slot that arrives after the work is over', async () => {
    const places = new Places({ overall: 1 });
    const leave = await places.enter(by('a'));
    const over = new AbortController();
    const holding = places.hold(by('b'), over.signal, new AbortController().signal);
    over.abort();
    leave();
    await holding;
    expect(await places.enter(by('c'))).toBeTypeOf('function');
  });

  it('serves a tenant again after its limit rises', async () => {
    let limit = 0;
    const places = new Places({ perTenant: () => limit });
    let served = 0;
    const running = places.run(by('a'), async () => void served++);
    await turn();
    expect(served).toBe(0);
    limit = 1;
    places.admit();
    await running;
    expect(served).toBe(1);
  });
});
