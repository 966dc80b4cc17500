// What was read a moment ago and is believed for a moment more. Once half of that has gone, whoever asks gets it at once
// while it is read again behind them: no one waits, and nothing is believed longer than it was promised.
import { LRUCache } from 'lru-cache';

interface Belief<T> {
  /** When the reading began, by the monotonic clock. */
  readAt: number;
  value: Promise<T>;
  renewing: boolean;
}

export class Believed<Key extends NonNullable<unknown>, T> {
  readonly #forMs: number;
  readonly #known: LRUCache<Key, Belief<T>>;

  constructor(options: { forMs: number; max: number }) {
    this.#forMs = options.forMs;
    this.#known = new LRUCache({ max: options.max });
  }

  /** A reading that fails is not believed: whoever asks next reads again. */
  get(key: Key, read: () => Promise<T>): Promise<T> {
    const known = this.#known.get(key);
    const age = known ? performance.now() - known.readAt : Number.POSITIVE_INFINITY;
    if (!known || age >= this.#forMs) return this.#begin(key, read).value;
    if (age >= this.#forMs / 2 && !known.renewing) this.#renew(key, known, read);
    return known.value;
  }

  forget(key: Key): void {
    this.#known.delete(key);
  }

  forgetAll(): void {
    this.#known.clear();
  }

  #begin(key: Key, read: () => Promise<T>): Belief<T> {
    const belief: Belief<T> = { readAt: performance.now(), value: read(), renewing: false };
    this.#known.set(key, belief);
    belief.value.catch(() => this.#drop(key, belief));
    return belief;
  }

  /** Takes the place of `old` only if that still stands: what was forgotten meanwhile stays forgotten. */
  #renew(key: Key, old: Belief<T>, read: () => Promise<T>): void {
    old.renewing = true;
    const fresh: Belief<T> = { readAt: performance.now(), value: read(), renewing: false };
    fresh.value.then(
      () => {
        if (this.#known.peek(key) === old) this.#known.set(key, fresh);
      },
      () => this.#drop(key, old),
    );
  }

  #drop(key: Key, belief: Belief<T>): void {
    if (this.#known.peek(key) === belief) this.#known.delete(key);
  }
}
