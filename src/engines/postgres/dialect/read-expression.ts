// Converts expressions in PostgreSQL's syntax tree to svc's neutral tree. svc refuses node kinds that have no rule in
// this module.
import { type AstNode, toAstNode, toList, toTextOrEmpty } from '../../../dialects/ast.ts';
import type { FaultCollector } from '../../../dialects/fault-collector.ts';
import {
  callOf,
  columnOf,
  compare,
  exists,
  inList,
  isNull,
  literalOf,
  nodeOf,
  nullLiteral,
  numberOf,
  scalarOf,
  starOf,
} from '../../../dialects/make-nodes.ts';
import type {
  Comparison,
  Expression,
  Frame,
  FrameBound,
  JsonCall,
  Literal,
  Query,
  SortKey,
  Window,
} from '../../../dialects/tree.ts';
import { POSTGRES_FUNCTIONS } from './functions.ts';
import { readPosition, readStrings, readType, refuseConstruct, refuseOtherFields, unwrapNode } from './native.ts';

export interface ReadContext {
  faults: FaultCollector;
  depth: number;
  readQuery(data: AstNode): Query;
}
type ReadingRule = (reading: ReadContext, data: AstNode) => Expression;

const MAX_DEPTH = 400;

export function readExpression(reading: ReadContext, value: unknown): Expression {
  const { kind, data } = unwrapNode(value);
  const rule = Object.hasOwn(READING_RULES, kind) ? READING_RULES[kind] : undefined;
  if (!rule) {
    refuseConstruct(reading.faults, kind || 'This construct');
    return nullLiteral();
  }
  if (reading.depth >= MAX_DEPTH) {
    reading.faults.add('too_deep', 'The statement is nested too deeply.');
    return nullLiteral();
  }
  reading.depth++;
  const expression = rule(reading, data);
  expression.at ??= readPosition(data);
  reading.depth--;
  return expression;
}

export const readList = (reading: ReadContext, values: unknown): Expression[] =>
  toList(values).map((value) => readExpression(reading, value));
export const readOptional = (reading: ReadContext, value: unknown): Expression | null =>
  value === undefined || value === null ? null : readExpression(reading, value);

