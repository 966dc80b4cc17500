// What a scalar or aggregate SQL expression of a lens refers to and calls. Names are taken down, not resolved: the lens
// compiler knows its fields. `metric(name)` stands for another metric; `{caller.x}` must be replaced before.
import type { ProblemDetail } from '../contract/problem.ts';
import type { Dialect } from '../contract/warehouse.ts';
import { Analysis } from './analysis.ts';
import { type AstNode, asList, asNode, asText, isNode } from './ast.ts';
import { parseDuckdb } from './duckdb/engine.ts';
import { DUCKDB_FUNCTIONS } from './duckdb/functions.ts';
import { pathOf } from './duckdb/nodes.ts';
import { DuckdbWalker } from './duckdb/walker.ts';
import { Faults } from './faults.ts';
import type { FunctionList } from './function-list.ts';
import { compareWithSource, readMysql, writtenPlainly } from './mysql/engine.ts';
import { MYSQL_FUNCTIONS } from './mysql/functions.ts';
import { isEmpty, UNMEANT } from './mysql/shapes.ts';
import { MysqlWalker } from './mysql/walker.ts';
import { parsePostgres } from './postgres/engine.ts';
import { POSTGRES_FUNCTIONS } from './postgres/functions.ts';
import { columnPath, stringsOf, unwrap } from './postgres/nodes.ts';
import { PostgresWalker } from './postgres/walker.ts';
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

/** How one dialect's tree is read: nodes that call a function, and nodes that name a column. */
interface Reading {
  root: AstNode | null;
  curated: FunctionList;
  call(node: unknown): { name: string; distinct: boolean; windowed: boolean; args: unknown[] } | null;
  column(node: unknown): string[] | null;
  toNull(node: AstNode): void;
  walk(analysis: Analysis): void;
}

const PREFIX = 'select ';
const READERS = { duckdb: readDuckdb, postgres: readPostgres, mysql: readMysqlExpression };

export async function analyseExpression(dialect: Dialect, sql: string): Promise<ExpressionAnalysis> {
  const faults = new Faults();
  const found: ExpressionAnalysis = {
    columns: [],
    functions: [],
    aggregates: [],
    aggregateArguments: [],
    metricCalls: [],
    windows: false,
    subqueries: false,
    fault: null,
    faults: [],
  };
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

function collect(reading: Reading, node: unknown, found: ExpressionAnalysis): void {
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
      reading.toNull(node);
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

function* columnsIn(reading: Reading, node: unknown): Generator<string[]> {
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

async function readPostgres(sql: string, faults: Faults): Promise<Reading> {
  const select = await parsePostgres(`${PREFIX}${sql}\n`, faults);
  const target = unwrap(asList(select?.['targetList'])[0]).data;
  const only = ['targetList', 'limitOption', 'op'];
  const single =
    select !== null &&
    asList(select['targetList']).length === 1 &&
    target['name'] === undefined &&
    Object.keys(select).every((key) => only.includes(key)) &&
    !columnPath(target['val'])?.star;
  const root = single ? asNode(target['val']) : null;
  return {
    root,
    curated: POSTGRES_FUNCTIONS,
    call: (node) => {
      const { kind, data } = unwrap(node);
      if (kind !== 'FuncCall') return null;
      return {
        name: stringsOf(data['funcname']).at(-1) ?? '',
        distinct: data['agg_distinct'] === true,
        windowed: data['over'] !== undefined,
        args: [...asList(data['args']), ...asList(data['agg_order'])],
      };
    },
    column: (node) => columnPath(node)?.parts ?? null,
    toNull: (node) => {
      for (const key of Object.keys(node)) delete node[key];
      node['A_Const'] = { isnull: true };
    },
    walk: (analysis) => new PostgresWalker(analysis, 0).expression(root),
  };
}

async function readDuckdb(sql: string, faults: Faults): Promise<Reading> {
  const node = asNode((await parseDuckdb(`${PREFIX}${sql}\n`, faults))?.['node']);
  const list = asList(node['select_list']).map(asNode);
  const [item] = list;
  const plain =
    asNode(node['from_table'])['type'] === 'EMPTY' &&
    asList(node['modifiers']).length === 0 &&
    ['where_clause', 'having', 'qualify', 'sample'].every((key) => !node[key]) &&
    asList(node['group_expressions']).length === 0 &&
    node['aggregate_handling'] === 'STANDARD_HANDLING';
  const root = plain && list.length === 1 && item && asText(item['alias']) === '' ? item : null;
  return {
    root: root?.['class'] === 'STAR' ? null : root,
    curated: DUCKDB_FUNCTIONS,
    call: (value) => {
      const call = asNode(value);
      const windowed = call['class'] === 'WINDOW';
      if (call['class'] !== 'FUNCTION' && !windowed) return null;
      const orders = asList(asNode(call['order_bys'])['orders']);
      return {
        name: asText(call['function_name']).toLowerCase(),
        distinct: call['distinct'] === true,
        windowed,
        args: [...asList(call['children']), ...orders],
      };
    },
    column: (value) => pathOf(asNode(value)),
    toNull: (value) => {
      for (const key of Object.keys(value)) delete value[key];
      const type = { id: 'NULL', type_info: null };
      Object.assign(value, { class: 'CONSTANT', type: 'VALUE_CONSTANT', value: { type, is_null: true } });
    },
    walk: (analysis) => new DuckdbWalker(analysis, 0).expression(root),
  };
}

async function readMysqlExpression(sql: string, faults: Faults): Promise<Reading> {
  const read = await readMysql(`${PREFIX}${sql}\n`, faults);
  const select = asNode(read?.query['select']);
  const [root, ...others] = asList(select['expressions']).map(asNode);
  const alone = Object.entries(select).every(
    ([key, value]) => key === 'expressions' || UNMEANT.has(key) || isEmpty(value),
  );
  const single = root !== undefined && others.length === 0 && alone && !('alias' in root) && !('star' in root);
  if (read && single) compareWithSource(writtenPlainly(read.query, faults), read.tokens, faults);
  return {
    root: single && faults.list.length === 0 ? root : null,
    curated: MYSQL_FUNCTIONS,
    call: (node) => {
      const wrapped = asNode(node);
      const window = asNode(wrapped['window_function']);
      if (isNode(wrapped['window_function'])) {
        const inner = asNode(asNode(window['this'])['function']);
        return { name: asText(inner['name']).toLowerCase(), distinct: false, windowed: true, args: [] };
      }
      const concat = wrapped['group_concat'];
      if (isNode(concat)) {
        const args = [concat['this'], concat['order_by']];
        return { name: 'group_concat', distinct: concat['distinct'] === true, windowed: false, args };
      }
      const call = asNode(wrapped['function']);
      if (Object.keys(wrapped).length !== 1 || typeof call['name'] !== 'string') return null;
      const args = asList(call['args']).slice(typeof call['unit'] === 'string' ? 1 : 0);
      return { name: call['name'].toLowerCase(), distinct: call['distinct'] === true, windowed: false, args };
    },
    column: (node) => {
      const column = asNode(asNode(node)['column']);
      if (!isNode(column['name'])) return null;
      return [column['schema'], column['table'], column['name']].filter(isNode).map((part) => asText(part['name']));
    },
    toNull: (node) => {
      for (const key of Object.keys(node)) delete node[key];
      node['null'] = null;
    },
    walk: (analysis) => new MysqlWalker(analysis, 0).expression(root),
  };
}
