// Checks that approved SQL passes the guard and that the warehouse accepts it, without running it.
import { type Lens, SVC_CALLER } from '../../lens/model/lens.ts';
import { Problem } from '../../platform/problem.ts';
import type { Warehouse, WarehouseColumn } from '../ports.ts';
import { type ApprovedSql, guardEntry } from './guard-entry.ts';

const TIMEOUT_MS = 15_000;

/**
 * Returns the columns of the SQL's result, or describes the problem for the author of the SQL. Throws if the warehouse
 * is unreachable.
 */
export async function describeEntry(
  lens: Lens,
  entry: ApprovedSql,
  warehouse: Warehouse,
  timeoutMs = TIMEOUT_MS,
): Promise<{ columns: WarehouseColumn[] } | { fault: string }> {
  try {
    const statement = await guardEntry(lens, SVC_CALLER, entry, 1, warehouse);
    const parameters = statement.parameters.map((name) => ({
      name,
      datatype: entry.parameters[name]!.datatype,
      value: null,
    }));
    return { columns: await warehouse.describe(statement, { timeoutMs, parameters }) };
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'unreachable' || error.code === 'timeout') throw error;
    const reasons = error.details.map(({ message }) => message).filter((message) => !error.message.includes(message));
    const detail = error.code === 'upstream' ? (error.detail ?? '') : '';
    return { fault: [error.message, ...reasons, detail].filter(Boolean).join(' ') };
  }
}

/** Returns null if the SQL runs, otherwise the problem. */
export async function findCertifiedFault(lens: Lens, entry: ApprovedSql, warehouse: Warehouse): Promise<string | null> {
  const described = await describeEntry(lens, entry, warehouse);
  return 'fault' in described ? described.fault : null;
}
