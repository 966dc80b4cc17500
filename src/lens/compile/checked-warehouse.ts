// The types and limits that the checks of a lens against its warehouse share.
import type { Datatype } from '../../contract/warehouse.ts';
import type { GuardedSql } from '../../guard/guarded-sql.ts';
import { Problem } from '../../platform/problem.ts';
import type { ProblemFactory } from '../files/yaml-file.ts';
import type { Lens } from '../model/lens.ts';

export interface CheckedTable {
  catalog: string | null;
  schema: string | null;
  table: string;
  columns: { name: string; datatype?: Datatype | null; nullable?: boolean; comparesAsText?: boolean }[];
  primaryKey: string[];
  uniqueKeys: string[][];
}

export type ProgressReporter = (progress: { step: string; done: number; total: number }) => void;

export const createProgressReporter =
  (report: ProgressReporter | undefined, step: string) => (done: number, total: number) =>
    report?.({ step, done, total });

export interface CheckedWarehouse {
  catalog(): Promise<CheckedTable[]>;
  describe(statement: GuardedSql, options: { timeoutMs: number }): Promise<{ name: string; datatype: Datatype }[]>;
  fetch(
    statement: GuardedSql,
    options: { maxRows: number; maxBytes: number; timeoutMs: number },
  ): Promise<{ rows: unknown[][] }>;
}

export interface LensCheck {
  lens: Lens;
  warehouse: CheckedWarehouse;
  problemAt: ProblemFactory;
  report: ProgressReporter | undefined;
}

export const CHECK_OPTIONS = { timeoutMs: 30_000 };
export const READ_OPTIONS = { ...CHECK_OPTIONS, maxRows: 2, maxBytes: 10_000 };
export const MAX_CONCURRENT_CHECKS = 4;

export const TYPE_FAMILIES: Record<Datatype, string> = {
  ...{ string: 'text', integer: 'number', decimal: 'number', float: 'number', boolean: 'boolean' },
  ...{ date: 'time', datetime: 'time', datetimetz: 'time', time: 'clock' },
};

/**
 * Returns null on success. Otherwise, returns the engine's own error, because the author of the lens has access to the
 * warehouse.
 */
export async function catchErrorMessage(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (!(error instanceof Problem) || ['unreachable', 'timeout'].includes(error.code)) throw error;
    return error.detail ?? error.message;
  }
}
