// Compiles, guards and runs a small query for a caller. svc uses such queries to prove values and to read dictionaries.
import type { FetchOptions, FetchResult } from '../../domain/ports.ts';
import { guardCompiledSql } from '../../lens/policies/governed-relations.ts';
import type { LensPlan } from '../../plan/lens-plan.ts';
import { compilePlan } from '../../plan/sql/compile-plan.ts';
import type { GrantedLens } from '../outcome.ts';

export async function fetchGovernedRows(
  { warehouse, lens, caller }: Pick<GrantedLens, 'warehouse' | 'lens' | 'caller'>,
  lensPlan: LensPlan,
  options: FetchOptions & { now: Date },
): Promise<FetchResult> {
  const compiledQuery = await compilePlan(lens, lensPlan, caller, { maxRows: options.maxRows });
  return warehouse.fetch(await guardCompiledSql(lens, caller, compiledQuery), options);
}
