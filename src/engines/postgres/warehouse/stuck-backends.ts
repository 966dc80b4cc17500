// Statements that PostgreSQL was asked to cancel and still works on, because planning can't always be interrupted. Each
// keeps its slot in the pool until its backend is free, so that a few of them never become many.
import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_LOOK_MS = 50;
const LAST_LOOK_MS = 2_000;
/** Before this, a backend may be about to stop. */
const STUCK_AFTER_MS = 2_000;
/** After this many failures, the server has no backend of ours or accepts no connections from svc. */
const MAX_FAILURES = 3;

export class StuckBackends {
  /** Asks it again to stop. Resolves to whether it was still busy. */
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

  /** Resolves when the backend has stopped, or when svc can't find out more about it. */
  async untilStopped(pid: number): Promise<void> {
    this.#since.set(pid, performance.now());
    try {
      let failures = 0;
      for (
        let wait = FIRST_LOOK_MS;
        !this.#closed && failures < MAX_FAILURES;
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
