// Memoizes pure functions per owner object. The results are collected together with their owner.
import { LRUCache } from 'lru-cache';

const MAX_KEY_LENGTH = 5_000;

type Remember<Owner, T> = (owner: Owner, key: string, make: () => T) => T;

/** All callers share a result, so it is frozen. */
export function memoize<Owner extends object, T extends object>(most: number): Remember<Owner, T> {
  const known = new WeakMap<Owner, LRUCache<string, T>>();
  return (owner, key, make) => {
    if (key.length > MAX_KEY_LENGTH) return make();
    const own = known.get(owner) ?? new LRUCache<string, T>({ max: most });
    known.set(owner, own);
    const found = own.get(key);
    if (found) return found;
    const value = frozen(make());
    own.set(key, value);
    return value;
  };
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const one of Object.values(value)) frozen(one);
  return value;
}

/** Long enough for a statement. */
const MAX_ASYNC_KEY_LENGTH = 21_000;

/** The same for work that waits. A failure isn't remembered. */
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
