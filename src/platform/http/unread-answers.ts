// Limits the memory of answers that clients haven't read. A client with too many unread bytes waits before its next
// request, and svc refuses the request if the client still doesn't read.
import { Problem } from '../problem.ts';

export interface AnswerOwner {
  tenant: string;
  caller: string;
}
interface WaitingReader {
  reader: AnswerOwner;
  enter: (release: () => void) => void;
}

/** Clients wait for memory before svc reads their request, or before it fetches a large result. */
export type MemoryWaitPoint = 'request' | 'result';

export const HELD_BYTES = Symbol('held bytes');

const BYTES_PER_MB = 1_048_576;
const BYTE_LIMITS = { caller: 32 * BYTES_PER_MB, tenant: 96 * BYTES_PER_MB, all: 160 * BYTES_PER_MB };
/** Bytes reserved for an admitted caller until its answer exists. */
const RESERVED_BYTES = 8 * BYTES_PER_MB;
const MAX_WAIT_MS = 10_000;

class ByteSums {
  readonly callers = new Map<string, number>();
  readonly tenants = new Map<string, number>();
  total = 0;

  /** The returned function releases the bytes. Further calls have no effect. */
  add({ tenant, caller }: AnswerOwner, bytes: number): () => void {
    const changeBy = (delta: number) => {
      this.total += delta;
      addToSum(this.callers, caller, delta);
      addToSum(this.tenants, tenant, delta);
    };
    changeBy(bytes);
    let isAdded = true;
    return () => {
      if (isAdded) changeBy(-bytes);
      isAdded = false;
    };
  }
}
const EMPTY_SUMS = new ByteSums();

export class UnreadAnswerMemory {
  readonly #unreadBytes = new ByteSums();
  readonly #waitPoints = {
    request: { waiting: new Set<WaitingReader>(), expected: new ByteSums() },
    result: { waiting: new Set<WaitingReader>(), expected: new ByteSums() },
  };

  /** Counts the bytes as unread until the returned function is called. */
  hold(reader: AnswerOwner, bytes: number): () => void {
    return this.#admitAfter(this.#unreadBytes.add(reader, bytes));
  }

  hasRoom({ tenant, caller }: AnswerOwner, expectedBytes = EMPTY_SUMS): boolean {
    const sumOf = (holderKind: 'callers' | 'tenants', name: string) =>
      (this.#unreadBytes[holderKind].get(name) ?? 0) + (expectedBytes[holderKind].get(name) ?? 0);
    const tenantBytes = sumOf('tenants', tenant);
    if (sumOf('callers', caller) >= BYTE_LIMITS.caller || tenantBytes >= BYTE_LIMITS.tenant) return false;
    return (
      this.#unreadBytes.total + expectedBytes.total < BYTE_LIMITS.all ||
      tenantBytes < BYTE_LIMITS.all / this.#unreadBytes.tenants.size
    );
  }

  /** Reserves memory for one answer until the returned function is called. */
  waitForRoom(point: MemoryWaitPoint, reader: AnswerOwner, signal?: AbortSignal): Promise<() => void> {
    const { waiting: waiters } = this.#waitPoints[point];
    return new Promise((resolve, reject) => {
      const leaveQueue = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        waiters.delete(waiter);
      };
      const waiter: WaitingReader = {
        reader,
        enter: (release) => {
          leaveQueue();
          resolve(release);
        },
      };
      const onAbort = () => {
        leaveQueue();
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        leaveQueue();
        reject(createTooMuchUnreadProblem());
      }, MAX_WAIT_MS);
      signal?.addEventListener('abort', onAbort, { once: true });
      waiters.add(waiter);
    });
  }

  /** Calling the returned function also admits waiting callers for whom there is now enough memory. */
  #admitAfter(release: () => void): () => void {
    return () => {
      release();
      for (const { waiting, expected } of Object.values(this.#waitPoints))
        for (const item of waiting)
          if (this.hasRoom(item.reader, expected))
            item.enter(this.#admitAfter(expected.add(item.reader, RESERVED_BYTES)));
    };
  }
}

function addToSum(sums: Map<string, number>, name: string, bytes: number): void {
  const sum = (sums.get(name) ?? 0) + bytes;
  if (sum > 0) sums.set(name, sum);
  else sums.delete(name);
}

const createTooMuchUnreadProblem = () =>
  new Problem(
    'rate_limited',
    'Too many responses to you or your organization are unread. Read them or close their connections, then ask again.',
    { retryAfter: 5 },
  );