const READING_RULES: Readonly<Record<string, ReadingRule>> = {
  ColumnRef: (reading, data) => {
    refuseOtherFields(reading.faults, 'A column', data, 'fields location');
    const fields = toList(data['fields']);
    if (unwrapNode(fields.at(-1)).kind !== 'A_Star') return columnOf(...readStrings(fields));
    return starOf(readStrings(fields.slice(0, -1)));
  },
  A_Const: readConstant,
  ParamRef: (_, data) => nodeOf('parameter', { index: Number(data['number'] ?? 0) }),
  FuncCall: readCall,
  A_Expr: readOperation,
  BoolExpr: (reading, data) => {
    const operator = ({ AND_EXPR: 'and', OR_EXPR: 'or', NOT_EXPR: 'not' } as const)[toTextOrEmpty(data['boolop'])];
    if (!operator) return refuseNode(reading, 'This condition');
    const args = readList(reading, data['args']);
    const [firstArgument] = args;
    const negatable =
      operator === 'not' && firstArgument?.kind === 'in' && !firstArgument.negated && 'kind' in firstArgument.among;
    // The parser returns the same tree for NOT x IN (SELECT …) and for x NOT IN (SELECT …).
    return negatable ? { ...firstArgument, negated: true } : nodeOf('logic', { operator, args });
  },
  NullTest: (reading, data) => {
    refuseOtherFields(reading.faults, 'IS NULL', data, 'arg nulltesttype location');
    return isNull(readExpression(reading, data['arg']), data['nulltesttype'] === 'IS_NOT_NULL');
  },
  BooleanTest: (reading, data) => {
    refuseOtherFields(reading.faults, 'IS TRUE', data, 'arg booltesttype location');
    const [, not, is] = /^IS_(NOT_)?(TRUE|FALSE|UNKNOWN)$/.exec(toTextOrEmpty(data['booltesttype'])) ?? [];
    const truth = (is ?? 'TRUE').toLowerCase() as 'true' | 'false' | 'unknown';
    return nodeOf('is_truth', {
      value: readExpression(reading, data['arg']),
      is: truth,
      negated: not !== undefined,
    });
  },
  CaseExpr: (reading, data) => {
    refuseOtherFields(reading.faults, 'CASE', data, 'arg args defresult location');
    const whens = toList(data['args']).map((item) => {
      const { data: when } = unwrapNode(item);
      return { when: readExpression(reading, when['expr']), result: readExpression(reading, when['result']) };
    });
    const operand = readOptional(reading, data['arg']);
    return nodeOf('case', { operand, whens, otherwise: readOptional(reading, data['defresult']) });
  },
  CoalesceExpr: (reading, data) => callOf('coalesce', readList(reading, data['args'])),
  MinMaxExpr: (reading, data) =>
    callOf(data['op'] === 'IS_LEAST' ? 'least' : 'greatest', readList(reading, data['args'])),
  GroupingFunc: (reading, data) => callOf('grouping', readList(reading, data['args'])),
  SQLValueFunction: (_, data) => {
    const name = toTextOrEmpty(data['op']).replace('SVFOP_', '').replace(/_N$/, '').toLowerCase();
    const digits = Number(data['typmod'] ?? -1);
    return callOf(name, digits < 0 ? [] : [numberOf(digits)], { bare: true });
  },
  TypeCast: (reading, data) => {
    refuseOtherFields(reading.faults, 'A cast', data, 'arg typeName location');
    const value = readExpression(reading, data['arg']);
    return nodeOf('cast', { value, type: readType(reading.faults, toAstNode(data['typeName'])), safe: false });
  },
  A_ArrayExpr: (reading, data) => {
    refuseOtherFields(reading.faults, 'An array', data, 'elements list_start list_end location');
    return nodeOf('list', { items: readList(reading, data['elements']) });
  },
  RowExpr: (reading, data) => {
    refuseOtherFields(reading.faults, 'A row', data, 'args row_format location');
    const keyword = data['row_format'] === 'COERCE_EXPLICIT_CALL';
    return nodeOf('row', { items: readList(reading, data['args']), keyword });
  },
  A_Indirection: readSubscript,
  NamedArgExpr: (reading, data) => {
    refuseOtherFields(reading.faults, 'A named argument', data, 'arg name argnumber location');
    return nodeOf('named_argument', { name: toTextOrEmpty(data['name']), value: readExpression(reading, data['arg']) });
  },
  CollateClause: (reading, data) => {
    const collation = readStrings(data['collname']);
    if (collation.length > 1 && collation[0] !== 'pg_catalog')
      refuseConstruct(reading.faults, 'A collation with a schema');
    return nodeOf('collate', { value: readExpression(reading, data['arg']), collation: collation.at(-1) ?? '' });
  },
  SubLink: readSubquery,
  JsonObjectConstructor: (reading, data) => {
    const pairs = toList(data['exprs']).map((item) => readJsonEntry(reading, unwrapNode(item).data));
    return readJson(reading, 'object', data, pairs);
  },
  JsonArrayConstructor: (reading, data) => {
    const values = toList(data['exprs']).map((item) => ({
      key: null,
      value: readJsonValue(reading, unwrapNode(item).data),
    }));
    return readJson(reading, 'array', data, values);
  },
  JsonObjectAgg: (reading, data) => {
    const pair = readJsonEntry(reading, toAstNode(data['arg']));
    return readJsonAggregate(reading, 'object_agg', data, pair);
  },
  JsonArrayAgg: (reading, data) => {
    const value = readJsonValue(reading, toAstNode(data['arg']));
    return readJsonAggregate(reading, 'array_agg', data, { key: null, value });
  },
  JsonIsPredicate: (reading, data) => {
    refuseOtherFields(reading.faults, 'IS JSON', data, 'expr format item_type unique_keys location');
    const item = (
      { JS_TYPE_ANY: 'any', JS_TYPE_OBJECT: 'object', JS_TYPE_ARRAY: 'array', JS_TYPE_SCALAR: 'scalar' } as const
    )[toTextOrEmpty(data['item_type'])];
    if (!item) return refuseNode(reading, 'IS JSON');
    const entries = [{ key: null, value: readExpression(reading, data['expr']) }];
    return { ...JSON_NODE_PATTERN, what: 'is_json', entries, uniqueKeys: data['unique_keys'] === true, item };
  },
};

function refuseNode({ faults }: ReadContext, construct: string): Literal {
  refuseConstruct(faults, construct);
  return nullLiteral();
}

