// Memoizes pure functions per owner object. The results are collected together with their owner.
import { LRUCache } from 'lru-cache';

const MAX_KEY_LENGTH = 5_000;

type Remember<Owner, T> = (owner: Owner, key: string, make: () => T) => T;

/** Every caller gets its own copy, so that changes to it don't affect other callers. */
export function memoize<Owner extends object, T extends object>(most: number): Remember<Owner, T> {
  const known = new WeakMap<Owner, LRUCache<string, T>>();
  return (owner, key, make) => {
    if (key.length > MAX_KEY_LENGTH) return make();
    const own = known.get(owner) ?? new LRUCache<string, T>({ max: most });
    known.set(owner, own);
    const found = own.get(key);
    if (found) return structuredClone(found);
    const made = make();
    own.set(key, structuredClone(made));
    return made;
  };
}
