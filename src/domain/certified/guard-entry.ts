// The approved text behind the guard. What it reads is found once, and the governed relations are then narrowed to it:
// a column that the entry does not read may go from the warehouse without the entry noticing.
import { guardRemembered } from '../../guard/guard-remembered.ts';
import type { GuardedSql } from '../../guard/guarded-sql.ts';
import { governedRelations } from '../../lens/governed-relations.ts';
import type { Asker, CertifiedParameter, Lens } from '../../lens/lens.ts';

export interface ApprovedSql {
  sql: string;
  parameters: Record<string, CertifiedParameter>;
}
/** Where a name stands for every column there is, what is read can't be told by name. */
const WIDE = /\.\s*\*|\bcolumns\s*\(|\bnatural\b/i;
const reads = new WeakMap<Lens, Map<string, ReadonlySet<string>>>();

export async function guardEntry(lens: Lens, asker: Asker, entry: ApprovedSql, maxRows: number): Promise<GuardedSql> {
  const scope = {
    dialect: lens.dialect,
    mode: 'govern',
    maxRows,
    parameters: Object.keys(entry.parameters),
    shown: 'approved',
  } as const;
  const known = reads.get(lens)?.get(entry.sql);
  if (known) return guardRemembered(entry.sql, { ...scope, relations: governedRelations(lens, asker, known) });
  const whole = await guardRemembered(entry.sql, { ...scope, relations: governedRelations(lens, asker) });
  if (WIDE.test(entry.sql)) return whole;
  const columns = new Set(whole.report.columns);
  if (!reads.has(lens)) reads.set(lens, new Map());
  reads.get(lens)!.set(entry.sql, columns);
  return guardRemembered(entry.sql, { ...scope, relations: governedRelations(lens, asker, columns) });
}
