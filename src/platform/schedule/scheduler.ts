// Shares the event loop and the processors between tenants, and limits the running asks of each tenant and caller.
// While several tenants have work, a tenant with more work than the others:
// - uses at most half of the processors outside the event loop;
// - runs one task at a time on a busy event loop, and pauses after it.
// Waiting for a warehouse or a model takes no slot. Work that starts while its tenant is alone needs no slot.
import { availableParallelism } from 'node:os';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { getStoredTask, runWithinTask, stopTrackingWork } from '../request-storage.ts';
import { WorkLimiter, type WorkOwner } from './work-limiter.ts';

interface TenantActivity {
  activeTasks: number;
  /** The recent maximum of `activeTasks`. The value decays over time. */
  demand: number;
  seenAt: number;
  restUntil: number;
}
export interface StartedTask {
  runWithin<T>(work: () => T): T;
  end(): void;
}
interface ScheduledTask {
  scheduler: Scheduler;
  tenant: TenantActivity;
  owner: WorkOwner;
  /** Undefined if the task has no slot on the event loop. */
  releaseSlot: (() => void) | undefined;
  startedAt: number;
  longTimer: NodeJS.Timeout | undefined;
  isOver: boolean;
  pendingEntry: Promise<void> | undefined;
  /** Steps that run outside the event loop. All steps of a task share one processor. */
  stepsOffLoop: number;
  processorRelease: Promise<() => void> | undefined;
}

const MAX_ASK_WAIT_MS = 2_000;
/** A tenant's limit, as a multiple of a caller's limit. A tenant with many callers can't take all slots. */
const TENANT_LIMIT_FACTOR = 3;
const OVERALL_LIMIT_FACTOR = 4;

const MAX_SLOT_WAIT_MS = 10_000;
const RECENT_WORK_MS = 1_000;
const MAX_PROCESSORS = Math.max(1, Math.floor(availableParallelism() / 2));
/** A longer task, such as a stream, gives up its slot to other work of the tenant. */
const LONG_TASK_MS = 1_000;
const MEASURE_INTERVAL_MS = 50;
/**
 * Above this utilization, the event loop counts as busy for BUSY_MS. Pauses lower the utilization, so one low
 * measurement doesn't mean that the event loop is idle.
 */
const BUSY_UTILIZATION = 0.6;
const BUSY_MS = 3_000;
const USAGE_DECAY_FACTOR = 0.9;
/** The length of a pause, as a multiple of the time that the task ran. */
const PAUSE_FACTOR = 2;
const MAX_PAUSE_MS = 50;

const getCurrentTask = (): ScheduledTask | undefined => getStoredTask() as ScheduledTask | undefined;

