// The part of a warehouse that checking a lens needs, and how a statement's failure is told to the author of the lens.
import type { Datatype } from '../../contract/warehouse.ts';
import type { GuardedSql } from '../../guard/guarded-sql.ts';
import { Problem } from '../../platform/problem.ts';
import type { Asker } from '../model/lens.ts';

export interface CheckedTable {
  catalog: string | null;
  schema: string | null;
  table: string;
  columns: { name: string; datatype?: Datatype | null; nullable?: boolean }[];
  primaryKey: string[];
  uniqueKeys: string[][];
}
/** How far the checks of a lens are. */
export type Report = (progress: { step: string; done: number; total: number }) => void;
export const counting = (report: Report | undefined, step: string) => (done: number, total: number) =>
  report?.({ step, done, total });

export interface CheckedWarehouse {
  catalog(): Promise<CheckedTable[]>;
  describe(statement: GuardedSql, options: { timeoutMs: number }): Promise<{ name: string; datatype: Datatype }[]>;
  fetch(
    statement: GuardedSql,
    options: { maxRows: number; maxBytes: number; timeoutMs: number },
  ): Promise<{ rows: unknown[][] }>;
}

/** Who asks while a lens is checked: no one's policies apply, so that every expression is reached. */
export const OWNER: Asker = { name: 'plan', groups: [], attributes: {}, superuser: true };
export const CHECK_TIMEOUT = { timeoutMs: 30_000 };
export const CHECKS_AT_ONCE = 4;

/** Null when it ran. The engine's reason is for the author of the lens, who already sees the warehouse. */
export async function failure(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (!(error instanceof Problem) || ['unreachable', 'timeout'].includes(error.code)) throw error;
    return error.detail ?? error.message;
  }
}
