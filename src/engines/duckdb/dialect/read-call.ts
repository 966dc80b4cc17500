// Converts calls in DuckDB's trees, where operators and functions are nodes of one class, and window functions of
// another.

import { type AstNode, isAstNode, toAstNode, toList, toTextOrEmpty } from '../../../dialects/ast.ts';
import { callOf, nodeOf, nullLiteral } from '../../../dialects/make-nodes.ts';
import type { Arithmetic, Expression, Frame, FrameBound, Like, SortKey } from '../../../dialects/tree.ts';
import { type ReadContext, refuseConstruct, refuseOtherFields, toTextOrNull, toWordSet } from './native.ts';
import { readInterval } from './read-interval.ts';
import { DUCKDB_LAMBDA_FUNCTIONS, DUCKDB_NON_FUNCTIONS } from './syntax.ts';

const CALL_FIELDS = toWordSet(
  'class type alias query_location function_name schema children filter order_bys distinct is_operator export_state catalog',
);
const WINDOW_FIELDS = toWordSet(
  `class type alias query_location function_name schema catalog children partitions orders start end start_expr end_expr
   offset_expr default_expr ignore_nulls filter_expr exclude_clause distinct arg_orders`,
);
const LAMBDA_FIELDS = toWordSet('class type alias query_location lhs expr syntax_type');
const ORDER_BY_FIELDS = toWordSet('type orders');
const SORT_KEY_FIELDS = toWordSet('type null_order expression');

const ARITHMETIC_OPERATORS = toWordSet('+ - * / // % ^');
const LIKE_OPERATORS = new Map<string, Pick<Like, 'how' | 'negated'>>([
  ['~~', { how: 'like', negated: false }],
  ['!~~', { how: 'like', negated: true }],
  ['~~*', { how: 'ilike', negated: false }],
  ['!~~*', { how: 'ilike', negated: true }],
  ['~~~', { how: 'glob', negated: false }],
]);
const LIKE_ESCAPE_FUNCTIONS = new Map<string, Pick<Like, 'how' | 'negated'>>([
  ['like_escape', { how: 'like', negated: false }],
  ['not_like_escape', { how: 'like', negated: true }],
  ['ilike_escape', { how: 'ilike', negated: false }],
  ['not_ilike_escape', { how: 'ilike', negated: true }],
]);

const DIRECTIONS = new Map<unknown, SortKey['direction']>([
  ['ORDER_DEFAULT', null],
  ['ASCENDING', 'asc'],
  ['DESCENDING', 'desc'],
]);
const NULL_ORDERS = new Map<unknown, SortKey['nulls']>([
  ['ORDER_DEFAULT', null],
  ['NULLS FIRST', 'first'],
  ['NULLS LAST', 'last'],
]);

export function readSortKeys(reading: ReadContext, orders: unknown): SortKey[] {
  return toList(orders).map((value) => {
    const orderNode = toAstNode(value);
    refuseOtherFields(reading, 'ORDER BY', orderNode, SORT_KEY_FIELDS);
    const direction = DIRECTIONS.get(orderNode['type']);
    const nulls = NULL_ORDERS.get(orderNode['null_order']);
    if (direction === undefined || nulls === undefined) refuseConstruct(reading, 'This order');
    return {
      value: reading.readExpression(orderNode['expression']),
      direction: direction ?? null,
      nulls: nulls ?? null,
    };
  });
}

