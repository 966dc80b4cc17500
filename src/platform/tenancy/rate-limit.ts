// Replicas reserve 4 % of the limit at a time, so that not every request needs a database write. A replica uses the
// first share of a window before the database confirms it. Therefore, each replica can exceed the limit by one share.
import { LRUCache } from 'lru-cache';
import type { Tenancy } from './tenant.ts';

const WINDOW_MS = 60_000;
const RESERVED_SHARE_OF_LIMIT = 0.04;

/** Returns the total of all replicas for this window, including `requestedCount`. */
export type ShareReserver = (bucket: string, window: number, requestedCount: number) => Promise<number>;

interface BucketWindow {
  window: number;
  grantedCount: number;
  usedCount: number;
  /** The whole limit is reserved, so the replica can't reserve more requests in this window. */
  isExhausted: boolean;
  /** The last known number of requests in all replicas. */
  total: number;
  pendingTake: Promise<void> | null;
}

export interface RateLimitVerdict {
  isAllowed: boolean;
  limit: number;
  remaining: number;
  resetSeconds: number;
}

export class RateLimiter {
  readonly #takeShare: ShareReserver;
  readonly #now: () => number;
  // Unlike `max`, `maxSize` reserves no memory for unused buckets.
  readonly #buckets = new LRUCache<string, BucketWindow>({ maxSize: 50_000, sizeCalculation: () => 1 });

  constructor(takeShare: ShareReserver, now: () => number = Date.now) {
    this.#takeShare = takeShare;
    this.#now = now;
  }

  async take(bucket: string, limit: number): Promise<RateLimitVerdict> {
    const currentBucket = this.#getBucket(bucket, limit);
    const share = Math.max(1, Math.floor(limit * RESERVED_SHARE_OF_LIMIT));
    while (currentBucket.usedCount >= currentBucket.grantedCount && !currentBucket.isExhausted) {
      currentBucket.pendingTake ??= this.#refill(bucket, currentBucket, share, limit);
      await currentBucket.pendingTake;
    }
    const isAllowed = currentBucket.usedCount < currentBucket.grantedCount;
    if (isAllowed) currentBucket.usedCount++;
    if (currentBucket.grantedCount - currentBucket.usedCount < share / 2 && !currentBucket.isExhausted)
      currentBucket.pendingTake ??= this.#refill(bucket, currentBucket, share, limit);
    return this.#createVerdict(currentBucket, limit, isAllowed);
  }

  #getBucket(bucket: string, limit: number): BucketWindow {
    const window = Math.floor(this.#now() / WINDOW_MS);
    const existingBucket = this.#buckets.get(bucket);
    if (existingBucket?.window === window) return existingBucket;
    const share = Math.max(1, Math.floor(limit * RESERVED_SHARE_OF_LIMIT));
    const newBucket: BucketWindow = {
      window,
      grantedCount: share,
      usedCount: 0,
      isExhausted: false,
      total: share,
      pendingTake: null,
    };
    newBucket.pendingTake = this.#refill(bucket, newBucket, share, limit, true);
    this.#buckets.set(bucket, newBucket);
    return newBucket;
  }

  async #refill(bucket: string, current: BucketWindow, share: number, limit: number, isAssumed = false): Promise<void> {
    try {
      current.total = await this.#takeShare(bucket, current.window, share);
      const receivedShare = Math.max(0, Math.min(share, limit - (current.total - share)));
      if (!isAssumed) current.grantedCount += receivedShare;
      if (current.total >= limit) current.isExhausted = true;
    } catch {
      // While the database is unreachable, the limit applies to each replica separately.
      if (!isAssumed) current.grantedCount = Math.min(limit, current.grantedCount + share);
      if (current.grantedCount >= limit) current.isExhausted = true;
    } finally {
      current.pendingTake = null;
    }
  }

  #createVerdict(current: BucketWindow, limit: number, isAllowed: boolean): RateLimitVerdict {
    const resetSeconds = Math.max(1, Math.ceil(((current.window + 1) * WINDOW_MS - this.#now()) / 1000));
    const remaining = Math.max(0, limit - current.total) + current.grantedCount - current.usedCount;
    return { isAllowed, limit, remaining: Math.max(0, remaining), resetSeconds: resetSeconds };
  }
}

const RESERVE_SHARE_SQL = `insert into svc.rate_shares as held (bucket, window_start, taken) values ($1, $2, $3)
  on conflict (bucket, window_start) do update set taken = held.taken + excluded.taken returning taken`;
const DELETE_OLD_SHARES_SQL = 'delete from svc.rate_shares where window_start < $1';

export function createShareReserver(tenancy: Tenancy): ShareReserver {
  let cleanedWindow = 0;
  return async (bucket, window, requestedCount) => {
    if (window > cleanedWindow) {
      cleanedWindow = window;
      await tenancy.queryGlobal(DELETE_OLD_SHARES_SQL, [window - 1]);
    }
    const rows = await tenancy.queryGlobal<{ taken: number }>(RESERVE_SHARE_SQL, [bucket, window, requestedCount]);
    return rows[0]!.taken;
  };
}
