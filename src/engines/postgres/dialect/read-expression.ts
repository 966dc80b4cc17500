// Converts the parser's expressions to the neutral tree. Refuses node kinds that have no rule in this module.
import { type AstNode, asList, asNode, asText } from '../../../dialects/ast.ts';
import type { Faults } from '../../../dialects/faults.ts';
import { callOf, literalOf, nullLiteral, numberOf, starOf } from '../../../dialects/make-nodes.ts';
import type {
  Compare,
  Expression,
  Frame,
  FrameBound,
  Json,
  Literal,
  Query,
  SortKey,
  Window,
} from '../../../dialects/tree.ts';
import { POSTGRES_FUNCTIONS } from './functions.ts';
import { positionOf, readType, refuseConstruct, refuseOtherFields, stringsOf, unwrap } from './native.ts';

/** The callbacks into `read.ts`, which reads the queries inside expressions. */
export interface ReadContext {
  faults: Faults;
  depth: number;
  readQuery(data: AstNode): Query;
}
type Rule = (reading: ReadContext, data: AstNode, position: number | null) => Expression;

const MAX_DEPTH = 400;
const NULL_LITERAL = nullLiteral();
const grammarCall = (name: string, args: Expression[], position: number | null) => callOf(name, args, { at: position });

export function readExpression(reading: ReadContext, value: unknown): Expression {
  const { kind, data } = unwrap(value);
  const rule = Object.hasOwn(READING_RULES, kind) ? READING_RULES[kind] : undefined;
  if (!rule) {
    refuseConstruct(reading.faults, kind || 'This construct');
    return NULL_LITERAL;
  }
  if (reading.depth >= MAX_DEPTH) {
    reading.faults.add('too_deep', 'The statement nests too deeply.');
    return NULL_LITERAL;
  }
  reading.depth++;
  const expression = rule(reading, data, positionOf(data));
  reading.depth--;
  return expression;
}

export const readList = (reading: ReadContext, values: unknown): Expression[] =>
  asList(values).map((value) => readExpression(reading, value));
export const readOptional = (reading: ReadContext, value: unknown): Expression | null =>
  value === undefined || value === null ? null : readExpression(reading, value);

