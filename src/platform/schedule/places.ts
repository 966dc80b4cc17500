// Limits concurrent work overall, per tenant and per caller. Tenants take turns, as do callers within a tenant, so that
// a busy one can't starve the others. Work that waits too long is refused. After that, new work is refused immediately
// if more work is ahead of it than recently finished.
import { Problem } from '../problem.ts';

export interface WorkOwner {
  tenant: string;
  caller: string;
}

/** An omitted limit means unlimited. */
export interface PlaceLimits {
  overall?: number;
  /** A function if the limit can change. Call `admit` after it rises. */
  perTenant?: number | ((tenant: string) => number);
  perCaller?: number;
  waitMs?: number;
}

interface Waiting {
  returning: boolean;
  enter(): void;
}

/** The running and waiting work of a caller, of a tenant, or overall. */
class Load {
  running = 0;
  waiting = 0;
  readonly #waitMs: number;
  #waitingSince = 0;
  #windowBegan = performance.now();
  #leftBefore = 0;
  #left = 0;

  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  changeWaiting(by: 1 | -1): void {
    if (this.waiting === 0) this.#waitingSince = performance.now();
    this.waiting += by;
  }

  leave(): void {
    this.running--;
    this.#turnWindow();
    this.#left++;
  }

  /** Whether the oldest work has waited so long that newer work would time out too. */
  get full(): boolean {
    return this.waiting > 0 && performance.now() - this.#waitingSince >= this.#waitMs;
  }

