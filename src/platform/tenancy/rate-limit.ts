// Limits requests per minute across replicas without a database write per request. A replica reserves 4 % of the limit
// at a time, and requests the next share in the background before the last one is used up. It uses the first share of a
// window before the database confirms it, so each replica can exceed the limit by one share.
import { LRUCache } from 'lru-cache';

const WINDOW_MS = 60_000;
const SHARE = 0.04;

/** Adds `wanted` to the bucket's total for this window and returns the new total of all replicas. */
export type ReserveShare = (bucket: string, window: number, wanted: number) => Promise<number>;

interface Bucket {
  window: number;
  granted: number;
  used: number;
  /** Whether the whole limit is reserved. If so, this window has nothing left to request. */
  exhausted: boolean;
  /** The last known total of all replicas. */
  total: number;
  taking: Promise<void> | null;
}

export interface Verdict {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Seconds. */
  reset: number;
}

export class RateLimiter {
  readonly #takeShare: ReserveShare;
  readonly #now: () => number;
  readonly #held = new LRUCache<string, Bucket>({ max: 50_000 });

  constructor(takeShare: ReserveShare, now: () => number = Date.now) {
    this.#takeShare = takeShare;
    this.#now = now;
  }

  async take(bucket: string, limit: number): Promise<Verdict> {
    const current = this.#current(bucket, limit);
    const share = Math.max(1, Math.floor(limit * SHARE));
    while (current.used >= current.granted && !current.exhausted) {
      current.taking ??= this.#refill(bucket, current, share, limit);
      await current.taking;
    }
    const allowed = current.used < current.granted;
    if (allowed) current.used++;
    if (current.granted - current.used < share / 2 && !current.exhausted)
      current.taking ??= this.#refill(bucket, current, share, limit);
    return this.#verdict(current, limit, allowed);
  }

  /** Checks whether requests are left, without using one. */
  peek(bucket: string, limit: number): Verdict {
    const current = this.#current(bucket, limit);
    return this.#verdict(current, limit, !current.exhausted || current.used < current.granted);
  }

  #current(bucket: string, limit: number): Bucket {
    const window = Math.floor(this.#now() / WINDOW_MS);
    const existingBucket = this.#held.get(bucket);
    if (existingBucket?.window === window) return existingBucket;
    const share = Math.max(1, Math.floor(limit * SHARE));
    const fresh: Bucket = { window, granted: share, used: 0, exhausted: false, total: share, taking: null };
    fresh.taking = this.#refill(bucket, fresh, share, limit, true);
    this.#held.set(bucket, fresh);
    return fresh;
  }

  async #refill(bucket: string, current: Bucket, share: number, limit: number, assumed = false): Promise<void> {
    try {
      current.total = await this.#takeShare(bucket, current.window, share);
      const got = Math.max(0, Math.min(share, limit - (current.total - share)));
      if (!assumed) current.granted += got;
      if (current.total >= limit) current.exhausted = true;
    } catch {
      // Without the database, the limit applies to each replica separately.
      if (!assumed) current.granted = Math.min(limit, current.granted + share);
      if (current.granted >= limit) current.exhausted = true;
    } finally {
      current.taking = null;
    }
  }

  #verdict(current: Bucket, limit: number, allowed: boolean): Verdict {
    const reset = Math.max(1, Math.ceil(((current.window + 1) * WINDOW_MS - this.#now()) / 1000));
    const remaining = Math.max(0, limit - current.total) + current.granted - current.used;
    return { allowed, limit, remaining: Math.max(0, remaining), reset };
  }
}
