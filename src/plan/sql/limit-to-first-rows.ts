// Limits svc's own SQL to its first rows, in the engine's syntax.
import type { DialectName } from '../../contract/warehouse.ts';
import { findDialect } from '../../dialects/dialects.ts';
import { FaultCollector } from '../../dialects/fault-collector.ts';
import { numberOf } from '../../dialects/make-nodes.ts';

export async function limitToFirstRows(name: DialectName, sql: string, rows: number): Promise<string> {
  const dialect = findDialect(name);
  const faults = new FaultCollector();
  const query = await dialect.read(sql, faults);
  faults.throwIfAny();
  return dialect.write({ ...query!, limit: numberOf(rows) });
}