function readConstant(reading: ReadContext, data: AstNode): Expression {
  refuseOtherFields(reading.faults, 'A constant', data, 'ival fval boolval sval bsval isnull location');
  if (data['isnull'] === true) return nullLiteral();
  if (data['ival'] !== undefined) return literalOf('number', String(Number(toAstNode(data['ival'])['ival'] ?? 0)));
  if (data['fval'] !== undefined) return literalOf('number', toTextOrEmpty(toAstNode(data['fval'])['fval']));
  if (data['boolval'] !== undefined)
    return literalOf('boolean', String(toAstNode(data['boolval'])['boolval'] === true));
  if (data['sval'] !== undefined) return literalOf('string', toTextOrEmpty(toAstNode(data['sval'])['sval']));
  if (data['bsval'] !== undefined) return literalOf('bits', toTextOrEmpty(toAstNode(data['bsval'])['bsval']));
  return refuseNode(reading, 'This constant');
}

const CALL_FIELDS =
  'funcname args agg_order agg_filter over agg_within_group agg_star agg_distinct func_variadic funcformat location';

function readCall(reading: ReadContext, data: AstNode): Expression {
  const { faults } = reading;
  refuseOtherFields(faults, 'A function call', data, CALL_FIELDS);
  const path = readStrings(data['funcname']);
  const name = path.at(-1) ?? '';
  const functionName = path.join('.');
  // Functions that belong to the grammar have their own node kinds. A call node with such a name comes from a quoted
  // name, which refers to a user-defined function.
  if (path.length > 2) faults.add('function', `The function ${functionName} is not allowed. Use a built-in function.`);
  else if (['grammar', 'bare'].includes(POSTGRES_FUNCTIONS.kind(name) ?? ''))
    faults.add('function', `The function ${functionName} is not allowed.`);
  return callOf(name, readList(reading, data['args']), {
    schema: path.length > 1 ? path[0]! : null,
    star: data['agg_star'] === true,
    distinct: data['agg_distinct'] === true,
    orderBy: readOrder(reading, data['agg_order']),
    within: data['agg_within_group'] === true,
    filter: readOptional(reading, data['agg_filter']),
    over: data['over'] === undefined ? null : readWindow(reading, toAstNode(data['over']), true),
    variadic: data['func_variadic'] === true,
  });
}

export function readOrder(reading: ReadContext, keys: unknown): SortKey[] {
  return toList(keys).map((key) => {
    const { kind, data } = unwrapNode(key);
    if (kind !== 'SortBy' || data['useOp'] !== undefined) refuseConstruct(reading.faults, 'ORDER BY … USING');
    const value = readExpression(reading, data['node']);
    const direction = ({ SORTBY_ASC: 'asc', SORTBY_DESC: 'desc' } as const)[toTextOrEmpty(data['sortby_dir'])] ?? null;
    const [, nulls] = /^SORTBY_NULLS_(FIRST|LAST)$/.exec(toTextOrEmpty(data['sortby_nulls'])) ?? [];
    return { value, direction, nulls: (nulls?.toLowerCase() ?? null) as SortKey['nulls'] };
  });
}

const WINDOW_FIELDS = 'name refname partitionClause orderClause frameOptions startOffset endOffset location';

/** If `isOverClause` is true, a name without parentheses refers to a named window. */
export function readWindow(reading: ReadContext, data: AstNode, isOverClause: boolean): Window {
  refuseOtherFields(reading.faults, 'A window', data, WINDOW_FIELDS);
  const isNamed = isOverClause && data['name'] !== undefined;
  const base = isNamed ? data['name'] : data['refname'];
  return {
    base: base === undefined ? null : toTextOrEmpty(base),
    named: isNamed,
    partitionBy: readList(reading, data['partitionClause']),
    orderBy: readOrder(reading, data['orderClause']),
    frame: readFrame(reading, data),
  };
}

/** The bits of frame options, as defined in nodes/parsenodes.h. */
const FRAME_UNITS = [
  [0x2, 'range'],
  [0x4, 'rows'],
  [0x8, 'groups'],
] as const;
const FRAME_STARTS = [
  [0x20, 'unbounded preceding'],
  [0x80, 'unbounded following'],
  [0x200, 'current row'],
  [0x800, 'preceding'],
  [0x2000, 'following'],
] as const;
const FRAME_EXCLUSIONS = [
  [0x8000, 'current row'],
  [0x10000, 'group'],
  [0x20000, 'ties'],
] as const;

function readFrame(reading: ReadContext, data: AstNode): Frame | null {
  const bits = Number(data['frameOptions'] ?? 0);
  if ((bits & 0x1) === 0) return null;
  const findSetFlag = <T>(choices: readonly (readonly [number, T])[], shift: number): T | undefined =>
    choices.find(([bitValue]) => (bits & (bitValue << shift)) !== 0)?.[1];
  const boundOf = (shift: number, offset: unknown): FrameBound => ({
    how: findSetFlag(FRAME_STARTS, shift) ?? 'current row',
    by: readOptional(reading, offset),
  });
  return {
    unit: findSetFlag(FRAME_UNITS, 0) ?? 'range',
    start: boundOf(0, data['startOffset']),
    end: (bits & 0x10) === 0 ? null : boundOf(1, data['endOffset']),
    exclude: findSetFlag(FRAME_EXCLUSIONS, 0) ?? null,
  };
}

