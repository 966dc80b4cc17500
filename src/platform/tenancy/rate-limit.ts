// Requests per minute, agreed between replicas without a write for each request: a replica takes a share of the
// allowance (4 %) at a time and asks for the next one in the background before the last is used up. The first share of
// a window is used while it is being taken, so that all replicas together may exceed the limit by one share each.
import { LRUCache } from 'lru-cache';

const WINDOW_MS = 60_000;
const SHARE = 0.04;

/** Adds `wanted` to what is taken from the bucket in this window; answers the sum over all replicas, itself included. */
export type TakeShare = (bucket: string, window: number, wanted: number) => Promise<number>;

interface Held {
  window: number;
  /** Shares that this replica got. */
  granted: number;
  used: number;
  /** The whole allowance is taken; nothing more to ask for in this window. */
  exhausted: boolean;
  /** What all replicas hold, as last heard. */
  total: number;
  taking: Promise<void> | null;
}

export interface Verdict {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Seconds until the window ends. */
  reset: number;
}

export class RateLimiter {
  readonly #takeShare: TakeShare;
  readonly #now: () => number;
  readonly #held = new LRUCache<string, Held>({ max: 50_000 });

  constructor(takeShare: TakeShare, now: () => number = Date.now) {
    this.#takeShare = takeShare;
    this.#now = now;
  }

  async take(bucket: string, limit: number): Promise<Verdict> {
    const held = this.#current(bucket, limit);
    const share = Math.max(1, Math.floor(limit * SHARE));
    while (held.used >= held.granted && !held.exhausted) {
      held.taking ??= this.#refill(bucket, held, share, limit);
      await held.taking;
    }
    const allowed = held.used < held.granted;
    if (allowed) held.used++;
    if (held.granted - held.used < share / 2 && !held.exhausted)
      held.taking ??= this.#refill(bucket, held, share, limit);
    return this.#verdict(held, limit, allowed);
  }

  /** Whether the bucket has anything left, without using it. */
  peek(bucket: string, limit: number): Verdict {
    const held = this.#current(bucket, limit);
    return this.#verdict(held, limit, !held.exhausted || held.used < held.granted);
  }

  #current(bucket: string, limit: number): Held {
    const window = Math.floor(this.#now() / WINDOW_MS);
    const known = this.#held.get(bucket);
    if (known?.window === window) return known;
    const share = Math.max(1, Math.floor(limit * SHARE));
    const fresh: Held = { window, granted: share, used: 0, exhausted: false, total: share, taking: null };
    fresh.taking = this.#refill(bucket, fresh, share, limit, true);
    this.#held.set(bucket, fresh);
    return fresh;
  }

  async #refill(bucket: string, held: Held, share: number, limit: number, assumed = false): Promise<void> {
    try {
      held.total = await this.#takeShare(bucket, held.window, share);
      const got = Math.max(0, Math.min(share, limit - (held.total - share)));
      if (!assumed) held.granted += got;
      if (held.total >= limit) held.exhausted = true;
    } catch {
      // Without the database this replica counts alone: the limit holds here, not across replicas.
      if (!assumed) held.granted = Math.min(limit, held.granted + share);
      if (held.granted >= limit) held.exhausted = true;
    } finally {
      held.taking = null;
    }
  }

  #verdict(held: Held, limit: number, allowed: boolean): Verdict {
    const reset = Math.max(1, Math.ceil(((held.window + 1) * WINDOW_MS - this.#now()) / 1000));
    const remaining = Math.max(0, limit - held.total) + held.granted - held.used;
    return { allowed, limit, remaining: Math.max(0, remaining), reset };
  }
}
