// The guard's verdict depends only on the text and the scope, and a GuardedSql never changes, so the same
// text in the same scope is checked once. The identity of a scope is its relations, with policies, attributes
// and masks written out. A changed lens or another caller has other relations, and so other verdicts.
import { LRUCache } from 'lru-cache';
import type { Query } from '../dialects/tree.ts';
import { guardTree } from './guard-here.ts';
import { guardSql } from './guard-sql.ts';
import type { GovernedRelation, GuardedSql, GuardScope } from './guarded-sql.ts';

type Verdicts = LRUCache<string, Promise<GuardedSql>>;
const verdicts = new WeakMap<readonly GovernedRelation[], Verdicts>();
const MAX_CACHED_TEXTS = 200;
const MAX_LENGTH = 20_000;

/**
 * `relations` must not change after the first call; governedRelations() freezes them. `query` is the
 * compiler's tree of the text, which then isn't parsed again. The guard changes its own copy.
 */
export function cachedVerdict(sql: string, scope: GuardScope, query?: Query): Promise<GuardedSql> {
  const { relations, onBehalf: _whose, ...rest } = scope;
  const judge = () => (query ? guardTree(sql, structuredClone(query), scope) : guardSql(sql, scope));
  if (sql.length > MAX_LENGTH || !Object.isFrozen(relations)) return judge();
  let known = verdicts.get(relations);
  if (!known) {
    known = new LRUCache({ max: MAX_CACHED_TEXTS });
    verdicts.set(relations, known);
  }
  const key = JSON.stringify([sql, rest, query !== undefined]);
  const before = known.get(key);
  if (before) return before;
  const guarded = judge();
  known.set(key, guarded);
  guarded.catch(() => known.delete(key));
  return guarded;
}
