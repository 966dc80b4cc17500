// Caches the guard's verdicts, which depend only on the SQL and the scope. If the lens or the caller changes, the scope
// has other relations, so svc caches a separate verdict.
import type { Query } from '../dialects/tree.ts';
import { memoizeAsync } from '../platform/memoize.ts';
import { guardTree } from './guard-here.ts';
import { guardSql } from './guard-sql.ts';
import type { GovernedRelation, GuardedSql, GuardScope } from './guarded-sql.ts';

const rememberVerdict = memoizeAsync<readonly GovernedRelation[], GuardedSql>(200);

/**
 * `relations` must not change after the first call; governedRelations() freezes them. `query` is the compiler's tree,
 * so that svc doesn't parse the SQL again. The guard changes only its own copy of the tree.
 */
export function guardWithCache(sql: string, scope: GuardScope, query?: Query): Promise<GuardedSql> {
  const { relations, onBehalf: _onBehalf, ...cachedScope } = scope;
  const runGuard = () => (query ? guardTree(sql, structuredClone(query), scope) : guardSql(sql, scope));
  if (!Object.isFrozen(relations)) return runGuard();
  return rememberVerdict(relations, JSON.stringify([sql, cachedScope, query !== undefined]), runGuard);
}
