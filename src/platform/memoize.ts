// Memoizes pure functions per owner object. Garbage collection removes the results with their owner.
import { LRUCache } from 'lru-cache';

const MAX_KEY_LENGTH = 5_000;

type Remember<Owner, T> = (owner: Owner, key: string, make: () => T) => T;

/** Results are frozen, because all callers share them. */
export function memoize<Owner extends object, T extends object>(most: number): Remember<Owner, T> {
  const cachesByOwner = new WeakMap<Owner, LRUCache<string, T>>();
  return (owner, key, make) => {
    if (key.length > MAX_KEY_LENGTH) return make();
    const ownerCache = cachesByOwner.get(owner) ?? new LRUCache<string, T>({ max: most });
    cachesByOwner.set(owner, ownerCache);
    const found = ownerCache.get(key);
    if (found) return found;
    const value = frozen(make());
    ownerCache.set(key, value);
    return value;
  };
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const item of Object.values(value)) frozen(item);
  return value;
}

/** Long enough for an SQL statement. */
const MAX_ASYNC_KEY_LENGTH = 21_000;

/** Memoizes an asynchronous function. Failures aren't cached. */
export function memoizeAsync<Owner extends object, T>(most: number): Remember<Owner, Promise<T>> {
  const known = new WeakMap<Owner, LRUCache<string, Promise<T>>>();
  return (owner, key, make) => {
    if (key.length > MAX_ASYNC_KEY_LENGTH) return make();
    const own = known.get(owner) ?? new LRUCache<string, Promise<T>>({ max: most });
    known.set(owner, own);
    const found = own.get(key);
    if (found) return found;
    const value = make();
    own.set(key, value);
    value.catch(() => own.delete(key));
    return value;
  };
}