const READING_RULES: Readonly<Record<string, Rule>> = {
  ColumnRef: (reading, data, position) => {
    refuseOtherFields(reading.faults, 'A column', data, 'fields location');
    const fields = asList(data['fields']);
    if (unwrap(fields.at(-1)).kind !== 'A_Star') return { kind: 'column', path: stringsOf(fields), at: position };
    return starOf(stringsOf(fields.slice(0, -1)), { at: position });
  },
  A_Const: readConstant,
  ParamRef: (_, data, position) => ({ kind: 'parameter', index: Number(data['number'] ?? 0), at: position }),
  FuncCall: readCall,
  A_Expr: readOperation,
  BoolExpr: (reading, data, position) => {
    const operator = ({ AND_EXPR: 'and', OR_EXPR: 'or', NOT_EXPR: 'not' } as const)[asText(data['boolop'])];
    if (!operator) return refuseNode(reading, 'This condition');
    const args = readList(reading, data['args']);
    const [firstArgument] = args;
    const negatable =
      operator === 'not' && firstArgument?.kind === 'in' && !firstArgument.negated && 'kind' in firstArgument.among;
    // The parser returns the same tree for NOT x IN (SELECT …) and x NOT IN (SELECT …).
    return negatable ? { ...firstArgument, negated: true } : { kind: 'logic', operator, args, at: position };
  },
  NullTest: (reading, data, position) => {
    refuseOtherFields(reading.faults, 'IS NULL', data, 'arg nulltesttype location');
    return {
      kind: 'is_null',
      value: readExpression(reading, data['arg']),
      negated: data['nulltesttype'] === 'IS_NOT_NULL',
      at: position,
    };
  },
  BooleanTest: (reading, data, position) => {
    refuseOtherFields(reading.faults, 'IS TRUE', data, 'arg booltesttype location');
    const [, not, is] = /^IS_(NOT_)?(TRUE|FALSE|UNKNOWN)$/.exec(asText(data['booltesttype'])) ?? [];
    const truth = (is ?? 'TRUE').toLowerCase() as 'true' | 'false' | 'unknown';
    return {
      kind: 'is_truth',
      value: readExpression(reading, data['arg']),
      is: truth,
      negated: not !== undefined,
      at: position,
    };
  },
  CaseExpr: (reading, data, position) => {
    refuseOtherFields(reading.faults, 'CASE', data, 'arg args defresult location');
    const whens = asList(data['args']).map((item) => {
      const { data: when } = unwrap(item);
      return { when: readExpression(reading, when['expr']), result: readExpression(reading, when['result']) };
    });
    const operand = readOptional(reading, data['arg']);
    return { kind: 'case', operand, whens, otherwise: readOptional(reading, data['defresult']), at: position };
  },
  CoalesceExpr: (reading, data, position) => grammarCall('coalesce', readList(reading, data['args']), position),
  MinMaxExpr: (reading, data, position) =>
    grammarCall(data['op'] === 'IS_LEAST' ? 'least' : 'greatest', readList(reading, data['args']), position),
  GroupingFunc: (reading, data, position) => grammarCall('grouping', readList(reading, data['args']), position),
  SQLValueFunction: (_, data, position) => {
    const name = asText(data['op']).replace('SVFOP_', '').replace(/_N$/, '').toLowerCase();
    const digits = Number(data['typmod'] ?? -1);
    return callOf(name, digits < 0 ? [] : [numberOf(digits)], { bare: true, at: position });
  },
  TypeCast: (reading, data, position) => {
    refuseOtherFields(reading.faults, 'A cast', data, 'arg typeName location');
    const value = readExpression(reading, data['arg']);
    return { kind: 'cast', value, type: readType(reading.faults, asNode(data['typeName'])), safe: false, at: position };
  },
  A_ArrayExpr: (reading, data, position) => {
    refuseOtherFields(reading.faults, 'An array', data, 'elements list_start list_end location');
    return { kind: 'list', items: readList(reading, data['elements']), at: position };
  },
  RowExpr: (reading, data, position) => {
    refuseOtherFields(reading.faults, 'A row', data, 'args row_format location');
    const keyword = data['row_format'] === 'COERCE_EXPLICIT_CALL';
    return { kind: 'row', items: readList(reading, data['args']), keyword, at: position };
  },
  A_Indirection: readSubscript,
  NamedArgExpr: (reading, data, position) => {
    refuseOtherFields(reading.faults, 'A named argument', data, 'arg name argnumber location');
    return {
      kind: 'named_argument',
      name: asText(data['name']),
      value: readExpression(reading, data['arg']),
      at: position,
    };
  },
  CollateClause: (reading, data, position) => {
    const collation = stringsOf(data['collname']);
    if (collation.length > 1 && collation[0] !== 'pg_catalog')
      refuseConstruct(reading.faults, 'A collation with a schema');
    return {
      kind: 'collate',
      value: readExpression(reading, data['arg']),
      collation: collation.at(-1) ?? '',
      at: position,
    };
  },
  SubLink: readSubquery,
  JsonObjectConstructor: (reading, data, position) => {
    const pairs = asList(data['exprs']).map((item) => readPair(reading, unwrap(item).data));
    return readJson(reading, 'object', data, pairs, position);
  },
  JsonArrayConstructor: (reading, data, position) => {
    const values = asList(data['exprs']).map((item) => ({
      key: null,
      value: readJsonValue(reading, unwrap(item).data),
    }));
    return readJson(reading, 'array', data, values, position);
  },
  JsonObjectAgg: (reading, data) => {
    const pair = readPair(reading, asNode(data['arg']));
    return readJsonAggregate(reading, 'object_agg', data, pair);
  },
  JsonArrayAgg: (reading, data) => {
    const value = readJsonValue(reading, asNode(data['arg']));
    return readJsonAggregate(reading, 'array_agg', data, { key: null, value });
  },
  JsonIsPredicate: (reading, data, position) => {
    refuseOtherFields(reading.faults, 'IS JSON', data, 'expr format item_type unique_keys location');
    const item = (
      { JS_TYPE_ANY: 'any', JS_TYPE_OBJECT: 'object', JS_TYPE_ARRAY: 'array', JS_TYPE_SCALAR: 'scalar' } as const
    )[asText(data['item_type'])];
    if (!item) return refuseNode(reading, 'IS JSON');
    const entries = [{ key: null, value: readExpression(reading, data['expr']) }];
    return { ...JSON_NODE, what: 'is_json', entries, uniqueKeys: data['unique_keys'] === true, item, at: position };
  },
};

