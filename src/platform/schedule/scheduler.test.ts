import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { offMainThread, resumeOnLoop, Scheduler, withoutPlace } from './scheduler.ts';

const by = (tenant: string) => ({ tenant, caller: 'one' });
const burn = (ms: number) => {
  for (const until = performance.now() + ms; performance.now() < until; );
};

/** Runs a piece of several steps. Each step blocks the event loop. Counts the pieces that run at the same time. */
async function piece(count: { inside: number; most: number }, until: () => boolean): Promise<void> {
  count.most = Math.max(count.most, ++count.inside);
  do {
    burn(4);
    await sleep(0);
  } while (!until());
  count.inside--;
}

/** Two tenants keep the event loop busy until the scheduler detects it. */
async function busy(scheduler: Scheduler): Promise<void> {
  const until = performance.now() + 300;
  const work = () =>
    scheduler.schedule(by('busy'), () => piece({ inside: 0, most: 0 }, () => performance.now() > until));
  await Promise.all([work(), scheduler.schedule(by('other'), () => sleep(300))]);
}

it('never delays a tenant that is alone', async () => {
  const scheduler = new Scheduler(32);
  const count = { inside: 0, most: 0 };
  const until = performance.now() + 200;
  await Promise.all(
    Array.from({ length: 8 }, () => scheduler.schedule(by('one'), () => piece(count, () => performance.now() > until))),
  );
  expect(count.most).toBe(8);
});

/** Gives another tenant work while `work` runs. */
async function withCalm(scheduler: Scheduler, work: () => Promise<void>): Promise<void> {
  let end = () => {};
  const calm = scheduler.schedule(by('calm'), () => new Promise<void>((resolve) => (end = resolve)));
  await work();
  end();
  await calm;
}

it('limits a tenant with more work than the others to one piece at a time on a busy event loop', async () => {
  const scheduler = new Scheduler(32);
  await busy(scheduler);
  await withCalm(scheduler, async () => {
    const count = { inside: 0, most: 0 };
    await Promise.all(Array.from({ length: 8 }, () => scheduler.schedule(by('many'), () => piece(count, () => true))));
    expect(count.most).toBe(1);
    const ended: string[] = [];
    const work = (tenant: string, ms: number) =>
      scheduler.schedule(by(tenant), () => sleep(ms)).then(() => ended.push(tenant));
    await Promise.all([...Array.from({ length: 4 }, () => work('many', 100)), work('quick', 0)]);
    expect(ended[0]).toBe('quick');
  });
});

it('resumes work in the order in which it began', async () => {
  const scheduler = new Scheduler(32);
  await busy(scheduler);
  const order: string[] = [];
  await withCalm(scheduler, async () => {
    const names = ['first', 'second', 'third'];
    const returning = names.map((name) =>
      scheduler.schedule(by('many'), async () => {
        await withoutPlace(() => sleep(200));
        order.push(name);
        await sleep(20);
      }),
    );
    await Promise.all(returning);
  });
  expect(order).toEqual(['first', 'second', 'third']);
});

it('lends the slot of waiting work to the next work, and takes it back', async () => {
  const scheduler = new Scheduler(32);
  await busy(scheduler);
  const order: string[] = [];
  await withCalm(scheduler, async () => {
    const first = scheduler.schedule(by('many'), async () => {
      await withoutPlace(async () => {
        while (order.length < 2) await sleep(5);
        await resumeOnLoop();
        order.push('large');
      });
      order.push('first');
    });
    const others = ['second', 'third'].map((name) => scheduler.schedule(by('many'), async () => void order.push(name)));
    await Promise.all([first, ...others]);
  });
  expect(order).toEqual(['second', 'third', 'large', 'first']);
});

it('limits a busy tenant to half of the processors, where short work passes long work', async () => {
  const scheduler = new Scheduler(32);
  const half = Math.max(1, Math.floor(availableParallelism() / 2));
  const callers = half + 3;
  let most = 0;
  let running = 0;
  const statement = (ms: number) =>
    scheduler.schedule(by('many'), () =>
      // Steps of one ask share its processor.
      offMainThread(() =>
        offMainThread(async () => {
          most = Math.max(most, ++running);
          await sleep(ms);
          running--;
        }),
      ),
    );
  const several = (ms: number) => Promise.all(Array.from({ length: callers }, () => statement(ms)));
  await several(20);
  expect(most).toBe(callers);
  most = 0;
  await withCalm(scheduler, async () => void (await several(20)));
  expect(most).toBe(half);
  await withCalm(scheduler, async () => {
    const ended: string[] = [];
    const long = Array.from({ length: half }, () => statement(2_500).then(() => ended.push('long')));
    await Promise.all([...long, sleep(5).then(() => statement(5).then(() => ended.push('short')))]);
    expect(ended[0]).toBe('short');
  });
});
