// Memoizes pure functions per owner object. Garbage collection removes an owner's results together with the owner.
import { LRUCache } from 'lru-cache';

const MAX_KEY_LENGTH = 5_000;

type Remember<Owner, T> = (owner: Owner, key: string, make: () => T) => T;

/** Results are frozen, because all callers share the same objects. */
export function memoize<Owner extends object, T extends object>(maxEntries: number): Remember<Owner, T> {
  const cachesByOwner = new WeakMap<Owner, LRUCache<string, T>>();
  return (owner, key, make) => {
    if (key.length > MAX_KEY_LENGTH) return make();
    const ownerCache = cachesByOwner.get(owner) ?? new LRUCache<string, T>({ max: maxEntries });
    cachesByOwner.set(owner, ownerCache);
    const cachedValue = ownerCache.get(key);
    if (cachedValue) return cachedValue;
    const value = deepFreeze(make());
    ownerCache.set(key, value);
    return value;
  };
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const item of Object.values(value)) deepFreeze(item);
  return value;
}

/** The maximum length of a key, which leaves enough room for an SQL statement. */
const MAX_ASYNC_KEY_LENGTH = 21_000;

/** Memoizes an asynchronous function. Failures aren't cached. */
export function memoizeAsync<Owner extends object, T>(maxEntries: number): Remember<Owner, Promise<T>> {
  const cacheByOwner = new WeakMap<Owner, LRUCache<string, Promise<T>>>();
  return (owner, key, make) => {
    if (key.length > MAX_ASYNC_KEY_LENGTH) return make();
    const ownerCache = cacheByOwner.get(owner) ?? new LRUCache<string, Promise<T>>({ max: maxEntries });
    cacheByOwner.set(owner, ownerCache);
    const cachedValue = ownerCache.get(key);
    if (cachedValue) return cachedValue;
    const value = make();
    ownerCache.set(key, value);
    value.catch(() => ownerCache.delete(key));
    return value;
  };
}
