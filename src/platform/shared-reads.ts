// Callers who need the same value share one read of it. A failed read isn't kept.
import { LRUCache } from 'lru-cache';

const ABANDONED_READ_ERROR = new Error('The caller who started the read has disconnected.');

export class SharedReads<T> {
  readonly #reads: LRUCache<string, Promise<T>>;

  constructor(options: { max: number; ttlMs: number }) {
    this.#reads = new LRUCache({ max: options.max, ttl: options.ttlMs });
  }

  /** If the caller who started the read disconnects, the next caller who waits starts it again. */
  get(key: string, signal: AbortSignal, read: () => Promise<T>): Promise<T> {
    const sharedRead = this.#reads.get(key);
    if (sharedRead)
      return sharedRead.catch((fault) => {
        if (fault !== ABANDONED_READ_ERROR || signal.aborted) throw fault;
        return this.get(key, signal, read);
      });
    const ownRead = read();
    const startedRead = ownRead.catch((fault) => {
      throw signal.aborted ? ABANDONED_READ_ERROR : fault;
    });
    this.#reads.set(key, startedRead);
    startedRead.catch(() => {
      if (this.#reads.peek(key) === startedRead) this.#reads.delete(key);
    });
    return ownRead;
  }
}
