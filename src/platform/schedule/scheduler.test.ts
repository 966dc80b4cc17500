import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { resumeOnEventLoop, runOffMainThread, Scheduler, waitForExternalSystem } from './scheduler.ts';

const createOwner = (tenant: string) => ({ tenant, caller: 'one' });
const blockEventLoop = (ms: number) => {
  for (const endTime = performance.now() + ms; performance.now() < endTime; );
};

/**
 * Runs a task in several steps that each block the event loop. Counts the tasks that run at the same time.
 */
async function runTask(count: { inside: number; most: number }, until: () => boolean): Promise<void> {
  count.most = Math.max(count.most, ++count.inside);
  do {
    blockEventLoop(4);
    await sleep(0);
  } while (!until());
  count.inside--;
}

/** Lets two tenants keep the event loop busy until the scheduler detects the load. */
async function keepBusy(scheduler: Scheduler): Promise<void> {
  const endTime = performance.now() + 300;
  const work = () =>
    scheduler.schedule(createOwner('busy'), () => runTask({ inside: 0, most: 0 }, () => performance.now() > endTime));
  await Promise.all([work(), scheduler.schedule(createOwner('other'), () => sleep(300))]);
}

it('never delays a tenant that is alone', async () => {
  const scheduler = new Scheduler(32);
  const count = { inside: 0, most: 0 };
  const endTime = performance.now() + 200;
  await Promise.all(
    Array.from({ length: 8 }, () =>
      scheduler.schedule(createOwner('one'), () => runTask(count, () => performance.now() > endTime)),
    ),
  );
  expect(count.most).toBe(8);
});

/** Runs `work` while the scheduler also has work of another tenant. */
async function runNextToOtherTenant(scheduler: Scheduler, work: () => Promise<void>): Promise<void> {
  let end = () => {};
  const otherTenantWork = scheduler.schedule(
    createOwner('calm'),
    () => new Promise<void>((resolve) => (end = resolve)),
  );
  await work();
  end();
  await otherTenantWork;
}

it('limits a tenant with more work than the others to one task at a time on a busy event loop', async () => {
  const scheduler = new Scheduler(32);
  await keepBusy(scheduler);
  await runNextToOtherTenant(scheduler, async () => {
    const count = { inside: 0, most: 0 };
    await Promise.all(
      Array.from({ length: 8 }, () => scheduler.schedule(createOwner('many'), () => runTask(count, () => true))),
    );
    expect(count.most).toBe(1);
    const endedTenants: string[] = [];
    const work = (tenant: string, ms: number) =>
      scheduler.schedule(createOwner(tenant), () => sleep(ms)).then(() => endedTenants.push(tenant));
    await Promise.all([...Array.from({ length: 4 }, () => work('many', 100)), work('quick', 0)]);
    expect(endedTenants[0]).toBe('quick');
  });
});

it('resumes work in the order in which it began', async () => {
  const scheduler = new Scheduler(32);
  await keepBusy(scheduler);
  const order: string[] = [];
  await runNextToOtherTenant(scheduler, async () => {
    const names = ['first', 'second', 'third'];
    const returningRuns = names.map((name) =>
      scheduler.schedule(createOwner('many'), async () => {
        await waitForExternalSystem(() => sleep(200));
        order.push(name);
        await sleep(20);
      }),
    );
    await Promise.all(returningRuns);
  });
  expect(order).toEqual(['first', 'second', 'third']);
});

it('lends the slot of waiting work to the next work, and takes it back', async () => {
  const scheduler = new Scheduler(32);
  await keepBusy(scheduler);
  const order: string[] = [];
  await runNextToOtherTenant(scheduler, async () => {
    const firstTask = scheduler.schedule(createOwner('many'), async () => {
      await waitForExternalSystem(async () => {
        while (order.length < 2) await sleep(5);
        await resumeOnEventLoop();
        order.push('large');
      });
      order.push('first');
    });
    const otherTasks = ['second', 'third'].map((name) =>
      scheduler.schedule(createOwner('many'), async () => void order.push(name)),
    );
    await Promise.all([firstTask, ...otherTasks]);
  });
  expect(order).toEqual(['second', 'third', 'large', 'first']);
});

it('limits a busy tenant to half of the processors, where short work passes long work', async () => {
  const scheduler = new Scheduler(32);
  const halfOfProcessors = Math.max(1, Math.floor(availableParallelism() / 2));
  const callers = halfOfProcessors + 3;
  let maxRunning = 0;
  let runningCount = 0;
  const runStatement = (ms: number) =>
    scheduler.schedule(createOwner('many'), () =>
      // The steps of one ask share one processor.
      runOffMainThread(() =>
        runOffMainThread(async () => {
          maxRunning = Math.max(maxRunning, ++runningCount);
          await sleep(ms);
          runningCount--;
        }),
      ),
    );
  const runStatements = (ms: number) => Promise.all(Array.from({ length: callers }, () => runStatement(ms)));
  await runStatements(20);
  expect(maxRunning).toBe(callers);
  maxRunning = 0;
  await runNextToOtherTenant(scheduler, async () => void (await runStatements(20)));
  expect(maxRunning).toBe(halfOfProcessors);
  await runNextToOtherTenant(scheduler, async () => {
    const endedTenants: string[] = [];
    const longRuns = Array.from({ length: halfOfProcessors }, () =>
      runStatement(2_500).then(() => endedTenants.push('long')),
    );
    await Promise.all([...longRuns, sleep(5).then(() => runStatement(5).then(() => endedTenants.push('short')))]);
    expect(endedTenants[0]).toBe('short');
  });
});

it('lends slots again after a tenant was alone', async () => {
  const scheduler = new Scheduler(32);
  await keepBusy(scheduler);
  while (scheduler.hasOtherTenants) await sleep(50);
  await scheduler.schedule(createOwner('many'), () => sleep(0));
  await keepBusy(scheduler);
  const order: string[] = [];
  await runNextToOtherTenant(scheduler, async () => {
    const waitingTask = scheduler.schedule(createOwner('many'), async () => {
      await waitForExternalSystem(() => sleep(300));
      order.push('waiting');
    });
    const nextTask = scheduler.schedule(createOwner('many'), async () => void order.push('next'));
    await Promise.all([waitingTask, nextTask]);
  });
  expect(order).toEqual(['next', 'waiting']);
});
