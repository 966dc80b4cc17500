// Reads expressions. Refuses node kinds that have no rule in this module, and operators that the engine lacks.
import { isAstNode, toAstNode, toList, toTextOrEmpty } from '../ast.ts';
import {
  between,
  columnOf,
  createNegation,
  inList,
  intervalOf,
  isNull,
  likeOf,
  literalOf,
  nodeOf,
  scalarOf,
  starOf,
  typeOf,
} from '../make-nodes.ts';
import type { Arithmetic, Comparison, Expression, Like, Literal, LogicalExpression, TypeName } from '../tree.ts';
import { describeNodeKind, isEmptyField, NodeFields, splitNode } from './fields.ts';
import type { BinaryRule } from './grammar.ts';
import { formatTypeName } from './grammar.ts';
import { readCall, readConcat, readTimeUnit, readWindowedCall, readWithinGroup } from './read-call.ts';
import { isQuery, readParenthesizedQuery } from './read-query.ts';
import { NULL_EXPRESSION, type TreeReader } from './tree-reader.ts';

const LITERAL_KINDS = ['string', 'number', 'date', 'time', 'datetime', 'timestamp'];
const AMOUNT_WITH_UNIT_PATTERN = /^\d{1,9} (?:second|minute|hour|day|week|month|quarter|year)s?$/i;

type ReadingRule = (reader: TreeReader, fields: NodeFields) => Expression;

export function readExpression(reader: TreeReader, node: unknown): Expression {
  const [kind, data] = splitNode(node);
  const fields = new NodeFields(data);
  const { grammar } = reader;
  const rule = Object.hasOwn(READING_RULES, kind) ? READING_RULES[kind] : undefined;
  const binary = grammar.binaryRules.find(({ native }) => native === kind);
  const pattern = Object.hasOwn(grammar.patterns, kind) ? grammar.patterns[kind] : undefined;
  let expression = NULL_EXPRESSION;
  if (kind === 'null') return { ...NULL_EXPRESSION };
  if (rule) expression = rule(reader, fields);
  else if (binary) expression = readBinary(reader, binary, fields);
  else if (pattern) expression = readPatternMatch(reader, pattern.how, fields);
  else if (kind === 'raw') reader.faults.add('construct', 'Write x NOT LIKE y, or put parentheses after NOT.');
  else reader.refuseConstruct(describeNodeKind(kind));
  if (expression !== NULL_EXPRESSION) fields.reportRemaining(describeNodeKind(kind), reader.faults);
  return expression;
}

function readBinary(reader: TreeReader, rule: BinaryRule, fields: NodeFields): Expression {
  const [left, right] = [fields.take('left', 'this'), fields.take('right', 'expression', 'zone')];
  if (rule.kind === 'logic') {
    const args = [left, right].flatMap((item) => flattenChain(reader, rule, item));
    return nodeOf('logic', { operator: rule.operator as LogicalExpression['operator'], args });
  }
  const operator = rule.operator as Comparison['operator'] & Arithmetic['operator'];
  return nodeOf(rule.kind, { operator, left: reader.readExpression(left), right: reader.readExpression(right) });
}

/**
 * Returns the operands of a chain of AND or OR. The parser nests the operands in any order. A chain in parentheses is
 * one operand.
 */
function flattenChain(reader: TreeReader, { native }: BinaryRule, node: unknown): Expression[] {
  const operands: Expression[] = [];
  const pendingNodes = [node];
  while (pendingNodes.length > 0) {
    const nextNode = pendingNodes.pop();
    const [kind, data] = splitNode(nextNode);
    if (kind !== native) {
      operands.push(reader.readExpression(nextNode));
      continue;
    }
    const fields = new NodeFields(data);
    pendingNodes.push(fields.take('right', 'expression'), fields.take('left', 'this'));
    fields.reportRemaining(describeNodeKind(kind), reader.faults);
  }
  return operands;
}

function readPatternMatch(reader: TreeReader, how: Like['how'], fields: NodeFields): Like {
  const [value, pattern] = [fields.take('left', 'this'), fields.take('right', 'pattern')].map(reader.readExpression);
  return likeOf(how, value!, pattern!, reader.readOptionalExpression(fields.take('escape')));
}

