// Limits svc's own SQL to its first rows, in the engine's syntax.
import type { Dialect } from '../../contract/warehouse.ts';
import { findDialect } from '../../dialects/dialects.ts';
import { Faults } from '../../dialects/faults.ts';
import { numberOf } from '../../dialects/make-nodes.ts';

export async function limitToFirstRows(name: Dialect, sql: string, rows: number): Promise<string> {
  const dialect = findDialect(name);
  const faults = new Faults();
  const query = await dialect.read(sql, faults);
  faults.throwIfAny();
  return dialect.write({ ...query!, limit: numberOf(rows) });
}
