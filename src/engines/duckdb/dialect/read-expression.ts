import { type AstNode, isAstNode, toAstNode, toList, toTextOrEmpty } from '../../../dialects/ast.ts';
import {
  between,
  callOf,
  columnOf,
  compare,
  createNegation,
  exists,
  inList,
  isNull,
  nodeOf,
  nullLiteral,
  scalarOf,
  starOf,
} from '../../../dialects/make-nodes.ts';
import type {
  Case,
  Comparison,
  Expression,
  LogicalExpression,
  Query,
  SelectItem,
  Star,
} from '../../../dialects/tree.ts';
import { type ReadContext, readPosition, refuseConstruct, refuseOtherFields, toTextList, toWordSet } from './native.ts';
import { readArrow, readCall, readWindow } from './read-call.ts';
import { readConstant, readType, readTypedConstant } from './read-constant.ts';
import { DUCKDB_VALUE_NAMES } from './syntax.ts';

const createFieldSet = (names: string) => toWordSet(`class type alias query_location ${names}`);
const EXPRESSION_FIELDS = {
  BETWEEN: createFieldSet('input lower upper'),
  CASE: createFieldSet('case_checks else_expr'),
  CAST: createFieldSet('child cast_type try_cast'),
  COLLATE: createFieldSet('child collation'),
  COLUMN_REF: createFieldSet('column_names'),
  COMPARISON: createFieldSet('left right'),
  CONJUNCTION: createFieldSet('children'),
  OPERATOR: createFieldSet('children'),
  PARAMETER: createFieldSet('identifier'),
  STAR: createFieldSet(
    'relation_name exclude_list replace_list columns expr qualified_exclude_list rename_list unpacked',
  ),
  SUBQUERY: createFieldSet('subquery_type subquery child comparison_type'),
};
const CASE_BRANCH_FIELDS = toWordSet('when_expr then_expr');
const ENTRY_FIELDS = toWordSet('key value');
const SUBQUERY_FIELDS = toWordSet('node named_param_map');

const COMPARISON_OPERATORS = new Map<unknown, Comparison['operator']>([
  ['COMPARE_EQUAL', '='],
  ['COMPARE_NOTEQUAL', '<>'],
  ['COMPARE_LESSTHAN', '<'],
  ['COMPARE_LESSTHANOREQUALTO', '<='],
  ['COMPARE_GREATERTHAN', '>'],
  ['COMPARE_GREATERTHANOREQUALTO', '>='],
  ['COMPARE_DISTINCT_FROM', 'is distinct from'],
  ['COMPARE_NOT_DISTINCT_FROM', 'is not distinct from'],
]);

export function readExpression(reading: ReadContext, value: unknown): Expression {
  const node = toAstNode(value);
  if (toTextOrEmpty(node['alias']) !== '') refuseConstruct(reading, 'An alias inside an expression');
  const expression = readNode(reading, toTextOrEmpty(node['class']), node);
  expression.at ??= readPosition(node);
  return expression;
}

function readNode(reading: ReadContext, kind: string, node: AstNode): Expression {
  if (Object.hasOwn(EXPRESSION_FIELDS, kind))
    refuseOtherFields(reading, kind, node, EXPRESSION_FIELDS[kind as keyof typeof EXPRESSION_FIELDS]);
  switch (kind) {
    case 'COLUMN_REF': {
      const path = toTextList(node['column_names']);
      const name = path.length === 1 ? path[0]!.toLowerCase() : '';
      if (DUCKDB_VALUE_NAMES.has(name)) return callOf(name, [], { bare: true });
      return columnOf(...path);
    }
    case 'CONSTANT':
      return readConstant(reading, node);
    case 'FUNCTION':
      return readCall(reading, node);
    case 'WINDOW':
      return readWindow(reading, node);
    case 'LAMBDA':
      return readArrow(reading, node);
    case 'CAST':
      return readCast(reading, node);
    case 'COMPARISON':
      return readComparison(reading, node);
    case 'CONJUNCTION':
      return readConjunction(reading, node);
    case 'OPERATOR':
      return readOperator(reading, node);
    case 'BETWEEN': {
      const [operand, low, high] = ['input', 'lower', 'upper'].map((key) => reading.readExpression(node[key]));
      return between(operand!, low!, high!);
    }
    case 'CASE':
      return readCase(reading, node);
    case 'COLLATE':
      return nodeOf('collate', {
        value: reading.readExpression(node['child']),
        collation: toTextOrEmpty(node['collation']),
      });
    case 'SUBQUERY':
      return readSubquery(reading, node);
    case 'PARAMETER':
      return readParameter(reading, node);
    case 'STAR':
      return readStar(reading, node);
    default:
      refuseConstruct(reading, kind || 'This construct');
      return nullLiteral();
  }
}