function refuseNode({ faults }: ReadContext, construct: string): Literal {
  refuseConstruct(faults, construct);
  return NULL_LITERAL;
}

function readConstant(reading: ReadContext, data: AstNode, position: number | null): Expression {
  refuseOtherFields(reading.faults, 'A constant', data, 'ival fval boolval sval bsval isnull location');
  const literal = (type: Literal['type'], value: string): Literal => literalOf(type, value, position);
  if (data['isnull'] === true) return literal('null', '');
  if (data['ival'] !== undefined) return literal('number', String(Number(asNode(data['ival'])['ival'] ?? 0)));
  if (data['fval'] !== undefined) return literal('number', asText(asNode(data['fval'])['fval']));
  if (data['boolval'] !== undefined) return literal('boolean', String(asNode(data['boolval'])['boolval'] === true));
  if (data['sval'] !== undefined) return literal('string', asText(asNode(data['sval'])['sval']));
  if (data['bsval'] !== undefined) return literal('bits', asText(asNode(data['bsval'])['bsval']));
  return refuseNode(reading, 'This constant');
}

const CALL_FIELDS =
  'funcname args agg_order agg_filter over agg_within_group agg_star agg_distinct func_variadic funcformat location';

function readCall(reading: ReadContext, data: AstNode, position: number | null): Expression {
  const { faults } = reading;
  refuseOtherFields(faults, 'A function call', data, CALL_FIELDS);
  const path = stringsOf(data['funcname']);
  const name = path.at(-1) ?? '';
  const functionName = path.join('.');
  // Functions that belong to the grammar have their own node kinds. A call node with the name of one of these functions
  // comes from a quoted name, which refers to a user-defined function.
  if (path.length > 2)
    faults.add('function', `The function ${functionName} is not allowed. Only built-in functions are.`);
  else if (['grammar', 'bare'].includes(POSTGRES_FUNCTIONS.kind(name) ?? ''))
    faults.add('function', `The function ${functionName} is not allowed.`);
  return callOf(name, readList(reading, data['args']), {
    schema: path.length > 1 ? path[0]! : null,
    star: data['agg_star'] === true,
    distinct: data['agg_distinct'] === true,
    orderBy: readOrder(reading, data['agg_order']),
    within: data['agg_within_group'] === true,
    filter: readOptional(reading, data['agg_filter']),
    over: data['over'] === undefined ? null : readWindow(reading, asNode(data['over']), true),
    variadic: data['func_variadic'] === true,
    at: position,
  });
}

export function readOrder(reading: ReadContext, keys: unknown): SortKey[] {
  return asList(keys).map((key) => {
    const { kind, data } = unwrap(key);
    if (kind !== 'SortBy' || data['useOp'] !== undefined) refuseConstruct(reading.faults, 'ORDER BY … USING');
    const value = readExpression(reading, data['node']);
    const direction = ({ SORTBY_ASC: 'asc', SORTBY_DESC: 'desc' } as const)[asText(data['sortby_dir'])] ?? null;
    const [, nulls] = /^SORTBY_NULLS_(FIRST|LAST)$/.exec(asText(data['sortby_nulls'])) ?? [];
    return { value, direction, nulls: (nulls?.toLowerCase() ?? null) as SortKey['nulls'] };
  });
}

const WINDOW_FIELDS = 'name refname partitionClause orderClause frameOptions startOffset endOffset location';

/** `isOverClause`: true after OVER, where a name without parentheses refers to a named window. */
export function readWindow(reading: ReadContext, data: AstNode, isOverClause: boolean): Window {
  refuseOtherFields(reading.faults, 'A window', data, WINDOW_FIELDS);
  const isNamed = isOverClause && data['name'] !== undefined;
  const base = isNamed ? data['name'] : data['refname'];
  return {
    base: base === undefined ? null : asText(base),
    named: isNamed,
    partitionBy: readList(reading, data['partitionClause']),
    orderBy: readOrder(reading, data['orderClause']),
    frame: readFrame(reading, data),
  };
}

/** The bits are defined in nodes/parsenodes.h. */
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

