// Reads an author's expression with the guard's parser and combines all refusals into one message.
import type { Dialect } from '../../contract/warehouse.ts';
import { analyseExpression } from '../../guard/analyse-expression.ts';

export interface ReadExpression {
  columns: string[][];
  metricCalls: string[];
  aggregates: { name: string; distinct: boolean; columns: string[][] }[];
  fault: string | null;
}

export async function readExpression(dialect: Dialect, sql: string): Promise<ReadExpression> {
  const found = await analyseExpression(dialect, sql);
  const reasons = found.fault ? [found.fault.message] : found.faults.map(({ message }) => message);
  if (found.windows) reasons.push('Window functions belong to questions, not to the lens.');
  if (found.subqueries) reasons.push('Subqueries are not allowed here.');
  return {
    columns: found.columns,
    metricCalls: found.metricCalls,
    aggregates: found.aggregateArguments.map(({ fn, distinct, columns }) => ({ name: fn, distinct, columns })),
    fault: reasons.length > 0 ? [...new Set(reasons)].join(' ') : null,
  };
}