/**
 * The output name of an expression such as CURRENT_DATE keeps the letter case of the SQL, although the parser returns
 * calls in lowercase.
 */
export function readItem(reading: ReadContext, native: unknown): SelectItem {
  const node = toAstNode(native);
  const value = reading.readExpression({ ...node, alias: '' });
  const columnName = value.kind === 'call' && value.bare ? toTextList(node['column_names'])[0]! : '';
  const alias = toTextOrEmpty(node['alias']) || (value.kind === 'call' && columnName !== value.name ? columnName : '');
  return { value, alias: alias || null };
}

function readCast(reading: ReadContext, node: AstNode): Expression {
  return (
    readTypedConstant(reading, node) ??
    nodeOf('cast', {
      value: reading.readExpression(node['child']),
      type: readType(reading, node['cast_type']),
      safe: node['try_cast'] === true,
    })
  );
}

function readComparison(reading: ReadContext, node: AstNode): Expression {
  const operator = COMPARISON_OPERATORS.get(node['type']);
  if (!operator) refuseConstruct(reading, toTextOrEmpty(node['type']));
  // The parser returns `x is true` as a comparison with a special literal, which no statement can contain.
  const { class: kind, value } = toAstNode(node['right']);
  const truth = toAstNode(value)['value'];
  const { class: casts, child, cast_type } = toAstNode(node['left']);
  if (
    kind === 'CONSTANT' &&
    typeof truth === 'boolean' &&
    casts === 'CAST' &&
    toAstNode(cast_type)['id'] === 'BOOLEAN'
  ) {
    const is = truth ? 'true' : 'false';
    return nodeOf('is_truth', { value: reading.readExpression(child), is, negated: operator === 'is distinct from' });
  }
  const [left, right] = [reading.readExpression(node['left']), reading.readExpression(node['right'])];
  return compare(left, operator ?? '=', right);
}

function readConjunction(reading: ReadContext, node: AstNode): LogicalExpression {
  const args = toList(node['children']).map((arg) => reading.readExpression(arg));
  const operator = node['type'] === 'CONJUNCTION_AND' ? 'and' : 'or';
  if (!/^CONJUNCTION_(?:AND|OR)$/.test(toTextOrEmpty(node['type'])) || args.length < 2)
    refuseConstruct(reading, 'CONJUNCTION');
  return nodeOf('logic', { operator, args });
}

function readOperator(reading: ReadContext, node: AstNode): Expression {
  const type = toTextOrEmpty(node['type']);
  const args = toList(node['children']);
  const [firstArgument, secondArgument] = args;
  const readFirst = () => reading.readExpression(firstArgument);
  switch (type) {
    case 'OPERATOR_NOT':
      return negate(readFirst());
    case 'OPERATOR_IS_NULL':
    case 'OPERATOR_IS_NOT_NULL':
      return isNull(readFirst(), type === 'OPERATOR_IS_NOT_NULL');
    case 'OPERATOR_COALESCE':
    case 'OPERATOR_TRY':
    case 'GROUPING_FUNCTION': {
      const name = type === 'GROUPING_FUNCTION' ? 'grouping' : type.slice('OPERATOR_'.length).toLowerCase();
      return callOf(
        name,
        args.map((arg) => reading.readExpression(arg)),
      );
    }
    case 'COMPARE_IN':
    case 'COMPARE_NOT_IN': {
      const candidates = args.slice(1).map((arg) => reading.readExpression(arg));
      return inList(readFirst(), candidates, type === 'COMPARE_NOT_IN');
    }
    case 'ARRAY_EXTRACT':
      return nodeOf('subscript', { value: readFirst(), index: reading.readExpression(secondArgument), slice: null });
    case 'ARRAY_SLICE': {
      const [from = null, to = null, step = null] = args.slice(1).map((arg) => readSliceBound(reading, arg));
      return nodeOf('subscript', { value: readFirst(), index: null, slice: { from, to, step } });
    }
    case 'STRUCT_EXTRACT':
      return nodeOf('operation', { operator: '.', left: readFirst(), right: reading.readExpression(secondArgument) });
    case 'ARRAY_CONSTRUCTOR': {
      const items = args.map((arg) => reading.readExpression(arg));
      return nodeOf('operation', { operator: 'array', left: null, right: nodeOf('list', { items }) });
    }
    default:
      refuseConstruct(reading, type);
      return nullLiteral();
  }
}