export class Scheduler {
  readonly #askSlots: WorkLimiter;
  readonly #loopSlots = new WorkLimiter({
    perTenant: (tenant) => this.#countLoopSlots(tenant),
    waitMs: MAX_SLOT_WAIT_MS,
  });
  readonly #processors = new WorkLimiter({
    perTenant: (tenant) => (this.#hasAboveAverageDemand(tenant) ? MAX_PROCESSORS : Infinity),
    waitMs: MAX_SLOT_WAIT_MS,
  });
  readonly #tenants = new Map<string, TenantActivity>();
  #busyUntil = 0;
  #measureTimer: NodeJS.Timeout | undefined;
  #lastUtilization: EventLoopUtilization | undefined;

  constructor(asksInFlight: number) {
    this.#askSlots = new WorkLimiter({
      perCaller: asksInFlight,
      perTenant: asksInFlight * TENANT_LIMIT_FACTOR,
      overall: asksInFlight * OVERALL_LIMIT_FACTOR,
      waitMs: MAX_ASK_WAIT_MS,
    });
  }

  /** An ask within another task, such as a request, belongs to that task. */
  schedule<T>(owner: WorkOwner, work: () => Promise<T>): Promise<T> {
    return waitForExternalSystem(() =>
      this.#askSlots.run(owner, async () => {
        const outerTask = getCurrentTask();
        if (outerTask?.scheduler === this && !outerTask.isOver) {
          const reentry = this.reenter(outerTask);
          if (reentry) await reentry;
          return work();
        }
        const pendingTask = this.begin(owner.tenant);
        const startedTask = pendingTask instanceof Promise ? await pendingTask : pendingTask;
        try {
          return await startedTask.runWithin(work);
        } finally {
          startedTask.end();
        }
      }),
    );
  }

  /** Returns a promise only if the task has to wait. */
  begin(tenantName: string): StartedTask | Promise<StartedTask> {
    const tenant = this.#getOrAddTenant(tenantName);
    tenant.demand = Math.max(tenant.demand, ++tenant.activeTasks);
    const task: ScheduledTask = {
      ...{
        scheduler: this,
        tenant,
        owner: { tenant: tenantName, caller: '' },
        releaseSlot: undefined,
        startedAt: 0,
        longTimer: undefined,
      },
      ...{ isOver: false, pendingEntry: undefined, stepsOffLoop: 0, processorRelease: undefined },
    };
    const end = () => {
      if (task.isOver) return;
      task.isOver = true;
      this.leave(task);
      tenant.seenAt = performance.now();
      tenant.activeTasks--;
    };
    if (!this.hasOtherTenants) return { runWithin: (work) => work(), end };
    const startedTask: StartedTask = { runWithin: (work) => runWithinTask(task, work), end };
    const pendingEntry = this.#enter(task, false);
    return pendingEntry
      ? pendingEntry.then(
          () => startedTask,
          (fault: unknown) => {
            end();
            throw fault;
          },
        )
      : startedTask;
  }

  leave(task: ScheduledTask): void {
    const { releaseSlot, tenant, owner } = task;
    if (!releaseSlot) return;
    task.releaseSlot = undefined;
    clearTimeout(task.longTimer);
    const now = performance.now();
    const restMs = Math.min(MAX_PAUSE_MS, (now - task.startedAt) * PAUSE_FACTOR);
    tenant.seenAt = now;
    tenant.restUntil = now + restMs;
    releaseSlot();
    if (this.#isOverloading(owner.tenant)) setTimeout(() => this.#loopSlots.admit(), restMs + 1).unref();
  }

  /** Returns a promise only if the task has to wait. */
  reenter(task: ScheduledTask): Promise<void> | undefined {
    if (task.isOver || task.releaseSlot) return undefined;
    task.pendingEntry ??= this.#enter(task, true)?.then(() => {
      task.pendingEntry = undefined;
      if (task.isOver) this.leave(task);
    });
    return task.pendingEntry;
  }

  async runOnProcessors<T>(task: ScheduledTask, work: () => Promise<T>): Promise<T> {
    task.processorRelease ??= this.#takeProcessor(task.owner);
    const { processorRelease: processor } = task;
    task.stepsOffLoop++;
    try {
      await processor;
      return await work();
    } finally {
      if (--task.stepsOffLoop === 0) {
        task.processorRelease = undefined;
        void processor.then(
          (leave) => leave(),
          () => undefined,
        );
      }
    }
  }

  async #takeProcessor(owner: WorkOwner): Promise<() => void> {
    const leave = await this.#processors.enter(owner);
    const releaseTimer = setTimeout(leave, LONG_TASK_MS).unref();
    return () => {
      clearTimeout(releaseTimer);
      leave();
    };
  }

  get hasOtherTenants(): boolean {
    return this.#tenants.size > 1;
  }

  #getOrAddTenant(name: string): TenantActivity {
    const existingTenant = this.#tenants.get(name);
    if (existingTenant) return existingTenant;
    const tenant: TenantActivity = { activeTasks: 0, demand: 0, seenAt: performance.now(), restUntil: 0 };
    this.#tenants.set(name, tenant);
    if (this.hasOtherTenants)
      this.#measureTimer ??= setInterval(() => this.#measureLoad(), MEASURE_INTERVAL_MS).unref();
    return tenant;
  }

  #enter(task: ScheduledTask, isReturning: boolean): Promise<void> | undefined {
    const entry = this.#loopSlots.enter(task.owner, { isReturning });
    const begin = (leave: () => void) => {
      task.releaseSlot = leave;
      task.startedAt = performance.now();
      task.longTimer = setTimeout(() => this.leave(task), LONG_TASK_MS).unref();
    };
    if (entry instanceof Promise) return entry.then(begin);
    begin(entry);
    return undefined;
  }

  #countLoopSlots(name: string): number {
    if (!this.#isOverloading(name)) return Infinity;
    return performance.now() >= this.#tenants.get(name)!.restUntil ? 1 : 0;
  }

  #isOverloading(name: string): boolean {
    return performance.now() < this.#busyUntil && this.#hasAboveAverageDemand(name);
  }

  #hasAboveAverageDemand(name: string): boolean {
    if (!this.hasOtherTenants) return false;
    let demand = 0;
    for (const tenant of this.#tenants.values()) demand += tenant.demand;
    return (this.#tenants.get(name)?.demand ?? 0) > demand / this.#tenants.size;
  }

  #measureLoad(): void {
    const now = performance.now();
    const utilizationNow = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(utilizationNow, this.#lastUtilization);
    this.#lastUtilization = utilizationNow;
    if (utilization > BUSY_UTILIZATION) this.#busyUntil = now + BUSY_MS;
    for (const [name, tenant] of this.#tenants) {
      tenant.demand = Math.max(tenant.activeTasks, tenant.demand * USAGE_DECAY_FACTOR);
      if (tenant.activeTasks === 0 && now - tenant.seenAt > RECENT_WORK_MS) this.#tenants.delete(name);
    }
    this.#loopSlots.admit();
    this.#processors.admit();
    if (this.hasOtherTenants) return;
    clearInterval(this.#measureTimer);
    this.#measureTimer = undefined;
    this.#lastUtilization = undefined;
    stopTrackingWork();
  }
}

/** Releases the slot of the current task while the task waits for an external system. */
export async function waitForExternalSystem<T>(wait: () => Promise<T>): Promise<T> {
  const task = getCurrentTask();
  if (!task) return wait();
  task.scheduler.leave(task);
  try {
    return await wait();
  } finally {
    const reentry = task.scheduler.reenter(task);
    if (reentry) await reentry;
  }
}

export async function runOffMainThread<T>(work: () => Promise<T>): Promise<T> {
  const task = getCurrentTask();
  return task ? waitForExternalSystem(() => task.scheduler.runOnProcessors(task, work)) : work();
}

/** Takes a slot again while an external system still sends data, because receiving data occupies the event loop. */
export async function resumeOnEventLoop(): Promise<void> {
  const task = getCurrentTask();
  await task?.scheduler.reenter(task);
}

/** Tenants that recently had work count too. */
export const hasOtherBusyTenants = (): boolean => getCurrentTask()?.scheduler.hasOtherTenants ?? false;
