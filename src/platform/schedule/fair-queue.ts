// Limits the work in flight per key, per tenant and overall. Waiting work is served round-robin by tenant and key, so that
// a busy one can't starve the others. Work that waits too long is refused. Once the gate has been full for that long, new
// work is refused immediately if more work is ahead of it than recently finished.
import { Problem } from '../problem.ts';
import { RecentCount } from './recent-count.ts';

/** Owner of the work. */
export interface OnBehalf {
  tenant: string;
  caller: string;
}

interface Waiting {
  enter: () => void;
  timer: NodeJS.Timeout;
}

export interface GateLimits {
  perKey: number;
  /** Defaults to `overall`. */
  perTenant?: number;
  overall: number;
  waitMs: number;
}

/** Load of a key or a tenant: the work that runs, and since when work has been waiting. */
class Load {
  running = 0;
  waiting = 0;
  waitingSince = 0;
  readonly left: RecentCount;

  constructor(waitMs: number) {
    this.left = new RecentCount(waitMs);
  }

  changeWaiting(by: 1 | -1): void {
    if (this.waiting === 0) this.waitingSince = performance.now();
    this.waiting += by;
  }

  /** Work that arrives now would time out before its turn. */
  hopeless(ahead: number, waitMs: number): boolean {
    return this.waiting > 0 && performance.now() - this.waitingSince >= waitMs && ahead >= this.left.value;
  }
}

export class FairQueue {
  readonly #limits: Required<GateLimits>;
  readonly #keys = new Map<string, Load>();
  readonly #tenants = new Map<string, Load>();
  readonly #all: Load;
  /** By tenant, then by key, in round-robin order: the one just served moves to the end. */
  readonly #queues = new Map<string, Map<string, Waiting[]>>();

  constructor(limits: GateLimits) {
    this.#limits = { perTenant: limits.overall, ...limits };
    this.#all = new Load(limits.waitMs);
  }

  async pass<T>(key: string, work: () => Promise<T>, tenant = ''): Promise<T> {
    const loads = [this.#load(this.#keys, key), this.#load(this.#tenants, tenant), this.#all] as const;
    if (this.#mayEnter(key, tenant) && !this.#queues.get(tenant)?.has(key)) for (const load of loads) load.running++;
    else await this.#wait(key, tenant, loads);
    try {
      return await work();
    } finally {
      for (const load of loads) {
        load.running--;
        load.left.add();
      }
      this.#admitNext();
      this.#forget(this.#keys, key);
      this.#forget(this.#tenants, tenant);
    }
  }

  #load(of: Map<string, Load>, name: string): Load {
    const load = of.get(name) ?? new Load(this.#limits.waitMs);
    of.set(name, load);
    return load;
  }

  #forget(of: Map<string, Load>, name: string): void {
    const load = of.get(name);
    if (load && load.running === 0 && load.waiting === 0) of.delete(name);
  }

  #mayEnter(key: string, tenant: string): boolean {
    const { perKey, perTenant, overall } = this.#limits;
    const running = (of: Map<string, Load>, name: string) => of.get(name)?.running ?? 0;
    return (
      this.#all.running < overall && running(this.#tenants, tenant) < perTenant && running(this.#keys, key) < perKey
    );
  }

  /** Resolves once the finishing work has counted this one as running. */
  #wait(key: string, tenant: string, loads: readonly [Load, Load, Load]): Promise<void> {
    const { waitMs } = this.#limits;
    const [own, ofTenant, all] = loads;
    const keysOfTenant = this.#queues.get(tenant) ?? new Map<string, Waiting[]>();
    // Round-robin order limits the work ahead. With n waiting for the same key, at most n + 1 of each other key go first.
    // The same bound applies between tenants.
    const inTenant = Math.min(ofTenant.waiting, (own.waiting + 1) * Math.max(1, keysOfTenant.size));
    const ahead = Math.min(all.waiting, (inTenant + 1) * Math.max(1, this.#queues.size));
    const vain =
      own.hopeless(own.waiting, waitMs) || ofTenant.hopeless(inTenant, waitMs) || all.hopeless(ahead, waitMs);
    return new Promise((resolve, reject) => {
      if (vain) {
        reject(turnedAway());
        return;
      }
      const queue = keysOfTenant.get(key) ?? [];
      const giveUp = () => {
        queue.splice(queue.indexOf(waiting), 1);
        this.#leaveQueue(key, tenant, queue, loads);
        reject(turnedAway());
      };
      const enter = () => {
        this.#leaveQueue(key, tenant, queue, loads);
        for (const load of loads) load.running++;
        resolve();
      };
      const waiting: Waiting = { enter, timer: setTimeout(giveUp, waitMs) };
      queue.push(waiting);
      keysOfTenant.set(key, queue);
      this.#queues.set(tenant, keysOfTenant);
      for (const load of loads) load.changeWaiting(1);
    });
  }

  #leaveQueue(key: string, tenant: string, queue: Waiting[], loads: readonly Load[]): void {
    for (const load of loads) load.changeWaiting(-1);
    if (queue.length > 0) return;
    const keysOfTenant = this.#queues.get(tenant)!;
    keysOfTenant.delete(key);
    if (keysOfTenant.size === 0) this.#queues.delete(tenant);
  }

  #admitNext(): void {
    for (const [tenant, keys] of this.#queues) {
      for (const [key, queue] of keys) {
        if (!this.#mayEnter(key, tenant)) continue;
        const next = queue.shift()!;
        clearTimeout(next.timer);
        toTheEnd(this.#queues, tenant);
        toTheEnd(keys, key);
        next.enter();
        return;
      }
    }
  }
}

function toTheEnd<T>(turns: Map<string, T>, name: string): void {
  const value = turns.get(name)!;
  turns.delete(name);
  turns.set(name, value);
}

const turnedAway = () =>
  new Problem('rate_limited', 'Too many asks are running. Wait for one to finish, then ask again.', {
    retryAfter: 1,
  });
