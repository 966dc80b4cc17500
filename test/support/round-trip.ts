// Reads a statement, writes it, and reads it again. Tree and text must contain everything in the statement.
import type { Dialect } from '../../src/dialects/dialect.ts';
import { FaultCollector } from '../../src/dialects/fault-collector.ts';
import type { Query } from '../../src/dialects/tree.ts';

/** The tree without positions. */
export const meaningOf = (query: Query | null): unknown =>
  JSON.parse(JSON.stringify(query, (key, value: unknown) => (key === 'at' ? undefined : value)));

/** The tree of a statement without errors. */
export async function treeOf(dialect: Dialect, sql: string): Promise<Query> {
  const faults = new FaultCollector();
  const query = await dialect.read(sql, faults);
  if (query && faults.list.length === 0) return query;
  throw new Error(`${sql}\n${faults.list.map(({ code, message }) => `${code}: ${message}`).join('\n')}`);
}
