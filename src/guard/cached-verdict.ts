// The guard's verdict is a function of the text and the scope alone, and a GuardedSql never changes: the same text in the
// same scope is examined once. The relations, with their policies, attributes and masks written out, are the scope's
// identity; a changed lens or another caller has other relations, and so other verdicts.
import { LRUCache } from 'lru-cache';
import type { Query } from '../dialects/tree.ts';
import { guardTree } from './guard-here.ts';
import { guardSql } from './guard-sql.ts';
import type { GovernedRelation, GuardedSql, GuardScope } from './guarded-sql.ts';

type Verdicts = LRUCache<string, Promise<GuardedSql>>;
const verdicts = new WeakMap<readonly GovernedRelation[], Verdicts>();
const TEXTS = 200;
const LONGEST = 20_000;

/** `relations` must not change after the first call; governedRelations() freezes them. `query`: what our compiler wrote the
 *  text of; it is not read again. */
export function cachedVerdict(sql: string, scope: GuardScope, query?: Query): Promise<GuardedSql> {
  const { relations, onBehalf: _whose, ...rest } = scope;
  const judge = () => (query ? guardTree(sql, query, scope) : guardSql(sql, scope));
  if (sql.length > LONGEST || !Object.isFrozen(relations)) return judge();
  let known = verdicts.get(relations);
  if (!known) {
    known = new LRUCache({ max: TEXTS });
    verdicts.set(relations, known);
  }
  const key = JSON.stringify([sql, rest, query !== undefined]);
  const before = known.get(key);
  if (before) return before;
  const guarded = judge();
  known.set(key, guarded);
  guarded.catch(() => known.delete(key)); // a refusal is found again, in case it was the engine's
  return guarded;
}
