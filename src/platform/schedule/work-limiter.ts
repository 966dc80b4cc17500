// Tenants take turns, and so do the callers of a tenant, so no tenant or caller waits forever. Once work has been
// waiting continuously for some time, new work that would wait too long is refused immediately.
import { Problem } from '../problem.ts';

export interface WorkOwner {
  tenant: string;
  caller: string;
}

/** An omitted limit means no limit. */
export interface WorkLimits {
  overall?: number;
  /** Use a function if the limit can change. After the limit has risen, call `admit`. */
  perTenant?: number | ((tenant: string) => number);
  perCaller?: number;
  waitMs?: number;
}

interface WaitingWork {
  isResuming: boolean;
  enter(): void;
}

class WorkLoad {
  runningCount = 0;
  waitingCount = 0;
  readonly #waitMs: number;
  #backlogSince = 0;
  #windowStart = performance.now();
  #finishedInLastWindow = 0;
  #finishedInWindow = 0;

  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  changeWaiting(delta: 1 | -1): void {
    if (this.waitingCount === 0) this.#backlogSince = performance.now();
    this.waitingCount += delta;
  }

  recordFinished(): void {
    this.runningCount--;
    this.#turnWindow();
    this.#finishedInWindow++;
  }

  /** Whether some work has been waiting at every moment of the last `waitMs` milliseconds. */
  get isBacklogged(): boolean {
    return this.waitingCount > 0 && performance.now() - this.#backlogSince >= this.#waitMs;
  }