const COMPARISON_OPERATORS: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>=']);
const ARITHMETIC_OPERATORS: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '^']);

function readOperation(reading: ReadContext, data: AstNode): Expression {
  const { faults } = reading;
  refuseOtherFields(faults, 'An operator', data, 'kind name lexpr rexpr location rexpr_list_start rexpr_list_end');
  const path = readStrings(data['name']);
  const name = path.at(-1) ?? '';
  if (path.length > 1) faults.add('operator', `The operator ${path.join('.')} is not allowed.`);
  const left = readOptional(reading, data['lexpr']);
  const readRight = (): Expression => readExpression(reading, data['rexpr']);
  const readPairItems = (): Expression[] => readList(reading, unwrapNode(data['rexpr']).data['items']);
  const kind = toTextOrEmpty(data['kind']);
  if (kind !== 'AEXPR_OP' && left === null) return refuseNode(reading, 'This operator');
  const value = left!;
  switch (kind) {
    case 'AEXPR_OP':
      if (left && COMPARISON_OPERATORS.has(name)) {
        return compare(left, name as Comparison['operator'], readRight());
      }
      if (ARITHMETIC_OPERATORS.has(name)) {
        return nodeOf('arithmetic', { operator: name as '+', left, right: readRight() });
      }
      return nodeOf('operation', { operator: name, left, right: readRight() });
    case 'AEXPR_OP_ANY':
    case 'AEXPR_OP_ALL': {
      const how = kind === 'AEXPR_OP_ANY' ? 'any' : 'all';
      return nodeOf('quantified', { operator: name, how, left: value, among: readRight() });
    }
    case 'AEXPR_DISTINCT':
      return compare(value, 'is distinct from', readRight());
    case 'AEXPR_NOT_DISTINCT':
      return compare(value, 'is not distinct from', readRight());
    case 'AEXPR_NULLIF':
      return callOf('nullif', [value, readRight()]);
    case 'AEXPR_IN':
      return inList(value, readPairItems(), name === '<>');
    case 'AEXPR_LIKE':
    case 'AEXPR_ILIKE':
    case 'AEXPR_SIMILAR': {
      const how = ({ AEXPR_LIKE: 'like', AEXPR_ILIKE: 'ilike', AEXPR_SIMILAR: 'similar' } as const)[kind];
      return nodeOf('like', { how, value, ...readPatternAndEscape(readRight(), how), negated: name.startsWith('!') });
    }
    case 'AEXPR_BETWEEN':
    case 'AEXPR_NOT_BETWEEN':
    case 'AEXPR_BETWEEN_SYM':
    case 'AEXPR_NOT_BETWEEN_SYM': {
      const [low = nullLiteral(), high = nullLiteral()] = readPairItems();
      const symmetric = kind.endsWith('_SYM');
      return nodeOf('between', { value, low, high, negated: kind.includes('NOT'), symmetric });
    }
    default:
      return refuseNode(reading, 'This operator');
  }
}

/**
 * Returns the pattern and the escape character. The parser returns a pattern with ESCAPE, and any pattern of SIMILAR
 * TO, as a function call.
 */
function readPatternAndEscape(
  right: Expression,
  how: 'like' | 'ilike' | 'similar',
): { pattern: Expression; escape: Expression | null } {
  const escapeFunction = how === 'similar' ? 'similar_to_escape' : 'like_escape';
  if (right.kind !== 'call' || right.name !== escapeFunction || right.schema !== 'pg_catalog')
    return { pattern: right, escape: null };
  return { pattern: right.args[0] ?? nullLiteral(), escape: right.args[1] ?? null };
}

/**
 * Converts subscripts. svc refuses fields of values, because `(x).name` calls the function `name` if x has no such
 * field.
 */
