// The clock that svc and its tests use. Times in the API are RFC 3339 UTC with milliseconds.
export interface Clock {
  now(): Date;
}
export const systemClock: Clock = { now: () => new Date() };

const SYNC_INTERVAL_MS = 10_000;
const JITTER_MS = 20; // smaller differences are measurement errors

/**
 * The time of the control database, advanced by the monotonic clock. Replicas with different host clocks agree on
 * receipt dates, rate windows and lifetimes. Setting a host clock back causes no negative durations (SECURITY F13).
 */
export class DatabaseClock implements Clock {
  readonly #read: () => Promise<Date>;
  #ahead: number | null = null; // offset from performance.now()
  #timer: NodeJS.Timeout | undefined;

  constructor(readTime: () => Promise<Date>) {
    this.#read = readTime;
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#synchronise(), SYNC_INTERVAL_MS).unref();
    await this.#synchronise();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  now(): Date {
    return this.#ahead === null ? new Date() : new Date(performance.now() + this.#ahead);
  }

  async #synchronise(): Promise<void> {
    const sentAt = performance.now();
    try {
      const databaseTime = await this.#read();
      const answeredAt = performance.now();
      const ahead = databaseTime.getTime() - (sentAt + answeredAt) / 2;
      const tolerance = Math.max(JITTER_MS, (answeredAt - sentAt) / 2);
      if (this.#ahead === null || Math.abs(ahead - this.#ahead) > tolerance) this.#ahead = ahead;
    } catch {
      // The database is unreachable: keep the last known offset.
    }
  }
}
