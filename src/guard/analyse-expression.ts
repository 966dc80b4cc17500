// What a scalar or aggregate SQL expression of a lens refers to and calls. Names are taken down, not resolved: the lens
// compiler knows its fields. `metric(name)` stands for another metric; `{caller.x}` must be replaced before.
import type { ProblemDetail } from '../contract/problem.ts';
import type { Dialect } from '../contract/warehouse.ts';
import { Analysis } from './analysis.ts';
import { isNode, replaceNode } from './ast.ts';
import { readDuckdbExpression } from './duckdb/read-expression.ts';
import { type ExpressionReading, PREFIX } from './expression-reading.ts';
import { Faults } from './faults.ts';
import { readMysqlExpression } from './mysql/read-expression.ts';
import { readPostgresExpression } from './postgres/read-expression.ts';
import { checkRawText } from './raw-text.ts';

interface AggregateUse {
  fn: string;
  distinct: boolean;
  columns: string[][];
}
export interface ExpressionAnalysis {
  /** Each column reference as its path: ['orders', 'sales'] or ['sales']. */
  columns: string[][];
  functions: string[];
  aggregates: string[];
  aggregateArguments: AggregateUse[];
  metricCalls: string[];
  windows: boolean;
  subqueries: boolean;
  /** The text is no single expression. */
  fault: { message: string; offset: number } | null;
  /** Functions, casts, operators and constructs that are not allowed, each named. */
  faults: readonly ProblemDetail[];
}

const READERS = { duckdb: readDuckdbExpression, postgres: readPostgresExpression, mysql: readMysqlExpression };

const nothingYet = (): ExpressionAnalysis => ({
  columns: [],
  functions: [],
  aggregates: [],
  aggregateArguments: [],
  metricCalls: [],
  windows: false,
  subqueries: false,
  fault: null,
  faults: [],
});

export async function analyseExpression(dialect: Dialect, sql: string): Promise<ExpressionAnalysis> {
  try {
    return await analyse(dialect, sql);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ...nothingYet(), fault: { message: 'The expression nests too deeply to be read.', offset: 0 } };
  }
}

async function analyse(dialect: Dialect, sql: string): Promise<ExpressionAnalysis> {
  const faults = new Faults();
  const found = nothingYet();
  const broken = (): ExpressionAnalysis => {
    const [first] = faults.list;
    const offset = Math.max(0, Number(first?.['offset'] ?? 0) - PREFIX.length);
    return { ...found, fault: { message: first?.message ?? 'This is not one expression.', offset } };
  };
  const tokens = checkRawText(sql, faults);
  if (tokens.some(({ kind }) => kind === 'parameter' || kind === 'positional')) {
    faults.add('parameter', "An expression can't hold parameters.");
  }
  if (sql.trim() === '') faults.add('syntax', 'The expression is empty.');
  const reading = faults.list.length > 0 ? null : await READERS[dialect](sql, faults);
  if (!reading?.root) return broken();
  collect(reading, reading.root, found);
  const analysis = new Analysis(
    { dialect, relations: [], mode: 'verify', maxRows: null },
    reading.curated,
    faults,
    true,
  );
  reading.walk(analysis);
  return {
    ...found,
    columns: unique(analysis.references),
    functions: [...analysis.functions].sort(),
    aggregates: [...new Set(found.aggregateArguments.map(({ fn }) => fn))],
    windows: found.windows || analysis.windows,
    subqueries: analysis.subqueries,
    faults: faults.list,
  };
}

/** Only what is wrong with the expression; empty when it may be used in a lens. */
export async function expressionFaults(dialect: Dialect, sql: string): Promise<string[]> {
  const { fault, faults } = await analyseExpression(dialect, sql);
  return fault ? [fault.message] : faults.map(({ message }) => message);
}

function collect(reading: ExpressionReading, node: unknown, found: ExpressionAnalysis): void {
  if (Array.isArray(node)) {
    for (const one of node) collect(reading, one, found);
    return;
  }
  if (!isNode(node)) return;
  const call = reading.call(node);
  if (call?.name === 'metric') {
    const [name] = call.args.length === 1 ? (reading.column(call.args[0]) ?? []) : [];
    if (name !== undefined) {
      if (!found.metricCalls.includes(name)) found.metricCalls.push(name);
      replaceNode(node, structuredClone(reading.nothing));
      return;
    }
  }
  if (call?.windowed) found.windows = true;
  else if (call && reading.curated.kind(call.name) === 'aggregate') {
    const columns = unique(call.args.flatMap((arg) => [...columnsIn(reading, arg)]));
    found.aggregateArguments.push({ fn: call.name, distinct: call.distinct, columns });
  }
  for (const child of Object.values(node)) collect(reading, child, found);
}

function* columnsIn(reading: ExpressionReading, node: unknown): Generator<string[]> {
  if (Array.isArray(node)) for (const one of node) yield* columnsIn(reading, one);
  else if (isNode(node)) {
    const path = reading.column(node);
    if (path) yield path;
    else for (const child of Object.values(node)) yield* columnsIn(reading, child);
  }
}

const unique = (paths: string[][]): string[][] => [
  ...new Map(paths.map((path) => [JSON.stringify(path), path])).values(),
];
