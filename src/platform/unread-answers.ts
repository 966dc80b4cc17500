// An answer is held in memory until its reader has taken it. Whoever leaves too much unread waits for room before it asks
// for more, and then is turned away: so much of one caller, so much of one organization, and a fair part of the whole.
import { Problem } from './problem.ts';

export interface Reader {
  tenant: string;
  caller: string;
}
interface Waiting {
  reader: Reader;
  enter: () => void;
}

/** A member of streams: how many bytes they keep until they are read. */
export const KEPT = Symbol('bytes kept');

const MB = 1_048_576;
const MOST = { caller: 32 * MB, tenant: 96 * MB, all: 160 * MB };
const WAIT_MS = 10_000;

export class UnreadAnswers {
  readonly #callers = new Map<string, number>();
  readonly #tenants = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #all = 0;

  /** From when it is made until it is read, or its connection is gone. */
  hold(reader: Reader, bytes: number): () => void {
    this.#add(reader, bytes);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#add(reader, -bytes);
      for (const one of this.#waiting) if (this.hasRoom(one.reader)) one.enter();
    };
  }

  hasRoom({ tenant, caller }: Reader): boolean {
    const held = this.#tenants.get(tenant) ?? 0;
    if ((this.#callers.get(caller) ?? 0) >= MOST.caller || held >= MOST.tenant) return false;
    return this.#all < MOST.all || held < MOST.all / this.#tenants.size;
  }

  room(reader: Reader, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', gone);
        this.#waiting.delete(waiting);
      };
      const waiting: Waiting = {
        reader,
        enter: () => {
          leave();
          resolve();
        },
      };
      const gone = () => {
        leave();
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        leave();
        reject(tooMuchUnread());
      }, WAIT_MS);
      signal?.addEventListener('abort', gone, { once: true });
      this.#waiting.add(waiting);
    });
  }

  #add({ tenant, caller }: Reader, bytes: number): void {
    this.#all += bytes;
    addTo(this.#callers, caller, bytes);
    addTo(this.#tenants, tenant, bytes);
  }
}

function addTo(sums: Map<string, number>, name: string, bytes: number): void {
  const sum = (sums.get(name) ?? 0) + bytes;
  if (sum > 0) sums.set(name, sum);
  else sums.delete(name);
}

const tooMuchUnread = () =>
  new Problem(
    'rate_limited',
    'Too many answers to you or your organization are still unread. Read them or close their connections, then ask again.',
    { retryAfter: 5 },
  );