  /** The approximate number of tasks that finished in the last `waitMs` milliseconds. */
  get recentlyFinished(): number {
    this.#turnWindow();
    return Math.max(this.#finishedInLastWindow, this.#finishedInWindow);
  }

  #turnWindow(): void {
    const windows = Math.floor((performance.now() - this.#windowStart) / this.#waitMs);
    if (windows === 0) return;
    this.#finishedInLastWindow = windows === 1 ? this.#finishedInWindow : 0;
    this.#finishedInWindow = 0;
    this.#windowStart += windows * this.#waitMs;
  }
}

class CallerLoad extends WorkLoad {
  readonly queue: WaitingWork[] = [];
}

/** Callers are in the order of their turns. The caller that was served last is at the end. */
class TenantLoad extends WorkLoad {
  readonly callers = new Map<string, CallerLoad>();
}

export class WorkLimiter {
  readonly #limits: Required<WorkLimits>;
  readonly #tenants = new Map<string, TenantLoad>();
  readonly #overallLoad: WorkLoad;

  constructor(limits: WorkLimits) {
    this.#limits = { overall: Infinity, perTenant: Infinity, perCaller: Infinity, waitMs: Infinity, ...limits };
    this.#overallLoad = new WorkLoad(this.#limits.waitMs);
  }

  async run<T>(owner: WorkOwner, work: () => Promise<T>): Promise<T> {
    const entry = this.enter(owner);
    const leave = entry instanceof Promise ? await entry : entry;
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * Returns a promise only if the work has to wait. Work that returns after a pause already holds memory, so it goes
   * first among its caller's work and has no time limit.
   */
  enter(
    owner: WorkOwner,
    options: { signal?: AbortSignal; isReturning?: boolean } = {},
  ): (() => void) | Promise<() => void> {
    const tenant = getOrAdd(this.#tenants, owner.tenant, () => new TenantLoad(this.#limits.waitMs));
    const caller = getOrAdd(tenant.callers, owner.caller, () => new CallerLoad(this.#limits.waitMs));
    const loads = [caller, tenant, this.#overallLoad] as const;
    let isInside = true;
    const leave = () => {
      if (!isInside) return;
      isInside = false;
      for (const load of loads) load.recordFinished();
      this.admit();
      this.#forget(owner);
    };
    if (caller.waitingCount > 0 || !this.#mayEnter(owner.tenant, tenant, caller))
      return this.#wait(owner, loads, options).then(() => leave);
    for (const load of loads) load.runningCount++;
    return leave;
  }

  /** Takes a slot until `untilSignal` aborts. */
  async hold(owner: WorkOwner, untilSignal: AbortSignal, signal: AbortSignal): Promise<void> {
    const leave = await this.enter(owner, { signal });
    if (untilSignal.aborted) leave();
    else untilSignal.addEventListener('abort', leave);
  }

  admit(): void {
    while (this.#overallLoad.waitingCount > 0 && this.#admitOne());
  }

  #admitOne(): boolean {
    for (const [tenantName, tenant] of this.#tenants) {
      if (tenant.waitingCount === 0) continue;
      for (const [callerName, caller] of tenant.callers) {
        if (caller.waitingCount === 0 || !this.#mayEnter(tenantName, tenant, caller)) continue;
        moveToEnd(this.#tenants, tenantName);
        moveToEnd(tenant.callers, callerName);
        caller.queue.shift()!.enter();
        return true;
      }
    }
    return false;
  }

  #mayEnter(tenantName: string, tenant: TenantLoad, caller: CallerLoad): boolean {
    const { overall, perTenant, perCaller } = this.#limits;
    if (this.#overallLoad.runningCount >= overall || caller.runningCount >= perCaller) return false;
    return tenant.runningCount < (typeof perTenant === 'number' ? perTenant : perTenant(tenantName));
  }

  #wait(
    owner: WorkOwner,
    loads: readonly [CallerLoad, TenantLoad, WorkLoad],
    { signal, isReturning = false }: { signal?: AbortSignal; isReturning?: boolean },
  ): Promise<void> {
    const { waitMs } = this.#limits;
    const { queue } = loads[0];
    return new Promise((resolve, reject) => {
      const refuse = (reason: unknown) => {
        this.#forget(owner);
        reject(reason);
      };
      if (signal?.aborted) return refuse(signal.reason);
      if (!isReturning && this.#wouldTimeOut(...loads)) return refuse(createTooManyAsksProblem());
      const stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        for (const load of loads) load.changeWaiting(-1);
      };
      const giveUp = (reason: unknown) => {
        queue.splice(queue.indexOf(waiter), 1);
        stopWaiting();
        refuse(reason);
      };
      const enter = () => {
        stopWaiting();
        for (const load of loads) load.runningCount++;
        resolve();
      };
      const waiter: WaitingWork = { isResuming: isReturning, enter };
      const onAbort = () => giveUp(signal?.reason);
      const isLimited = !isReturning && waitMs !== Infinity;
      const timer = isLimited ? setTimeout(() => giveUp(createTooManyAsksProblem()), waitMs) : undefined;
      signal?.addEventListener('abort', onAbort, { once: true });
      const insertIndex = isReturning ? queue.findIndex((item) => !item.isResuming) : -1;
      queue.splice(insertIndex === -1 ? queue.length : insertIndex, 0, waiter);
      for (const load of loads) load.changeWaiting(1);
      this.admit();
    });
  }

  /** If n tasks of a caller wait, at most n + 1 tasks of each other caller go first. The same is true for tenants. */
  #wouldTimeOut(caller: CallerLoad, tenant: TenantLoad, overall: WorkLoad): boolean {
    if (!caller.isBacklogged && !tenant.isBacklogged && !overall.isBacklogged) return false;
    const aheadInTenant = Math.min(
      tenant.waitingCount,
      (caller.waitingCount + 1) * Math.max(1, countWaiting(tenant.callers)),
    );
    const aheadOverall = Math.min(overall.waitingCount, (aheadInTenant + 1) * Math.max(1, countWaiting(this.#tenants)));
    const wouldWaitTooLong = (load: WorkLoad, ahead: number) => load.isBacklogged && ahead >= load.recentlyFinished;
    return (
      wouldWaitTooLong(caller, caller.waitingCount) ||
      wouldWaitTooLong(tenant, aheadInTenant) ||
      wouldWaitTooLong(overall, aheadOverall)
    );
  }

  #forget(owner: WorkOwner): void {
    const tenant = this.#tenants.get(owner.tenant);
    const isIdle = (load: WorkLoad | undefined) => load?.runningCount === 0 && load.waitingCount === 0;
    if (isIdle(tenant?.callers.get(owner.caller))) tenant?.callers.delete(owner.caller);
    if (isIdle(tenant)) this.#tenants.delete(owner.tenant);
  }
}

function getOrAdd<T>(map: Map<string, T>, name: string, make: () => T): T {
  const value = map.get(name) ?? make();
  map.set(name, value);
  return value;
}

const countWaiting = (loads: ReadonlyMap<string, WorkLoad>): number =>
  [...loads.values()].filter(({ waitingCount }) => waitingCount > 0).length;

function moveToEnd<T>(entries: Map<string, T>, name: string): void {
  const value = entries.get(name)!;
  entries.delete(name);
  entries.set(name, value);
}

const createTooManyAsksProblem = () =>
  new Problem('rate_limited', 'Too many asks are running. Wait for one to finish, then ask again.', {
    retryAfter: 1,
  });