/** Negates a value, with the value's own negated form, such as NOT BETWEEN, if it has one. */
function negate(value: Expression): Expression {
  const negatable =
    value.kind === 'between' || value.kind === 'exists' || (value.kind === 'in' && !Array.isArray(value.among));
  return negatable && !value.negated ? { ...value, negated: true } : createNegation(value);
}

/** Returns null for a missing bound, which the parser returns as an empty list. */
function readSliceBound(reading: ReadContext, value: unknown): Expression | null {
  const { type, value: bound } = toAstNode(toAstNode(value)['value']);
  const isOpen = toAstNode(type)['id'] === 'LIST' && toList(toAstNode(bound)['children']).length === 0;
  return isOpen ? null : reading.readExpression(value);
}

function readCase(reading: ReadContext, node: AstNode): Case {
  const whens = toList(node['case_checks']).map((value) => {
    const check = toAstNode(value);
    refuseOtherFields(reading, 'CASE', check, CASE_BRANCH_FIELDS);
    return { when: reading.readExpression(check['when_expr']), result: reading.readExpression(check['then_expr']) };
  });
  const elseResult = reading.readExpression(node['else_expr']);
  const otherwise = elseResult.kind === 'literal' && elseResult.type === 'null' ? null : elseResult;
  return nodeOf('case', { operand: null, whens, otherwise });
}

function readSubquery(reading: ReadContext, node: AstNode): Expression {
  const queryNode = toAstNode(node['subquery']);
  refuseOtherFields(reading, 'A subquery', queryNode, SUBQUERY_FIELDS);
  const query: Query = reading.readQuery(queryNode['node']);
  switch (node['subquery_type']) {
    case 'EXISTS':
    case 'NOT_EXISTS':
      return exists(query, node['subquery_type'] === 'NOT_EXISTS');
    case 'SCALAR':
      return scalarOf(query);
    case 'ANY': {
      const value = reading.readExpression(node['child']);
      const operator = COMPARISON_OPERATORS.get(node['comparison_type']);
      if (operator === '=') return inList(value, query);
      if (operator) return nodeOf('quantified', { operator, how: 'any', left: value, among: query });
    }
  }
  refuseConstruct(reading, `A subquery of type ${toTextOrEmpty(node['subquery_type'])}`);
  return nullLiteral();
}

function readParameter({ faults }: ReadContext, node: AstNode): Expression {
  const name = toTextOrEmpty(node['identifier']);
  if (!/^[1-9]\d{0,8}$/.test(name)) faults.add('parameter', `$${name} is not a parameter of this statement.`);
  return nodeOf('parameter', { index: Number(name) || 0 });
}

function readStar(reading: ReadContext, node: AstNode): Star {
  if (toList(node['qualified_exclude_list']).length > 0) refuseConstruct(reading, 'EXCLUDE of a qualified column');
  if (toList(node['rename_list']).length > 0) refuseConstruct(reading, '* RENAME');
  if (node['unpacked'] === true) refuseConstruct(reading, '*COLUMNS(…)');
  const relation = toTextOrEmpty(node['relation_name']);
  const columnsArgument = isAstNode(node['expr']) ? reading.readExpression(node['expr']) : null;
  const columns = node['columns'] === true ? { of: columnsArgument } : null;
  if (columnsArgument !== null && columns === null) refuseConstruct(reading, '* with a condition');
  return starOf(relation === '' ? [] : [relation], {
    exclude: toTextList(node['exclude_list']).map((name) => [name]),
    replace: toList(node['replace_list'])
      .map(toAstNode)
      .map((entry) => {
        refuseOtherFields(reading, '* REPLACE', entry, ENTRY_FIELDS);
        return { value: readItem(reading, entry['value']).value, alias: toTextOrEmpty(entry['key']) };
      }),
    columns,
  });
}
