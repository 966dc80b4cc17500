// Reads the estimate from EXPLAIN: the cardinality of the topmost operator that has one.
import type { DuckDBConnection } from '@duckdb/node-api';

interface PlanNode {
  name: string;
  children: PlanNode[];
  extra_info: { 'Estimated Cardinality'?: string };
}

export async function estimateDuckDb(connection: DuckDBConnection, sql: string): Promise<number | null> {
  const preparedStatement = await connection.prepare(`explain (format json) ${sql}`);
  for (let index = 1; index <= preparedStatement.parameterCount; index++) preparedStatement.bindNull(index);
  const [row] = await (await preparedStatement.run()).getRows();
  let nodes = JSON.parse(String(row?.[1] ?? '[]')) as PlanNode[];
  while (nodes.length > 0) {
    const cardinality = nodes[0]!.extra_info['Estimated Cardinality'];
    if (cardinality !== undefined && cardinality !== '0') return Number(cardinality);
    nodes = nodes[0]!.children;
  }
  return null;
}
