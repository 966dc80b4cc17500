// Checks that approved SQL still passes the guard and runs, as far as the warehouse can say without running
// it.
import type { Caller, CertifiedParameter, Lens } from '../../lens/model/lens.ts';
import { Problem } from '../../platform/problem.ts';
import type { Warehouse } from '../ports.ts';
import { guardEntry } from './guard-entry.ts';

const EVERYONE: Caller = { name: 'svc', groups: [], attributes: {}, superuser: true };

/** Null if it runs; otherwise the problem, for the author of the SQL. Throws if the warehouse is unreachable. */
export async function certifiedFault(
  lens: Lens,
  entry: { sql: string; parameters: Record<string, CertifiedParameter> },
  warehouse: Warehouse,
): Promise<string | null> {
  try {
    const statement = await guardEntry(lens, EVERYONE, entry, 1, warehouse);
    const parameters = statement.parameters.map((name) => ({
      name,
      datatype: entry.parameters[name]!.datatype,
      value: null,
    }));
    await warehouse.describe(statement, { timeoutMs: 15_000, parameters });
    return null;
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'unreachable' || error.code === 'timeout') throw error;
    const reasons = error.details.map(({ message }) => message).filter((message) => !error.message.includes(message));
    return [error.message, ...reasons, error.code === 'upstream' ? (error.detail ?? '') : ''].filter(Boolean).join(' ');
  }
}