function readOperation(reading: ReadContext, data: AstNode, position: number | null): Expression {
  const { faults } = reading;
  refuseOtherFields(faults, 'An operator', data, 'kind name lexpr rexpr location rexpr_list_start rexpr_list_end');
  const path = stringsOf(data['name']);
  const name = path.at(-1) ?? '';
  if (path.length > 1) faults.add('operator', `The operator ${path.join('.')} is not allowed.`);
  const left = readOptional(reading, data['lexpr']);
  const readRight = (): Expression => readExpression(reading, data['rexpr']);
  const readPairItems = (): Expression[] => readList(reading, unwrap(data['rexpr']).data['items']);
  const kind = asText(data['kind']);
  if (kind !== 'AEXPR_OP' && left === null) return refuseNode(reading, 'This operator');
  const value = left!;
  switch (kind) {
    case 'AEXPR_OP':
      if (left && COMPARISON_OPERATORS.has(name)) {
        return { kind: 'compare', operator: name as Compare['operator'], left, right: readRight(), at: position };
      }
      if (ARITHMETIC_OPERATORS.has(name)) {
        return { kind: 'arithmetic', operator: name as '+', left, right: readRight(), at: position };
      }
      return { kind: 'operation', operator: name, left, right: readRight(), at: position };
    case 'AEXPR_OP_ANY':
    case 'AEXPR_OP_ALL': {
      const how = kind === 'AEXPR_OP_ANY' ? 'any' : 'all';
      return { kind: 'quantified', operator: name, how, left: value, among: readRight(), at: position };
    }
    case 'AEXPR_DISTINCT':
      return { kind: 'compare', operator: 'is distinct from', left: value, right: readRight(), at: position };
    case 'AEXPR_NOT_DISTINCT':
      return { kind: 'compare', operator: 'is not distinct from', left: value, right: readRight(), at: position };
    case 'AEXPR_NULLIF':
      return grammarCall('nullif', [value, readRight()], position);
    case 'AEXPR_IN':
      return { kind: 'in', value, among: readPairItems(), negated: name === '<>', at: position };
    case 'AEXPR_LIKE':
    case 'AEXPR_ILIKE':
    case 'AEXPR_SIMILAR': {
      const how = ({ AEXPR_LIKE: 'like', AEXPR_ILIKE: 'ilike', AEXPR_SIMILAR: 'similar' } as const)[kind];
      return {
        kind: 'like',
        how,
        value,
        ...readPatternParts(readRight(), how),
        negated: name.startsWith('!'),
        at: position,
      };
    }
    case 'AEXPR_BETWEEN':
    case 'AEXPR_NOT_BETWEEN':
    case 'AEXPR_BETWEEN_SYM':
    case 'AEXPR_NOT_BETWEEN_SYM': {
      const [low = NULL_LITERAL, high = NULL_LITERAL] = readPairItems();
      const symmetric = kind.endsWith('_SYM');
      return { kind: 'between', value, low, high, negated: kind.includes('NOT'), symmetric, at: position };
    }
    default:
      return refuseNode(reading, 'This operator');
  }
}

/** Reads a pattern with ESCAPE, or any pattern of SIMILAR TO. The parser returns both as a function call. */
function readPatternParts(
  right: Expression,
  how: 'like' | 'ilike' | 'similar',
): { pattern: Expression; escape: Expression | null } {
  const escapeFunction = how === 'similar' ? 'similar_to_escape' : 'like_escape';
  if (right.kind !== 'call' || right.name !== escapeFunction || right.schema !== 'pg_catalog')
    return { pattern: right, escape: null };
  return { pattern: right.args[0] ?? NULL_LITERAL, escape: right.args[1] ?? null };
}

/** Refuses fields of values, because `(x).name` calls the function `name` if x has no such field (G13). */
function readSubscript(reading: ReadContext, data: AstNode, position: number | null): Expression {
  const { faults } = reading;
  refuseOtherFields(faults, 'A subscript', data, 'arg indirection');
  if (unwrap(data['arg']).kind === 'A_Indirection')
    refuseConstruct(faults, 'A subscript after a subscript in parentheses');
  let value = readExpression(reading, data['arg']);
  for (const step of asList(data['indirection'])) {
    const { kind, data: bounds } = unwrap(step);
    if (kind !== 'A_Indices') {
      faults.add('field_access', 'A field of an expression, as in (x).y, is not allowed. Name a column instead.');
      continue;
    }
    refuseOtherFields(faults, 'A subscript', bounds, 'is_slice lidx uidx');
    const upper = readOptional(reading, bounds['uidx']);
    const slice =
      bounds['is_slice'] === true ? { from: readOptional(reading, bounds['lidx']), to: upper, step: null } : null;
    value = { kind: 'subscript', value, index: slice ? null : upper, slice, at: position };
  }
  return value;
}