const READING_RULES: Readonly<Record<string, ReadingRule>> = {
  paren: (reader, fields) => {
    const innerNode = fields.take('this');
    if (isQuery(innerNode)) return scalarOf(reader.readQuery(innerNode));
    return reader.markBracketed(reader.readExpression(innerNode));
  },
  subquery: (reader, fields) => scalarOf(readParenthesizedQuery(reader, fields)),
  exists: (reader, fields) =>
    nodeOf('exists', { query: reader.readQuery(fields.take('this')), negated: fields.takeFlag('not') }),
  not: (reader, fields) => {
    const value = reader.readExpression(fields.take('this'));
    // The parser reads x NOT LIKE y as NOT (x LIKE y).
    if (value.kind === 'like' && !value.negated && !reader.brackets.has(value)) return { ...value, negated: true };
    return createNegation(value);
  },
  neg: (reader, fields) =>
    nodeOf('arithmetic', { operator: '-', left: null, right: reader.readExpression(fields.take('this')) }),
  column: (reader, fields) => {
    const parts = [fields.take('schema'), fields.take('table'), fields.take('name')];
    return columnOf(...parts.filter(isAstNode).map((part) => reader.readName(part)));
  },
  // The parser returns a name with three parts as a dot node.
  dot: (reader, fields) => {
    const base = reader.readExpression(fields.take('this'));
    const lastName = reader.readName(fields.take('field'));
    if (base.kind !== 'column' || base.path.length !== 2) reader.refuseConstruct('This dot');
    return columnOf(...(base.kind === 'column' ? base.path : []), lastName);
  },
  star: (reader, fields) => {
    const table = fields.take('table');
    const qualifier = table === undefined ? [] : [reader.readName(table)];
    if (!reader.grammar.features.has('star except')) return starOf(qualifier);
    const exclude = fields.takeList('except').map((item) => [reader.readName(item)]);
    return starOf(qualifier, { exclude });
  },
  literal: (reader, fields) => {
    const type = fields.takeText('literal_type');
    if (!LITERAL_KINDS.includes(type)) reader.refuseConstruct(`A literal of type ${type}`);
    return literalOf(type as Literal['type'], fields.takeText('value'));
  },
  boolean: (_, fields) => literalOf('boolean', String(fields.takeFlag('value'))),
  placeholder: () => nodeOf('parameter', { index: 0 }),
  tuple: (reader, fields) => {
    const items = reader.readExpressions(fields.takeList('expressions'));
    if (items.length === 0) reader.refuseConstruct('An empty row');
    return nodeOf('row', { items, keyword: false });
  },
  is_null: (reader, fields) => isNull(reader.readExpression(fields.take('this')), fields.takeFlag('not')),
  is_true: (reader, fields) => readTruthTest(reader, fields, 'true'),
  is_false: (reader, fields) => readTruthTest(reader, fields, 'false'),
  between: (reader, fields) => {
    const [value, low, high] = ['this', 'low', 'high'].map((field) => reader.readExpression(fields.take(field)));
    return { ...between(value!, low!, high!), negated: fields.takeFlag('not') };
  },
  in: (reader, fields) => {
    const value = reader.readExpression(fields.take('this'));
    const listedNodes = fields.takeList('expressions');
    // The parser returns a list for a set operation that starts with a parenthesis.
    const query = listedNodes.length === 1 && isQuery(listedNodes[0]) ? listedNodes[0] : fields.take('query');
    const candidates = query === undefined ? reader.readExpressions(listedNodes) : reader.readQuery(query);
    return inList(value, candidates, fields.takeFlag('not'));
  },
  case: (reader, fields) =>
    nodeOf('case', {
      operand: reader.readOptionalExpression(fields.take('operand')),
      whens: fields.takeList('whens').map((item) => {
        const [when, result] = toList(item);
        return { when: reader.readExpression(when), result: reader.readExpression(result) };
      }),
      otherwise: reader.readOptionalExpression(fields.take('else_')),
    }),
  cast: (reader, fields) => readCast(reader, fields, false),
  try_cast: (reader, fields) => readSafeCast(reader, fields, 'try_cast'),
  safe_cast: (reader, fields) => readSafeCast(reader, fields, 'safe_cast'),
  collation: (reader, fields) => {
    const collation = fields.takeText('collation');
    if (!reader.grammar.collations.test(collation)) reader.refuseConstruct('This collation');
    return nodeOf('collate', { value: reader.readExpression(fields.take('this')), collation });
  },
  interval: (reader, fields) => {
    const amount = reader.readExpression(fields.take('this'));
    const { features } = reader.grammar;
    const type = amount.kind === 'literal' ? amount.type : '';
    const isSimpleAmount = features.has('counted intervals') ? type === 'number' : type === 'string';
    if (!isSimpleAmount && !features.has('computed intervals')) reader.refuseConstruct('This amount of an INTERVAL');
    if (features.has('interval texts')) {
      if (amount.kind !== 'literal' || !isSimpleAmount || !AMOUNT_WITH_UNIT_PATTERN.test(amount.value))
        reader.refuseConstruct("An INTERVAL in a form other than INTERVAL '1 day'");
      return intervalOf(amount, '');
    }
    const unitName = reader.readFields(fields.take('unit'), 'INTERVAL', (unit) =>
      readTimeUnit(reader, unit.takeText('type') === 'simple' ? unit.takeText('unit') : '', 'INTERVAL'),
    );
    return intervalOf(amount, unitName);
  },
  function: readCall,
  aggregate_function: readCall,
  within_group: readWithinGroup,
  extract: (reader, fields) => {
    const field = fields.take('field');
    const unit = readTimeUnit(reader, toTextOrEmpty(isAstNode(field) ? field['Custom'] : field), 'EXTRACT');
    return {
      ...readCall(reader, new NodeFields({ name: 'extract', known: true })),
      unit,
      args: [reader.readExpression(fields.take('this'))],
    };
  },
  group_concat: readConcat,
  window_function: readWindowedCall,
};

