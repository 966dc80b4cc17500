// The clock that svc and its tests use. Times in the API are RFC 3339 UTC with milliseconds.
export interface Clock {
  now(): Date;
}
export const systemClock: Clock = { now: () => new Date() };

const SYNC_INTERVAL_MS = 10_000;
const JITTER_MS = 20; // smaller differences are measurement errors

/**
 * The time of the control database, advanced by the monotonic clock. Replicas with different host clocks agree on
 * receipt dates, rate windows and lifetimes. Setting a host clock back causes no negative durations.
 */
export class DatabaseClock implements Clock {
  readonly #read: () => Promise<Date>;
  #offsetMs: number | null = null; // offset from performance.now()
  #timer: NodeJS.Timeout | undefined;

  constructor(readTime: () => Promise<Date>) {
    this.#read = readTime;
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#synchronize(), SYNC_INTERVAL_MS).unref();
    await this.#synchronize();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  now(): Date {
    return this.#offsetMs === null ? new Date() : new Date(performance.now() + this.#offsetMs);
  }

  async #synchronize(): Promise<void> {
    const sentAt = performance.now();
    try {
      const databaseTime = await this.#read();
      const answeredAt = performance.now();
      const offsetMs = databaseTime.getTime() - (sentAt + answeredAt) / 2;
      const tolerance = Math.max(JITTER_MS, (answeredAt - sentAt) / 2);
      if (this.#offsetMs === null || Math.abs(offsetMs - this.#offsetMs) > tolerance) this.#offsetMs = offsetMs;
    } catch {
      // The database is unreachable: keep the last known offset.
    }
  }
}
