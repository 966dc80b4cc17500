// Function calls of DuckDB: operators, aggregates, lambdas and window functions.
import type { Analysis } from '../analysis.ts';
import { type AstNode, asList, asNode, asText } from '../ast.ts';
import { checkBoundedCall } from '../bounded-calls.ts';
import { NameScope } from '../name-scope.ts';
import { onlyFields, type Place, type Walk, words } from '../walk.ts';
import { constantOf, pathOf, stepOrConstant } from './nodes.ts';
import { DUCKDB_LAMBDA_FUNCTIONS, DUCKDB_OPERATORS } from './shapes.ts';

const CALL_FIELDS = words(
  `class type alias query_location function_name schema children filter order_bys distinct is_operator export_state catalog`,
);
const WINDOW_FIELDS = words(
  `class type alias query_location function_name schema catalog children partitions orders start end start_expr end_expr
   offset_expr default_expr ignore_nulls filter_expr exclude_clause distinct arg_orders`,
);
const WINDOW_EXPRESSIONS = words('children partitions start_expr end_expr offset_expr default_expr filter_expr');
const LAMBDA_FIELDS = words('class type alias query_location lhs expr syntax_type');

export function walkCall(walk: Walk, node: AstNode, place: Place): void {
  const { analysis } = walk;
  onlyFields(analysis, 'A function call', node, CALL_FIELDS);
  const name = asText(node['function_name']).toLowerCase();
  onlyBuiltin(analysis, node, name);
  if (node['export_state'] === true) analysis.construct('EXPORT_STATE');
  if (node['is_operator'] === true) {
    if (!DUCKDB_OPERATORS.has(name)) analysis.faults.add('operator', `The operator ${name} is not allowed.`);
  } else if (!DUCKDB_OPERATORS.has(name) || !/^[^a-z]+$/.test(name)) analysis.call(name);
  const args = asList(node['children']);
  const bounded = name === '^' || name === '**' ? 'power' : name;
  checkBoundedCall(bounded, args, args.map(stepOrConstant), analysis.faults);
  if (/aggr/.test(name)) callNamedAggregate(analysis, name, args);
  const counted = name === 'count' && node['distinct'] === true && args.length === 1 && pathOf(asNode(args[0]));
  for (const arg of args) {
    if (asNode(arg)['class'] === 'LAMBDA' && DUCKDB_LAMBDA_FUNCTIONS.has(name)) lambda(walk, asNode(arg), place);
    else walk.visit(arg, { ...place, position: counted ? 'counted' : 'used' });
  }
  walk.visit(node['filter'], place);
  visitOrders(walk, asNode(node['order_bys'])['orders'], place);
}

export function walkWindow(walk: Walk, node: AstNode, place: Place): void {
  const { analysis } = walk;
  onlyFields(analysis, 'A window function', node, WINDOW_FIELDS);
  analysis.windows = true;
  const name = asText(node['function_name']).toLowerCase();
  onlyBuiltin(analysis, node, name);
  analysis.call(name);
  for (const key of WINDOW_EXPRESSIONS) walk.visit(node[key], place);
  visitOrders(walk, node['orders'], place);
  visitOrders(walk, node['arg_orders'], place);
}

function visitOrders(walk: Walk, orders: unknown, place: Place): void {
  for (const order of asList(orders)) walk.visit(asNode(order)['expression'], place);
}

/** list_aggregate(x, 'name') calls what its text says. */
function callNamedAggregate(analysis: Analysis, name: string, args: unknown[]): void {
  const called = constantOf(args[1]);
  if (typeof called === 'string') analysis.call(called.toLowerCase());
  else analysis.faults.add('function', `${name} needs the name of an aggregate as a constant.`);
}

function lambda(walk: Walk, node: AstNode, place: Place): void {
  onlyFields(walk.analysis, 'A lambda', node, LAMBDA_FIELDS);
  const left = asNode(node['lhs']);
  const parameters = left['class'] === 'FUNCTION' ? asList(left['children']).map(asNode) : [left];
  const paths = parameters.map(pathOf);
  if (paths.some((path) => path?.length !== 1)) {
    walk.analysis.construct('This lambda');
    return;
  }
  const scope = new NameScope(place.scope);
  scope.locals = new Set(paths.map((path) => walk.analysis.fold(path![0]!)));
  walk.visit(node['expr'], { ...place, scope });
}

function onlyBuiltin({ faults }: Analysis, node: AstNode, name: string): void {
  const schema = asText(node['schema']);
  if (['', 'main', 'pg_catalog'].includes(schema.toLowerCase()) && asText(node['catalog']) === '') return;
  const message = `${schema}.${name}(…) is not allowed: write ${name}(${schema}, …) or a built-in.`;
  faults.add('function', message);
}