const readCast = (reader: TreeReader, fields: NodeFields, safe: boolean): Expression =>
  nodeOf('cast', {
    value: reader.readExpression(fields.take('this')),
    type: readType(reader, toAstNode(fields.take('to'))),
    safe,
  });

function readSafeCast(reader: TreeReader, fields: NodeFields, feature: 'try_cast' | 'safe_cast'): Expression {
  if (!reader.grammar.features.has(feature)) reader.refuseConstruct(feature.toUpperCase());
  return readCast(reader, fields, true);
}

function readTruthTest(reader: TreeReader, fields: NodeFields, is: 'true' | 'false'): Expression {
  if (!reader.grammar.features.has('is true')) reader.refuseConstruct(`IS ${is.toUpperCase()}`);
  const value = reader.readExpression(fields.take('this'));
  return nodeOf('is_truth', { value, is, negated: fields.takeFlag('not') });
}

const SIZE_FIELDS = ['length', 'precision', 'scale'];
const TYPE_FIELDS = new Set(['data_type', 'name', 'timezone', 'integer_spelling', ...SIZE_FIELDS]);

function readType(reader: TreeReader, type: Record<string, unknown>): TypeName {
  const { grammar } = reader;
  const isCustom = type['data_type'] === 'custom';
  const hasUnknownFields = Object.entries(type).some(([key, value]) => !TYPE_FIELDS.has(key) && !isEmptyField(value));
  const writtenType = toTextOrEmpty(type[isCustom ? 'name' : 'data_type']);
  const [, name = '', modifierText] = /^([^()]*)(?:\((.*)\))?$/.exec(writtenType.replaceAll(' ', '')) ?? [];
  const sizes = SIZE_FIELDS.map((key) => type[key]).filter((value) => !isEmptyField(value));
  const modifiers = sizes.length > 0 ? sizes.map(String) : modifierText === undefined ? [] : modifierText.split(',');
  const typeName: TypeName = {
    ...typeOf(grammar.foldType(name + (type['timezone'] === true ? ' with time zone' : ''))),
    modifiers,
  };
  const isKnownType =
    grammar.types.test(formatTypeName(typeName)) && !hasUnknownFields && (isCustom || isEmptyField(type['name']));
  if (!isKnownType) reader.faults.add('type', grammar.typesMessage);
  return typeName;
}
