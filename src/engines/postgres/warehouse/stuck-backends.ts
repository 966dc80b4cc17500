// Waits for backends that continue a statement after a cancel request. The statement keeps its slot in the pool until
// its backend is free, so stuck backends can't accumulate.
import { setTimeout as sleep } from 'node:timers/promises';

const MIN_CHECK_INTERVAL_MS = 50;
const MAX_CHECK_INTERVAL_MS = 2_000;
/** If a backend is busy for longer than this after a cancel request, svc considers it stuck. */
const STUCK_AFTER_MS = 2_000;
/** After this many failed checks, svc assumes that the backend has ended or that the server accepts no connections. */
const MAX_FAILURES = 3;

export class StuckBackends {
  /** Sends another cancel request. Resolves to true if the backend was still busy. */
  readonly #cancelAgain: (pid: number) => Promise<boolean>;
  readonly #since = new Map<number, number>();
  #isClosed = false;

  constructor(cancelAgain: (pid: number) => Promise<boolean>) {
    this.#cancelAgain = cancelAgain;
  }

  get count(): number {
    const now = performance.now();
    return [...this.#since.values()].filter((stuckSince) => now - stuckSince > STUCK_AFTER_MS).length;
  }

  /** Resolves when the backend has stopped, or when svc can't find out whether the backend has stopped. */
  async waitUntilStopped(pid: number): Promise<void> {
    this.#since.set(pid, performance.now());
    try {
      let failures = 0;
      for (
        let wait = MIN_CHECK_INTERVAL_MS;
        !this.#isClosed && failures < MAX_FAILURES;
        wait = Math.min(wait * 2, MAX_CHECK_INTERVAL_MS)
      ) {
        const isWorking = await this.#cancelAgain(pid).catch(() => null);
        if (isWorking === false) return;
        failures = isWorking === null ? failures + 1 : 0;
        await sleep(wait, undefined, { ref: false });
      }
    } finally {
      this.#since.delete(pid);
    }
  }

  close(): void {
    this.#isClosed = true;
  }
}
