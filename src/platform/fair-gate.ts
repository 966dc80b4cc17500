// How much work may be in flight: so much for each key, so much for all. Who waits is served in turn by key, so that one
// busy key cannot starve the others; who waits too long is turned away.
import { Problem } from './problem.ts';

interface Waiting {
  enter: () => void;
  timer: NodeJS.Timeout;
}

export interface GateLimits {
  perKey: number;
  overall: number;
  waitMs: number;
}

export class FairGate {
  readonly #limits: GateLimits;
  readonly #running = new Map<string, number>();
  /** In order of turns: a key that was served goes to the end. */
  readonly #waiting = new Map<string, Waiting[]>();
  #total = 0;

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  async pass<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.#mayEnter(key) && !this.#waiting.has(key)) this.#enter(key);
    else await this.#wait(key);
    try {
      return await work();
    } finally {
      this.#leave(key);
    }
  }

  #mayEnter(key: string): boolean {
    return this.#total < this.#limits.overall && (this.#running.get(key) ?? 0) < this.#limits.perKey;
  }

  #enter(key: string): void {
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
    this.#total++;
  }

  /** Resolves when whoever left has counted this one in. */
  #wait(key: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(key) ?? [];
      const waiting: Waiting = { enter: resolve, timer: setTimeout(giveUp, this.#limits.waitMs) };
      const waitingByKey = this.#waiting;
      queue.push(waiting);
      waitingByKey.set(key, queue);
      function giveUp(): void {
        queue.splice(queue.indexOf(waiting), 1);
        if (queue.length === 0) waitingByKey.delete(key);
        reject(
          new Problem(
            'rate_limited',
            'Too many asks of this key are in flight. Wait for one to finish, then ask again.',
            {
              retryAfter: 1,
            },
          ),
        );
      }
    });
  }

  #leave(key: string): void {
    this.#total--;
    const left = this.#running.get(key)! - 1;
    if (left === 0) this.#running.delete(key);
    else this.#running.set(key, left);
    this.#admitNext();
  }

  #admitNext(): void {
    for (const [key, queue] of this.#waiting) {
      if (!this.#mayEnter(key)) continue;
      const next = queue.shift()!;
      clearTimeout(next.timer);
      this.#waiting.delete(key);
      if (queue.length > 0) this.#waiting.set(key, queue);
      this.#enter(key);
      next.enter();
      return;
    }
  }
}