function readSubscript(reading: ReadContext, data: AstNode): Expression {
  const { faults } = reading;
  refuseOtherFields(faults, 'A subscript', data, 'arg indirection');
  if (unwrapNode(data['arg']).kind === 'A_Indirection')
    refuseConstruct(faults, 'A subscript after a subscript in parentheses');
  let value = readExpression(reading, data['arg']);
  for (const step of toList(data['indirection'])) {
    const { kind, data: bounds } = unwrapNode(step);
    if (kind !== 'A_Indices') {
      faults.add('field_access', 'A field of an expression, as in (x).y, is not allowed. Name a column instead.');
      continue;
    }
    refuseOtherFields(faults, 'A subscript', bounds, 'is_slice lidx uidx');
    const upper = readOptional(reading, bounds['uidx']);
    const slice =
      bounds['is_slice'] === true ? { from: readOptional(reading, bounds['lidx']), to: upper, step: null } : null;
    value = nodeOf('subscript', { value, index: slice ? null : upper, slice });
  }
  return value;
}

function readSubquery(reading: ReadContext, data: AstNode): Expression {
  const { faults } = reading;
  refuseOtherFields(faults, 'A subquery', data, 'subLinkType subLinkId testexpr operName subselect location');
  const { kind, data: select } = unwrapNode(data['subselect']);
  if (kind !== 'SelectStmt') return refuseNode(reading, kind || 'This subquery');
  const left = readOptional(reading, data['testexpr']);
  const query = reading.readQuery(select);
  const operator = readStrings(data['operName']);
  if (operator.length > 1) faults.add('operator', `The operator ${operator.join('.')} is not allowed.`);
  switch (data['subLinkType']) {
    case 'EXISTS_SUBLINK':
      return exists(query);
    case 'EXPR_SUBLINK':
      return scalarOf(query);
    case 'ARRAY_SUBLINK':
      return nodeOf('array_query', { query });
    case 'ANY_SUBLINK':
    case 'ALL_SUBLINK': {
      const how = data['subLinkType'] === 'ALL_SUBLINK' ? 'all' : 'any';
      if (!left) return refuseNode(reading, 'This subquery');
      // The parser returns IN (SELECT …) without an operator.
      if (operator.length === 0) return inList(left, query);
      return nodeOf('quantified', { operator: operator.at(-1)!, how, left, among: query });
    }
    default:
      return refuseNode(reading, 'This subquery');
  }
}

const JSON_NODE_PATTERN: Omit<JsonCall, 'what' | 'entries'> = {
  kind: 'json',
  nulls: null,
  uniqueKeys: false,
  returning: null,
  item: null,
  negated: false,
  orderBy: [],
  filter: null,
  over: null,
  at: null,
};

function readJson(
  reading: ReadContext,
  jsonKind: JsonCall['what'],
  data: AstNode,
  entries: JsonCall['entries'],
): JsonCall {
  refuseOtherFields(reading.faults, 'JSON', data, 'exprs output absent_on_null unique location');
  const nulls = data['absent_on_null'] === true ? 'absent' : 'null';
  const returning = readReturning(reading, data['output']);
  return { ...JSON_NODE_PATTERN, what: jsonKind, entries, nulls, uniqueKeys: data['unique'] === true, returning };
}

function readJsonAggregate(
  reading: ReadContext,
  jsonKind: JsonCall['what'],
  data: AstNode,
  entry: JsonCall['entries'][number],
): JsonCall {
  const { constructor: aggregateNode, arg: _read, ...own } = data;
  const { agg_filter, agg_order, over, ...rest } = toAstNode(aggregateNode);
  const call = readJson(reading, jsonKind, { ...own, ...rest }, [entry]);
  return {
    ...call,
    at: readPosition(rest),
    orderBy: readOrder(reading, agg_order),
    filter: readOptional(reading, agg_filter),
    over: over === undefined ? null : readWindow(reading, toAstNode(over), true),
  };
}

function readReturning(reading: ReadContext, output: unknown): JsonCall['returning'] {
  if (output === undefined) return null;
  const { typeName, returning } = toAstNode(output);
  refuseOtherFormats(reading, toAstNode(returning)['format']);
  return typeName === undefined ? null : readType(reading.faults, toAstNode(typeName));
}

function readJsonEntry(reading: ReadContext, data: AstNode): JsonCall['entries'][number] {
  refuseOtherFields(reading.faults, 'JSON', data, 'key value');
  return { key: readExpression(reading, data['key']), value: readJsonValue(reading, toAstNode(data['value'])) };
}

function readJsonValue(reading: ReadContext, data: AstNode): Expression {
  refuseOtherFields(reading.faults, 'JSON', data, 'raw_expr format');
  refuseOtherFormats(reading, data['format']);
  return readExpression(reading, data['raw_expr']);
}

function refuseOtherFormats({ faults }: ReadContext, format: unknown): void {
  const type = toAstNode(format)['format_type'];
  if (type !== undefined && type !== 'JS_FORMAT_DEFAULT') refuseConstruct(faults, 'FORMAT JSON');
}