export function readCall(reading: ReadContext, node: AstNode): Expression {
  refuseOtherFields(reading, 'A function call', node, CALL_FIELDS);
  const name = toTextOrEmpty(node['function_name']).toLowerCase();
  const schema = readSchema(reading, node, name);
  if (node['export_state'] === true) refuseConstruct(reading, 'EXPORT_STATE');
  const orders = toAstNode(node['order_bys']);
  refuseOtherFields(reading, 'ORDER BY', orders, ORDER_BY_FIELDS);
  const orderBy = readSortKeys(reading, orders['orders']);
  const filter = isAstNode(node['filter']) ? reading.readExpression(node['filter']) : null;
  const args = toList(node['children']).map((arg, index) => readArgument(reading, name, toAstNode(arg), index));
  const distinct = node['distinct'] === true;
  const isPlain = !distinct && filter === null && orderBy.length === 0;
  if (node['is_operator'] === true) {
    if (!isPlain || args.length < 1 || args.length > 2 || schema !== null)
      refuseConstruct(reading, `This use of the operator ${name}`);
    if (name.endsWith('__postfix')) reading.faults.add('operator', `The operator ${name} is not allowed.`);
    return toOperation(name, args);
  }
  const specialForm = isPlain ? (readSyntaxCall(schema, name, args) ?? readInterval(reading, node)) : null;
  if (specialForm) return specialForm;
  if (DUCKDB_NON_FUNCTIONS.has(name)) reading.faults.add('function', `The function ${name} is not allowed.`);
  const call = callOf(name, args, {
    schema,
    distinct,
    orderBy,
    filter,
    within: isWithinGroup(args, orderBy),
  });
  const isCountStar = name === 'count_star' && args.length === 0 && schema === null;
  return isCountStar ? { ...call, name: 'count', star: true } : call;
}

/** An aggregate with an order but no arguments must come from WITHIN GROUP. */
const isWithinGroup = (args: Expression[], orderBy: SortKey[]): boolean => args.length === 0 && orderBy.length > 0;

function toOperation(name: string, args: Expression[]): Expression {
  const right = args.at(-1) ?? nullLiteral();
  const left = args.length === 2 ? args[0]! : null;
  if (ARITHMETIC_OPERATORS.has(name))
    return nodeOf('arithmetic', { operator: name as Arithmetic['operator'], left, right });
  const like = left && LIKE_OPERATORS.get(name);
  if (like) return nodeOf('like', { ...like, value: left, pattern: right, escape: null });
  return nodeOf('operation', { operator: name, left, right });
}

/**
 * Converts `[…]`, `(a, b)` and LIKE … ESCAPE, which the parser returns as calls. Only their schema `main` identifies
 * them.
 */
function readSyntaxCall(schema: string | null, name: string, args: Expression[]): Expression | null {
  if (schema !== 'main' || args.some(({ kind }) => kind === 'named_argument')) return null;
  if (name === 'list_value') return nodeOf('list', { items: args });
  if (name === 'row') return nodeOf('row', { items: args, keyword: true });
  const like = args.length === 3 ? LIKE_ESCAPE_FUNCTIONS.get(name) : undefined;
  if (!like) return null;
  const [value, pattern, sign] = args as [Expression, Expression, Expression];
  return nodeOf('like', { ...like, value, pattern, escape: sign });
}

function readArgument(reading: ReadContext, functionName: string, node: AstNode, index: number): Expression {
  const name = toTextOrEmpty(node['alias']);
  if (name !== '') {
    const value = reading.readExpression({ ...node, alias: '' });
    return nodeOf('named_argument', { name, value });
  }
  if (node['class'] === 'LAMBDA' && index === 1 && DUCKDB_LAMBDA_FUNCTIONS.has(functionName))
    return readLambda(reading, node);
  return reading.readExpression(node);
}

function readLambda(reading: ReadContext, node: AstNode): Expression {
  refuseOtherFields(reading, 'A lambda', node, LAMBDA_FIELDS);
  const left = toAstNode(node['lhs']);
  const parameterNodes =
    left['class'] === 'FUNCTION' && left['function_name'] === 'row' ? toList(left['children']) : [left];
  const paths = parameterNodes.map((item) => {
    const { class: kind, column_names, alias } = toAstNode(item);
    return kind === 'COLUMN_REF' && alias === '' ? toList(column_names).map(toTextOrEmpty) : [];
  });
  if (paths.length === 0 || paths.some(({ length }) => length !== 1)) {
    refuseConstruct(reading, 'This lambda');
    return nullLiteral();
  }
  const parameters = paths.map(([name]) => name!);
  return nodeOf('lambda', { parameters, body: reading.readExpression(node['expr']) });
}

