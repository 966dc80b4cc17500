// Finds the names and calls in an SQL expression of a lens. The lens compiler resolves the names, because it knows the
// fields. `metric(name)` refers to another metric. The caller of this module must already have replaced placeholders
// such as `{caller.x}`.
import type { DialectName } from '../contract/warehouse.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { loadDialect } from '../dialects/dialects.ts';
import { FaultCollector } from '../dialects/fault-collector.ts';
import { listChildren, listNodes } from '../dialects/nodes.ts';
import type { Call, Expression, Node, Query } from '../dialects/tree.ts';
import { checkRawText } from './raw-text.ts';
import { guardExpression } from './rules/guard-query.ts';
import { StatementAnalysis } from './rules/statement-analysis.ts';

interface AggregateUse {
  name: string;
  distinct: boolean;
  columns: string[][];
  /** The columns whose values the aggregate combines. Omits columns that only a condition of a CASE reads. */
  valueColumns: string[][];
}
export interface ExpressionAnalysis {
  /** The path of each column reference, such as ['orders', 'sales'] or ['sales']. */
  columns: string[][];
  aggregates: AggregateUse[];
  /** The columns whose values the expression uses. Omits columns that it only counts, as `count(distinct column)`. */
  usedColumns: string[][];
  metricCalls: string[];
  /** A message that lists all constructs that a lens can't use, or null. */
  fault: string | null;
}

const SELECT_PREFIX = 'select ';

const createUnreadableAnalysis = (fault: string): ExpressionAnalysis => ({
  columns: [],
  aggregates: [],
  usedColumns: [],
  metricCalls: [],
  fault,
});

export async function analyzeExpression(name: DialectName, sql: string): Promise<ExpressionAnalysis> {
  try {
    return await analyzeParsed(name, sql);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return createUnreadableAnalysis('The expression is nested too deeply.');
  }
}

async function analyzeParsed(name: DialectName, sql: string): Promise<ExpressionAnalysis> {
  const dialect = await loadDialect(name);
  const faults = new FaultCollector();
  const tokens = checkRawText(sql, faults);
  if (tokens.some(({ kind }) => kind === 'parameter' || kind === 'positional')) {
    faults.add('parameter', "An expression can't contain parameters.");
  }
  if (sql.trim() === '') faults.add('syntax', 'The expression is empty.');
  const query = faults.list.length > 0 ? null : await dialect.read(`${SELECT_PREFIX}${sql}\n`, faults);
  const expression = query && findSingleItem(query);
  if (!expression) return createUnreadableAnalysis(faults.list[0]?.message ?? 'The SQL is not a single expression.');
  const analysis = new StatementAnalysis(dialect, { relations: [], mode: 'verify', maxRows: null }, faults, true);
  guardExpression(analysis, expression);
  if (analysis.hasWindows) faults.add('window', 'A lens expression must not contain window functions.');
  if (analysis.hasSubqueries) faults.add('subquery', 'Subqueries are not allowed here.');
  return {
    columns: removeDuplicatePaths(analysis.references),
    aggregates: findAggregates(dialect, expression),
    usedColumns: removeDuplicatePaths(findUsedColumns(expression)),
    metricCalls: [...analysis.metrics],
    fault: faults.list.map(({ message }) => message).join(' ') || null,
  };
}

/** Returns the expression, or null if the SQL isn't a single expression. */
export async function readSingleExpression(name: DialectName, sql: string): Promise<Expression | null> {
  const faults = new FaultCollector();
  const query = await (await loadDialect(name)).read(`${SELECT_PREFIX}${sql}\n`, faults);
  return query && faults.list.length === 0 ? findSingleItem(query) : null;
}

/** Returns the query's only expression, or null if the query has anything else. */
function findSingleItem(query: Query): Expression | null {
  if (query.kind !== 'select') return null;
  const { items, from, windows, orderBy, kind: _, at: _at, ...others } = query;
  const [item, ...otherItems] = items;
  const isOnlyItem = [...otherItems, ...from, ...windows, ...orderBy].length === 0;
  if (!item || !isOnlyItem || Object.values(others).some((part) => part !== null)) return null;
  return item.alias === null && item.value.kind !== 'star' ? item.value : null;
}

function findAggregates({ functions }: Dialect, expression: Expression): AggregateUse[] {
  return [...listNodes(expression)].flatMap((node) => {
    if (node.kind !== 'call' || node.over || functions.list.kind(node.name) !== 'aggregate') return [];
    const columns = removeDuplicatePaths(findColumnsReadBy(node));
    const valueColumns = removeDuplicatePaths(node.args.flatMap(findValueColumns));
    return [{ name: node.name, distinct: node.distinct, columns, valueColumns }];
  });
}

const findColumnsReadBy = ({ args, orderBy }: Call): string[][] => {
  const argumentNodes: Node[] = [...args, ...orderBy.map(({ value }) => value)].flatMap((part) => [...listNodes(part)]);
  return argumentNodes.flatMap((node) => (node.kind === 'column' ? [node.path] : []));
};

function findUsedColumns(node: Node): string[][] {
  if (node.kind === 'column') return [node.path];
  const [argument, secondArgument] = node.kind === 'call' ? node.args : [];
  const isCounted =
    node.kind === 'call' &&
    node.name === 'count' &&
    node.distinct &&
    argument?.kind === 'column' &&
    secondArgument === undefined;
  return [...listChildren(node)].filter((child) => !isCounted || child !== argument).flatMap(findUsedColumns);
}

function findValueColumns(node: Node): string[][] {
  if (node.kind === 'column') return [node.path];
  const parts =
    node.kind === 'case'
      ? [...node.whens.map(({ result }) => result), ...(node.otherwise ? [node.otherwise] : [])]
      : listChildren(node);
  return [...parts].flatMap(findValueColumns);
}

const removeDuplicatePaths = (paths: string[][]): string[][] => [
  ...new Map(paths.map((path) => [JSON.stringify(path), path])).values(),
];
