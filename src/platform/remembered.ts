// Results of pure work, remembered with the object they were found for and forgotten with it.
import { LRUCache } from 'lru-cache';

const LONGEST_KEY = 5_000;

type Remember<Owner, T> = (owner: Owner, key: string, make: () => T) => T;

/** Each gets a copy of its own: what one does to it is no one else's. */
export function remembered<Owner extends object, T extends object>(most: number): Remember<Owner, T> {
  const known = new WeakMap<Owner, LRUCache<string, T>>();
  return (owner, key, make) => {
    if (key.length > LONGEST_KEY) return make();
    const own = known.get(owner) ?? new LRUCache<string, T>({ max: most });
    known.set(owner, own);
    const found = own.get(key);
    if (found) return structuredClone(found);
    const made = make();
    own.set(key, structuredClone(made));
    return made;
  };
}
