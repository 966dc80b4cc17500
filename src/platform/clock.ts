// One clock, so that tests and relative time share it. Times on the wire are RFC 3339 UTC with milliseconds.
export interface Clock {
  now(): Date;
}
export const systemClock: Clock = { now: () => new Date() };

const EVERY_MS = 10_000;
const TREMBLE_MS = 20; // within the error of one measurement

/** The control database's time, carried on by the monotonic clock: replicas whose hosts disagree date receipts, count
 *  windows and judge lifetimes alike, and a host whose clock is put back makes no negative durations (SECURITY F13). */
export class DatabaseClock implements Clock {
  readonly #read: () => Promise<Date>;
  #ahead: number | null = null; // of performance.now()
  #timer: NodeJS.Timeout | undefined;

  constructor(read: () => Promise<Date>) {
    this.#read = read;
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#synchronise(), EVERY_MS).unref();
    await this.#synchronise();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  now(): Date {
    return this.#ahead === null ? new Date() : new Date(performance.now() + this.#ahead);
  }

  async #synchronise(): Promise<void> {
    const asked = performance.now();
    try {
      const then = await this.#read();
      const answered = performance.now();
      const ahead = then.getTime() - (asked + answered) / 2;
      const trembles = Math.max(TREMBLE_MS, (answered - asked) / 2);
      if (this.#ahead === null || Math.abs(ahead - this.#ahead) > trembles) this.#ahead = ahead;
    } catch {
      // The database is away: time goes on from what was last known.
    }
  }
}
