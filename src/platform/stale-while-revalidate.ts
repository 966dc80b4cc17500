// After half of the maximum age, callers still get the cached value while a background read renews it.
import { LRUCache } from 'lru-cache';

interface CachedReading<T> {
  /** The monotonic time at which the read started. */
  readAt: number;
  value: Promise<T>;
  isRenewing: boolean;
}

export class StaleWhileRevalidate<Key extends NonNullable<unknown>, T> {
  readonly #maxAgeMs: number;
  readonly #cache: LRUCache<Key, CachedReading<T>>;

  constructor(options: { maxAgeMs: number; max: number }) {
    this.#maxAgeMs = options.maxAgeMs;
    this.#cache = new LRUCache({ max: options.max });
  }

  /** A failed read isn't cached, so the next caller reads again. */
  get(key: Key, readValue: () => Promise<T>): Promise<T> {
    const cachedEntry = this.#cache.get(key);
    const age = cachedEntry ? performance.now() - cachedEntry.readAt : Number.POSITIVE_INFINITY;
    if (!cachedEntry || age >= this.#maxAgeMs) return this.#startRead(key, readValue).value;
    if (age >= this.#maxAgeMs / 2 && !cachedEntry.isRenewing) this.#renew(key, cachedEntry, readValue);
    return cachedEntry.value;
  }

  forget(key: Key): void {
    this.#cache.delete(key);
  }

  forgetAll(): void {
    this.#cache.clear();
  }

  #startRead(key: Key, readValue: () => Promise<T>): CachedReading<T> {
    const reading: CachedReading<T> = { readAt: performance.now(), value: readValue(), isRenewing: false };
    this.#cache.set(key, reading);
    reading.value.catch(() => this.#drop(key, reading));
    return reading;
  }

  /** A value that was removed during the read stays removed. */
  #renew(key: Key, oldReading: CachedReading<T>, readValue: () => Promise<T>): void {
    oldReading.isRenewing = true;
    const newReading: CachedReading<T> = { readAt: performance.now(), value: readValue(), isRenewing: false };
    newReading.value.then(
      () => {
        if (this.#cache.peek(key) === oldReading) this.#cache.set(key, newReading);
      },
      () => this.#drop(key, oldReading),
    );
  }

  #drop(key: Key, reading: CachedReading<T>): void {
    if (this.#cache.peek(key) === reading) this.#cache.delete(key);
  }
}
