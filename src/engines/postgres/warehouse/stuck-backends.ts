// Statements that PostgreSQL was told to stop and still works on: planning can't always be interrupted. Each keeps its
// place in the pool until its backend has let go, so that a few of them never become many.
import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_LOOK_MS = 50;
const LAST_LOOK_MS = 2_000;
/** Before that, a backend is only about to stop. */
const STUCK_AFTER_MS = 2_000;
/** A server that can't be asked has no backend of ours, or takes no connection from us any more. */
const MOST_FAILURES = 3;

export class StuckBackends {
  /** Tells it once more to stop; whether it was still at work. */
  readonly #cancelAgain: (pid: number) => Promise<boolean>;
  readonly #since = new Map<number, number>();
  #closed = false;

  constructor(cancelAgain: (pid: number) => Promise<boolean>) {
    this.#cancelAgain = cancelAgain;
  }

  get count(): number {
    const now = performance.now();
    return [...this.#since.values()].filter((since) => now - since > STUCK_AFTER_MS).length;
  }

  /** Resolves once the backend has let go, or nothing more can be known of it. */
  async untilStopped(pid: number): Promise<void> {
    this.#since.set(pid, performance.now());
    try {
      let failures = 0;
      for (
        let wait = FIRST_LOOK_MS;
        !this.#closed && failures < MOST_FAILURES;
        wait = Math.min(wait * 2, LAST_LOOK_MS)
      ) {
        const working = await this.#cancelAgain(pid).catch(() => null);
        if (working === false) return;
        failures = working === null ? failures + 1 : 0;
        await sleep(wait, undefined, { ref: false });
      }
    } finally {
      this.#since.delete(pid);
    }
  }

  close(): void {
    this.#closed = true;
  }
}
