// Wraps a warehouse so that one signal cancels all of its running statements.
import type { Warehouse } from './ports.ts';

export function withAbortSignal(warehouse: Warehouse, signal: AbortSignal | undefined): Warehouse {
  if (!signal) return warehouse;
  const combineSignals = (callSignal: AbortSignal | undefined) =>
    callSignal ? AbortSignal.any([callSignal, signal]) : signal;
  return {
    ...warehouse,
    fetch: (statement, options) => warehouse.fetch(statement, { ...options, signal: combineSignals(options.signal) }),
    describe: (statement, options) =>
      warehouse.describe(statement, { ...options, signal: combineSignals(options.signal) }),
    catalog: (options) => warehouse.catalog({ ...options, signal: combineSignals(options?.signal) }),
    profile: (table, columns, options) =>
      warehouse.profile(table, columns, { ...options, signal: combineSignals(options.signal) }),
  };
}