function readSubquery(reading: ReadContext, data: AstNode, position: number | null): Expression {
  const { faults } = reading;
  refuseOtherFields(faults, 'A subquery', data, 'subLinkType subLinkId testexpr operName subselect location');
  const { kind, data: select } = unwrap(data['subselect']);
  if (kind !== 'SelectStmt') return refuseNode(reading, kind || 'This subquery');
  const left = readOptional(reading, data['testexpr']);
  const query = reading.readQuery(select);
  const operator = stringsOf(data['operName']);
  if (operator.length > 1) faults.add('operator', `The operator ${operator.join('.')} is not allowed.`);
  switch (data['subLinkType']) {
    case 'EXISTS_SUBLINK':
      return { kind: 'exists', query, negated: false, at: position };
    case 'EXPR_SUBLINK':
      return { kind: 'scalar', query, at: position };
    case 'ARRAY_SUBLINK':
      return { kind: 'array_query', query, at: position };
    case 'ANY_SUBLINK':
    case 'ALL_SUBLINK': {
      const how = data['subLinkType'] === 'ALL_SUBLINK' ? 'all' : 'any';
      if (!left) return refuseNode(reading, 'This subquery');
      // The parser returns IN (SELECT …) without an operator.
      if (operator.length === 0) return { kind: 'in', value: left, among: query, negated: false, at: position };
      return { kind: 'quantified', operator: operator.at(-1)!, how, left, among: query, at: position };
    }
    default:
      return refuseNode(reading, 'This subquery');
  }
}

const JSON_NODE: Omit<Json, 'what' | 'entries'> = {
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
  jsonKind: Json['what'],
  data: AstNode,
  entries: Json['entries'],
  position: number | null,
): Json {
  refuseOtherFields(reading.faults, 'JSON', data, 'exprs output absent_on_null unique location');
  const nulls = data['absent_on_null'] === true ? 'absent' : 'null';
  const returning = readReturning(reading, data['output']);
  return { ...JSON_NODE, what: jsonKind, entries, nulls, uniqueKeys: data['unique'] === true, returning, at: position };
}

function readJsonAggregate(
  reading: ReadContext,
  jsonKind: Json['what'],
  data: AstNode,
  entry: Json['entries'][number],
): Json {
  const { constructor: aggregateNode, arg: _read, ...own } = data;
  const { agg_filter, agg_order, over, ...rest } = asNode(aggregateNode);
  const call = readJson(reading, jsonKind, { ...own, ...rest }, [entry], positionOf(rest));
  return {
    ...call,
    orderBy: readOrder(reading, agg_order),
    filter: readOptional(reading, agg_filter),
    over: over === undefined ? null : readWindow(reading, asNode(over), true),
  };
}

function readReturning(reading: ReadContext, output: unknown): Json['returning'] {
  if (output === undefined) return null;
  const { typeName, returning } = asNode(output);
  refuseOtherFormats(reading, asNode(returning)['format']);
  return typeName === undefined ? null : readType(reading.faults, asNode(typeName));
}

function readPair(reading: ReadContext, data: AstNode): Json['entries'][number] {
  refuseOtherFields(reading.faults, 'JSON', data, 'key value');
  return { key: readExpression(reading, data['key']), value: readJsonValue(reading, asNode(data['value'])) };
}

function readJsonValue(reading: ReadContext, data: AstNode): Expression {
  refuseOtherFields(reading.faults, 'JSON', data, 'raw_expr format');
  refuseOtherFormats(reading, data['format']);
  return readExpression(reading, data['raw_expr']);
}

function refuseOtherFormats({ faults }: ReadContext, format: unknown): void {
  const type = asNode(format)['format_type'];
  if (type !== undefined && type !== 'JS_FORMAT_DEFAULT') refuseConstruct(faults, 'FORMAT JSON');
}
