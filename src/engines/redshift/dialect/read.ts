// Converts Redshift's SQL to svc's neutral tree. Redshift descends from PostgreSQL, so svc uses PostgreSQL's parser.
// svc refuses constructs that Redshift lacks or reads differently. It never runs the original text, only the SQL that
// it writes from the tree.
import type { FaultCollector } from '../../../dialects/fault-collector.ts';
import { listNodes, replaceNodes } from '../../../dialects/nodes.ts';
import type { Call, Expression, Literal, Node, Operation, Query, Window } from '../../../dialects/tree.ts';
import { refuseConstruct } from '../../postgres/dialect/native.ts';
import { readPostgres } from '../../postgres/dialect/read.ts';
import { REDSHIFT_FUNCTIONS, TIME_UNITS, UNIT_FUNCTIONS } from './functions.ts';

export async function readRedshift(sql: string, faults: FaultCollector): Promise<Query | null> {
  const parsedQuery = await readPostgres(sql, faults);
  if (!parsedQuery) return null;
  for (const node of listNodes(parsedQuery))
    if (node.kind === 'literal' && node.value.includes('\\')) faults.add('backslash', BACKSLASH_MESSAGE);
  const query = replaceNodes<Query>(parsedQuery, (node) => toRedshiftNode(node, faults));
  const pairedNodes = new Set<Node>(); // keys in parentheses within GROUPING SETS, such as (a, b)
  for (const node of listNodes(query)) {
    if (node.kind === 'grouping_set') for (const key of node.keys) pairedNodes.add(key);
    const missingName = pairedNodes.has(node) ? null : findUnsupportedConstruct(node);
    if (missingName) refuseConstruct(faults, `${missingName} in SQL for Redshift`);
  }
  return query;
}

const BACKSLASH_MESSAGE =
  'Servers differ in how they read a backslash in a string. Write chr(92) instead of the backslash.';

function toRedshiftNode(node: Node, faults: FaultCollector): Node | null {
  if (node.kind === 'operation')
    return joinBackslashText(node, (operand) => replaceNodes(operand, (child) => toRedshiftNode(child, faults)));
  if (node.kind !== 'call') return null;
  const call = normalizeCall(node);
  const toRedshiftTree = (arg: Expression): Expression => replaceNodes(arg, (child) => toRedshiftNode(child, faults));
  if (UNIT_FUNCTIONS.has(call.name)) {
    // Redshift reads the first argument of dateadd(month, …) as a unit, even if a column has that name.
    const [firstArgument, ...args] = call.args;
    const unit = readUnit(firstArgument);
    if (!unit) refuseConstruct(faults, `${call.name} without a unit such as month`);
    return { ...call, unit, args: args.map(toRedshiftTree) };
  }
  return call === node ? null : { ...call, args: call.args.map(toRedshiftTree) };
}

/** Converts a string that svc has written as `'a' || chr(92) || 'b'` to one string with a backslash. */
function joinBackslashText(node: Operation, convert: (operand: Expression) => Expression): Node | null {
  if (node.operator !== '||' || !node.left || !node.right) return null;
  const [left, right] = [convert(node.left), convert(node.right)];
  const appendedText =
    isText(left) && isBackslash(right)
      ? '\\'
      : isText(left) && isText(right) && left.value.includes('\\')
        ? right.value
        : null;
  return appendedText === null
    ? { ...node, left, right }
    : { ...(left as Literal), value: (left as Literal).value + appendedText };
}
const isText = (expression: Expression): expression is Literal =>
  expression.kind === 'literal' && expression.type === 'string';
const isBackslash = (expression: Expression): boolean =>
  expression.kind === 'call' &&
  expression.name === 'chr' &&
  expression.args.length === 1 &&
  expression.args[0]!.kind === 'literal' &&
  expression.args[0]!.value === '92';

/** Replaces the parser's names for calls such as EXTRACT with Redshift's names. */
function normalizeCall(call: Call): Call {
  if (call.schema !== 'pg_catalog') return call;
  const name = { extract: 'date_part', position: 'strpos' }[call.name] ?? call.name;
  return { ...call, schema: null, name };
}

function readUnit(value: Expression | undefined): string | null {
  const word =
    value?.kind === 'column' && value.path.length === 1
      ? value.path[0]!
      : value?.kind === 'literal' && value.type === 'string'
        ? value.value
        : '';
  const unit = word.toLowerCase();
  return TIME_UNITS.has(unit) ? unit : TIME_UNITS.has(unit.replace(/s$/, '')) ? unit.replace(/s$/, '') : null;
}

function findUnsupportedConstruct(node: Node): string | null {
  switch (node.kind) {
    case 'values':
      return 'VALUES';
    case 'select':
      if (node.distinct && node.distinct.on.length > 0) return 'DISTINCT ON';
      if (node.windows.length > 0) return 'WINDOW';
      if (node.with?.entries.some(({ materialized }) => materialized !== null)) return 'MATERIALIZED';
      return node.groupBy?.distinct ? 'GROUP BY DISTINCT' : null;
    case 'set':
      if (node.with?.entries.some(({ materialized }) => materialized !== null)) return 'MATERIALIZED';
      return node.all && node.operator !== 'union' ? `${node.operator.toUpperCase()} ALL` : null;
    case 'derived':
      return node.lateral ? 'LATERAL' : null;
    case 'table_call':
      return 'A function in FROM';
    case 'join':
      return node.alias !== null || node.usingAlias !== null ? 'The alias of a join' : null;
    case 'call':
      return findUnsupportedCall(node);
    case 'compare':
      return node.operator.startsWith('is ') ? 'IS DISTINCT FROM' : null;
    case 'between':
      return node.symmetric ? 'SYMMETRIC' : null;
    case 'quantified':
      return 'kind' in node.among && ['select', 'set'].includes(node.among.kind) ? null : 'ANY or ALL of an array';
    case 'literal':
      return node.type === 'bits' ? 'A bit string' : null;
    case 'cast':
      if (node.type.dimensions.length > 0) return 'An array';
      return /^time/.test(node.type.name) && node.type.modifiers.length > 0 ? 'A time type with a precision' : null;
    case 'named_argument':
    case 'list':
    case 'array_query':
    case 'subscript':
    case 'row':
    case 'json':
    case 'collate':
    case 'interval':
    case 'lambda':
      return UNSUPPORTED_CONSTRUCTS[node.kind];
    default:
      return null;
  }
}
const UNSUPPORTED_CONSTRUCTS = {
  named_argument: 'A named argument',
  list: 'An array',
  array_query: 'An array',
  subscript: 'A subscript',
  row: 'A row of values',
  json: 'SQL/JSON',
  collate: 'COLLATE',
  interval: 'An interval',
  lambda: 'A lambda',
} as const;

function findUnsupportedCall(call: Call): string | null {
  if (call.filter) return 'FILTER';
  if (call.variadic) return 'VARIADIC';
  if (call.orderBy.length > 0 && !call.within) return 'ORDER BY within a function';
  return call.over ? findUnsupportedWindow(call.name, call.over) : null;
}

function findUnsupportedWindow(name: string, { named, base, orderBy, frame }: Window): string | null {
  if (named || base !== null) return 'A named window';
  if (frame && (frame.unit !== 'rows' || frame.exclude !== null)) return 'A window frame other than ROWS';
  const isAggregate = REDSHIFT_FUNCTIONS.kind(name) === 'aggregate' || /_value$/.test(name);
  return isAggregate && orderBy.length > 0 && !frame ? `${name} with OVER (ORDER BY …) but without a ROWS frame` : null;
}
