// Caches the results of pure functions for each owner object. Garbage collection removes them together with the owner.
import { LRUCache } from 'lru-cache';

type Memoized<Owner, T> = (owner: Owner, key: string, compute: () => T) => T;

/**
 * Results for keys longer than `maxKeyLength` aren't cached. `prepare` gets each new result, for example to
 * freeze it, and can remove it from the cache later.
 */
function memoizePerOwner<Owner extends object, T extends object>(
  maxEntries: number,
  maxKeyLength: number,
  prepare: (value: T, forget: () => void) => T,
): Memoized<Owner, T> {
  const cachesByOwner = new WeakMap<Owner, LRUCache<string, T>>();
  return (owner, key, compute) => {
    if (key.length > maxKeyLength) return compute();
    const cache = cachesByOwner.get(owner) ?? new LRUCache<string, T>({ max: maxEntries });
    cachesByOwner.set(owner, cache);
    const cachedValue = cache.get(key);
    if (cachedValue) return cachedValue;
    const value = prepare(compute(), () => cache.delete(key));
    cache.set(key, value);
    return value;
  };
}

/** Results are frozen, because all callers share the same objects. */
export const memoize = <Owner extends object, T extends object>(maxEntries: number): Memoized<Owner, T> =>
  memoizePerOwner(maxEntries, 5_000, freezeDeeply);

/** Failures aren't cached. The limit for keys leaves room for an SQL statement. */
export const memoizeAsync = <Owner extends object, T>(maxEntries: number): Memoized<Owner, Promise<T>> =>
  memoizePerOwner(maxEntries, 21_000, (value, forget) => {
    value.catch(forget);
    return value;
  });

/** Computes one value for each owner object, and keeps the value as long as the object. */
export const computeOnce = <Owner extends object, T>(compute: (owner: Owner) => T): ((owner: Owner) => T) => {
  const values = new WeakMap<Owner, T>();
  return (owner) => {
    if (!values.has(owner)) values.set(owner, compute(owner));
    return values.get(owner)!;
  };
};

function freezeDeeply<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const item of Object.values(value)) freezeDeeply(item);
  return value;
}