  /** The approximate number of pieces that finished in the last `waitMs`. */
  get leftLately(): number {
    this.#turnWindow();
    return Math.max(this.#leftBefore, this.#left);
  }

  #turnWindow(): void {
    const windows = Math.floor((performance.now() - this.#windowBegan) / this.#waitMs);
    if (windows === 0) return;
    this.#leftBefore = windows === 1 ? this.#left : 0;
    this.#left = 0;
    this.#windowBegan += windows * this.#waitMs;
  }
}

class Caller extends Load {
  readonly queue: Waiting[] = [];
}

/** A tenant's callers in the order of their turns. The caller served last is at the end. */
class Tenant extends Load {
  readonly callers = new Map<string, Caller>();
}

export class Places {
  readonly #limits: Required<PlaceLimits>;
  readonly #tenants = new Map<string, Tenant>();
  readonly #all: Load;

  constructor(limits: PlaceLimits) {
    this.#limits = { overall: Infinity, perTenant: Infinity, perCaller: Infinity, waitMs: Infinity, ...limits };
    this.#all = new Load(this.#limits.waitMs);
  }

  async run<T>(by: WorkOwner, work: () => Promise<T>): Promise<T> {
    const entered = this.enter(by);
    const leave = entered instanceof Promise ? await entered : entered;
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * Takes a place until the caller invokes the result. Returns a promise only if the work has to wait. Work that
   * returns already holds memory. It therefore runs before other work of its caller and waits without a limit.
   */
  enter(by: WorkOwner, how: { signal?: AbortSignal; returning?: boolean } = {}): (() => void) | Promise<() => void> {
    const tenant = getOrAdd(this.#tenants, by.tenant, () => new Tenant(this.#limits.waitMs));
    const caller = getOrAdd(tenant.callers, by.caller, () => new Caller(this.#limits.waitMs));
    const loads = [caller, tenant, this.#all] as const;
    let inside = true;
    const leave = () => {
      if (!inside) return;
      inside = false;
      for (const load of loads) load.leave();
      this.admit();
      this.#forget(by);
    };
    if (caller.waiting > 0 || !this.#mayEnter(by.tenant, tenant, caller))
      return this.#wait(by, loads, how).then(() => leave);
    for (const load of loads) load.running++;
    return leave;
  }

  /** Keeps a place until `until` aborts, even if it aborts during the wait. */
  async hold(by: WorkOwner, until: AbortSignal, signal: AbortSignal): Promise<void> {
    const leave = await this.enter(by, { signal });
    if (until.aborted) leave();
    else until.addEventListener('abort', leave);
  }

  /** Starts waiting work in turn, within the limits. */
  admit(): void {
    while (this.#all.waiting > 0 && this.#admitOne());
  }

  #admitOne(): boolean {
    for (const [tenantName, tenant] of this.#tenants) {
      if (tenant.waiting === 0) continue;
      for (const [callerName, caller] of tenant.callers) {
        if (caller.waiting === 0 || !this.#mayEnter(tenantName, tenant, caller)) continue;
        moveToEnd(this.#tenants, tenantName);
        moveToEnd(tenant.callers, callerName);
        caller.queue.shift()!.enter();
        return true;
      }
    }
    return false;
  }

  #mayEnter(tenantName: string, tenant: Tenant, caller: Caller): boolean {
    const { overall, perTenant, perCaller } = this.#limits;
    if (this.#all.running >= overall || caller.running >= perCaller) return false;
    return tenant.running < (typeof perTenant === 'number' ? perTenant : perTenant(tenantName));
  }

  #wait(
    by: WorkOwner,
    loads: readonly [Caller, Tenant, Load],
    { signal, returning = false }: { signal?: AbortSignal; returning?: boolean },
  ): Promise<void> {
    const { waitMs } = this.#limits;
    const { queue } = loads[0];
    return new Promise((resolve, reject) => {
      const refuse = (why: unknown) => {
        this.#forget(by);
        reject(why);
      };
      if (signal?.aborted) return refuse(signal.reason);
      if (!returning && this.#isVain(...loads)) return refuse(tooMany());
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        for (const load of loads) load.changeWaiting(-1);
      };
      const giveUp = (why: unknown) => {
        queue.splice(queue.indexOf(waiting), 1);
        end();
        refuse(why);
      };
      const enter = () => {
        end();
        for (const load of loads) load.running++;
        resolve();
      };
      const waiting: Waiting = { returning, enter };
      const onAbort = () => giveUp(signal?.reason);
      const limited = !returning && waitMs !== Infinity;
      const timer = limited ? setTimeout(() => giveUp(tooMany()), waitMs) : undefined;
      signal?.addEventListener('abort', onAbort, { once: true });
      const before = returning ? queue.findIndex((item) => !item.returning) : -1;
      queue.splice(before === -1 ? queue.length : before, 0, waiting);
      for (const load of loads) load.changeWaiting(1);
      this.admit();
    });
  }

  /**
   * Whether the work would time out before its turn. Turns limit the work ahead: if n pieces of the same caller wait,
   * at most n + 1 pieces of each other caller go first. The same applies between tenants.
   */
  #isVain(caller: Caller, tenant: Tenant, all: Load): boolean {
    if (!caller.full && !tenant.full && !all.full) return false;
    const inTenant = Math.min(tenant.waiting, (caller.waiting + 1) * Math.max(1, waitingOf(tenant.callers)));
    const inAll = Math.min(all.waiting, (inTenant + 1) * Math.max(1, waitingOf(this.#tenants)));
    const isVain = (load: Load, ahead: number) => load.full && ahead >= load.leftLately;
    return isVain(caller, caller.waiting) || isVain(tenant, inTenant) || isVain(all, inAll);
  }

  #forget(by: WorkOwner): void {
    const tenant = this.#tenants.get(by.tenant);
    const isIdle = (load: Load | undefined) => load?.running === 0 && load.waiting === 0;
    if (isIdle(tenant?.callers.get(by.caller))) tenant?.callers.delete(by.caller);
    if (isIdle(tenant)) this.#tenants.delete(by.tenant);
  }
}

function getOrAdd<T>(map: Map<string, T>, name: string, make: () => T): T {
  const value = map.get(name) ?? make();
  map.set(name, value);
  return value;
}

const waitingOf = (loads: ReadonlyMap<string, Load>): number =>
  [...loads.values()].filter(({ waiting }) => waiting > 0).length;

function moveToEnd<T>(entries: Map<string, T>, name: string): void {
  const value = entries.get(name)!;
  entries.delete(name);
  entries.set(name, value);
}

const tooMany = () =>
  new Problem('rate_limited', 'Too many asks are running. Wait for one to finish, then ask again.', {
    retryAfter: 1,
  });
