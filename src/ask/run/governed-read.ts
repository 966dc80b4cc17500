// A small governed read on behalf of an asker: compile, guard, fetch. Used to prove values and to read dictionaries.
import type { Fetched, FetchOptions, Warehouse } from '../../domain/ports.ts';
import { guardRemembered } from '../../guard/guard-remembered.ts';
import type { GuardedSql } from '../../guard/guarded-sql.ts';
import { type CompiledQuery, compileIntent } from '../../lens/compile-intent.ts';
import { governedRelations } from '../../lens/governed-relations.ts';
import type { Intent } from '../../lens/intent.ts';
import type { Asker, Lens } from '../../lens/lens.ts';

/** Our compiler's text, proven: nothing outside the lens, and every literal exactly one literal. */
export function guardCompiled(lens: Lens, asker: Asker, compiled: CompiledQuery): Promise<GuardedSql> {
  return guardRemembered(compiled.sql, {
    dialect: lens.dialect,
    relations: governedRelations(lens, asker),
    mode: 'verify',
    extraColumns: compiled.extraColumns,
    maxRows: null,
    literals: compiled.literals,
  });
}

export async function readGoverned(
  warehouse: Warehouse,
  lens: Lens,
  asker: Asker,
  intent: Intent,
  options: FetchOptions & { now: Date },
): Promise<Fetched> {
  const compiled = compileIntent(lens, intent, asker, { maxRows: options.maxRows, now: options.now });
  return warehouse.fetch(await guardCompiled(lens, asker, compiled), options);
}