/** The `->` operator reads a value from JSON, except in list functions, where it marks a lambda. */
export function readArrow(reading: ReadContext, node: AstNode): Expression {
  refuseOtherFields(reading, '->', node, LAMBDA_FIELDS);
  const left = reading.readExpression(node['lhs']);
  return nodeOf('operation', { operator: '->', left, right: reading.readExpression(node['expr']) });
}

export function readWindow(reading: ReadContext, node: AstNode): Expression {
  refuseOtherFields(reading, 'A window function', node, WINDOW_FIELDS);
  const name = toTextOrEmpty(node['function_name']).toLowerCase();
  const schema = readSchema(reading, node, name);
  const readOptional = (key: string) => (isAstNode(node[key]) ? reading.readExpression(node[key]) : null);
  const args = toList(node['children']).map((arg) => reading.readExpression(arg));
  for (const key of ['offset_expr', 'default_expr']) {
    const arg = readOptional(key);
    if (arg) args.push(arg);
  }
  if (DUCKDB_NON_FUNCTIONS.has(name)) reading.faults.add('function', `The function ${name} is not allowed.`);
  return callOf(name, args, {
    schema,
    star: name === 'count' && args.length === 0 && schema === null,
    distinct: node['distinct'] === true,
    orderBy: readSortKeys(reading, node['arg_orders']),
    filter: readOptional('filter_expr'),
    over: {
      base: null,
      named: false,
      partitionBy: toList(node['partitions']).map((key) => reading.readExpression(key)),
      orderBy: readSortKeys(reading, node['orders']),
      frame: readFrame(reading, node),
    },
    nulls: node['ignore_nulls'] === true ? 'ignore' : null,
  });
}

const FRAME_EXCLUSIONS = new Map<unknown, Frame['exclude']>([
  ['NO_OTHER', null],
  ['CURRENT_ROW', 'current row'],
  ['GROUP', 'group'],
  ['TIES', 'ties'],
]);

/** Omits a frame that equals the default. A frame without bounds has no unit. */
function readFrame(reading: ReadContext, node: AstNode): Frame | null {
  const exclude = FRAME_EXCLUSIONS.get(node['exclude_clause']);
  if (node['start'] === 'UNBOUNDED_PRECEDING' && node['end'] === 'CURRENT_ROW_RANGE' && exclude === null) return null;
  const [start, end] = [readBound(reading, node, 'start'), readBound(reading, node, 'end')];
  const unit = start.unit ?? end.unit ?? 'rows';
  if (exclude === undefined || (end.unit ?? unit) !== unit) refuseConstruct(reading, 'This window frame');
  return { unit, start: start.bound, end: end.bound, exclude: exclude ?? null };
}

function readBound(
  reading: ReadContext,
  node: AstNode,
  side: 'start' | 'end',
): { bound: FrameBound; unit: Frame['unit'] | null } {
  const by = isAstNode(node[`${side}_expr`]) ? reading.readExpression(node[`${side}_expr`]) : null;
  const [, how, unit] =
    /^(?:EXPR_)?(UNBOUNDED_PRECEDING|UNBOUNDED_FOLLOWING|CURRENT_ROW|PRECEDING|FOLLOWING)(?:_(ROWS|RANGE|GROUPS))?$/.exec(
      toTextOrEmpty(node[side]),
    ) ?? [];
  if (how === undefined) refuseConstruct(reading, 'This window frame');
  const boundKind = (how ?? 'CURRENT_ROW').toLowerCase().replace('_', ' ') as FrameBound['how'];
  if ((by === null) === /^(?:preceding|following)$/.test(boundKind)) refuseConstruct(reading, 'This window frame');
  return { bound: { how: boundKind, by }, unit: (unit?.toLowerCase() as Frame['unit'] | undefined) ?? null };
}

function readSchema({ faults }: ReadContext, node: AstNode, name: string): string | null {
  const schema = toTextOrEmpty(node['schema']).toLowerCase();
  if (toTextOrEmpty(node['catalog']) !== '') {
    const message = `${schema}.${name}(…) is not allowed. Write ${name}(${schema}, …), or call a built-in function.`;
    faults.add('function', message);
  }
  return toTextOrNull(schema);
}
