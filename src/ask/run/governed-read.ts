// Runs a small governed query for a caller: compiles, guards and fetches. svc uses it to prove values and to read
// dictionaries.
import type { FetchOptions, FetchResult } from '../../domain/ports.ts';
import { guardWithCache } from '../../guard/cached-verdict.ts';
import type { GuardedSql } from '../../guard/guarded-sql.ts';
import type { Caller, Lens } from '../../lens/model/lens.ts';
import { governedRelations } from '../../lens/policies/governed-relations.ts';
import type { LensPlan } from '../../plan/lens-plan.ts';
import { type CompiledQuery, compilePlan } from '../../plan/sql/compile-plan.ts';
import type { GrantedLens } from '../outcome.ts';

/** The guard also checks compiled SQL, so that this SQL can't read outside the lens. */
export async function guardCompiled(lens: Lens, caller: Caller, compiledQuery: CompiledQuery): Promise<GuardedSql> {
  const { sql, query, extraColumns } = compiledQuery;
  const relations = await governedRelations(lens, caller);
  const scope = { dialect: lens.dialect, relations, mode: 'verify', extraColumns, maxRows: null } as const;
  return guardWithCache(sql, scope, query);
}

export async function readGoverned(
  { warehouse, lens, caller }: Pick<GrantedLens, 'warehouse' | 'lens' | 'caller'>,
  lensPlan: LensPlan,
  options: FetchOptions & { now: Date },
): Promise<FetchResult> {
  const compiledQuery = await compilePlan(lens, lensPlan, caller, { maxRows: options.maxRows });
  return warehouse.fetch(await guardCompiled(lens, caller, compiledQuery), options);
}
