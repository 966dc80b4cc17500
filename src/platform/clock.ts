export interface Clock {
  now(): Date;
}
export const systemClock: Clock = { now: () => new Date() };

const SYNC_INTERVAL_MS = 10_000;
const JITTER_MS = 20; // smaller differences are measurement errors

/** The time of the control database, advanced by the monotonic clock, so that replicas with wrong host clocks agree. */
export class DatabaseClock implements Clock {
  readonly #read: () => Promise<Date>;
  #offsetMs: number | null = null; // relative to performance.now()
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
      // Keeps the last known offset until the database is reachable again.
    }
  }
}
