// Reads expressions. Refuses node kinds that have no rule in this module, and operators that the engine lacks.
import { asList, asNode, asText, isNode } from '../ast.ts';
import {
  between,
  columnOf,
  inList,
  intervalOf,
  isNull,
  likeOf,
  literalOf,
  nodeOf,
  not,
  scalarOf,
  starOf,
  typeOf,
} from '../make-nodes.ts';
import type { Arithmetic, Compare, Expression, Like, Literal, Logic, TypeName } from '../tree.ts';
import { Fields, isEmpty, kindOf, nodeKindText } from './fields.ts';
import type { BinaryRule } from './grammar.ts';
import { typeText } from './grammar.ts';
import { readCall, readConcat, readUnit, readWindowedCall, readWithinGroup } from './read-call.ts';
import { isQuery, readParenthesizedQuery } from './read-query.ts';
import { NULL_EXPRESSION, type Reading } from './reader.ts';

const LITERAL_KINDS = ['string', 'number', 'date', 'time', 'datetime', 'timestamp'];
const AMOUNT_WITH_UNIT = /^\d{1,9} (?:second|minute|hour|day|week|month|quarter|year)s?$/i;

type Rule = (reading: Reading, fields: Fields) => Expression;

export function readExpression(reading: Reading, node: unknown): Expression {
  const [kind, data] = kindOf(node);
  const fields = new Fields(data);
  const { grammar } = reading;
  const rule = Object.hasOwn(READING_RULES, kind) ? READING_RULES[kind] : undefined;
  const binary = grammar.binaryRules.find(({ native }) => native === kind);
  const pattern = Object.hasOwn(grammar.patterns, kind) ? grammar.patterns[kind] : undefined;
  let expression = NULL_EXPRESSION;
  if (kind === 'null') return { ...NULL_EXPRESSION };
  if (rule) expression = rule(reading, fields);
  else if (binary) expression = readBinary(reading, binary, fields);
  else if (pattern) expression = readPattern(reading, pattern.how, fields);
  else if (kind === 'raw') reading.faults.add('construct', 'Write x NOT LIKE y, or put parentheses after NOT.');
  else reading.refuseConstruct(nodeKindText(kind));
  if (expression !== NULL_EXPRESSION) fields.reportRemaining(nodeKindText(kind), reading.faults);
  return expression;
}

function readBinary(reading: Reading, rule: BinaryRule, fields: Fields): Expression {
  const [left, right] = [fields.take('left', 'this'), fields.take('right', 'expression', 'zone')];
  if (rule.kind === 'logic') {
    const args = [left, right].flatMap((item) => flattenChain(reading, rule, item));
    return nodeOf('logic', { operator: rule.operator as Logic['operator'], args });
  }
  const operator = rule.operator as Compare['operator'] & Arithmetic['operator'];
  return nodeOf(rule.kind, { operator, left: reading.readExpression(left), right: reading.readExpression(right) });
}

/**
 * Returns the operands of a chain of AND or OR. The parser nests them in any order. A chain in parentheses is one
 * operand.
 */
function flattenChain(reading: Reading, { native }: BinaryRule, node: unknown): Expression[] {
  const operands: Expression[] = [];
  const pendingNodes = [node];
  while (pendingNodes.length > 0) {
    const nextNode = pendingNodes.pop();
    const [kind, data] = kindOf(nextNode);
    if (kind !== native) {
      operands.push(reading.readExpression(nextNode));
      continue;
    }
    const fields = new Fields(data);
    pendingNodes.push(fields.take('right', 'expression'), fields.take('left', 'this'));
    fields.reportRemaining(nodeKindText(kind), reading.faults);
  }
  return operands;
}

function readPattern(reading: Reading, how: Like['how'], fields: Fields): Like {
  const [value, pattern] = [fields.take('left', 'this'), fields.take('right', 'pattern')].map(reading.readExpression);
  return likeOf(how, value!, pattern!, reading.readOptional(fields.take('escape')));
}

const READING_RULES: Readonly<Record<string, Rule>> = {
  paren: (reading, fields) => {
    const innerNode = fields.take('this');
    if (isQuery(innerNode)) return scalarOf(reading.readQuery(innerNode));
    return reading.markBracketed(reading.readExpression(innerNode));
  },
  subquery: (reading, fields) => scalarOf(readParenthesizedQuery(reading, fields)),
  exists: (reading, fields) =>
    nodeOf('exists', { query: reading.readQuery(fields.take('this')), negated: fields.flag('not') }),
  not: (reading, fields) => {
    const value = reading.readExpression(fields.take('this'));
    // The parser reads x NOT LIKE y as NOT (x LIKE y).
    if (value.kind === 'like' && !value.negated && !reading.brackets.has(value)) return { ...value, negated: true };
    return not(value);
  },
  neg: (reading, fields) =>
    nodeOf('arithmetic', { operator: '-', left: null, right: reading.readExpression(fields.take('this')) }),
  column: (reading, fields) => {
    const parts = [fields.take('schema'), fields.take('table'), fields.take('name')];
    return columnOf(...parts.filter(isNode).map((part) => reading.readName(part)));
  },
  // The parser returns a name with three parts as a dot node.
  dot: (reading, fields) => {
    const base = reading.readExpression(fields.take('this'));
    const lastName = reading.readName(fields.take('field'));
    if (base.kind !== 'column' || base.path.length !== 2) reading.refuseConstruct('This dot');
    return columnOf(...(base.kind === 'column' ? base.path : []), lastName);
  },
  star: (reading, fields) => {
    const table = fields.take('table');
    const qualifier = table === undefined ? [] : [reading.readName(table)];
    if (!reading.grammar.features.has('star except')) return starOf(qualifier);
    const exclude = fields.list('except').map((item) => [reading.readName(item)]);
    return starOf(qualifier, { exclude });
  },
  literal: (reading, fields) => {
    const type = fields.text('literal_type');
    if (!LITERAL_KINDS.includes(type)) reading.refuseConstruct(`A literal of type ${type}`);
    return literalOf(type as Literal['type'], fields.text('value'));
  },
  boolean: (_, fields) => literalOf('boolean', String(fields.flag('value'))),
  placeholder: () => nodeOf('parameter', { index: 0 }),
  tuple: (reading, fields) => {
    const items = reading.readExpressions(fields.list('expressions'));
    if (items.length === 0) reading.refuseConstruct('An empty row');
    return nodeOf('row', { items, keyword: false });
  },
  is_null: (reading, fields) => isNull(reading.readExpression(fields.take('this')), fields.flag('not')),
  is_true: (reading, fields) => readTruthTest(reading, fields, 'true'),
  is_false: (reading, fields) => readTruthTest(reading, fields, 'false'),
  between: (reading, fields) => {
    const [value, low, high] = ['this', 'low', 'high'].map((field) => reading.readExpression(fields.take(field)));
    return { ...between(value!, low!, high!), negated: fields.flag('not') };
  },
  in: (reading, fields) => {
    const value = reading.readExpression(fields.take('this'));
    const listedNodes = fields.list('expressions');
    // The parser returns a list for a set operation that starts with a parenthesis.
    const query = listedNodes.length === 1 && isQuery(listedNodes[0]) ? listedNodes[0] : fields.take('query');
    const candidates = query === undefined ? reading.readExpressions(listedNodes) : reading.readQuery(query);
    return inList(value, candidates, fields.flag('not'));
  },
  case: (reading, fields) =>
    nodeOf('case', {
      operand: reading.readOptional(fields.take('operand')),
      whens: fields.list('whens').map((item) => {
        const [when, result] = asList(item);
        return { when: reading.readExpression(when), result: reading.readExpression(result) };
      }),
      otherwise: reading.readOptional(fields.take('else_')),
    }),
  cast: (reading, fields) => readCast(reading, fields, false),
  try_cast: (reading, fields) => readSafeCast(reading, fields, 'try_cast'),
  safe_cast: (reading, fields) => readSafeCast(reading, fields, 'safe_cast'),
  collation: (reading, fields) => {
    const collation = fields.text('collation');
    if (!reading.grammar.collations.test(collation)) reading.refuseConstruct('This collation');
    return nodeOf('collate', { value: reading.readExpression(fields.take('this')), collation });
  },
  interval: (reading, fields) => {
    const amount = reading.readExpression(fields.take('this'));
    const { features } = reading.grammar;
    const type = amount.kind === 'literal' ? amount.type : '';
    const isSimpleAmount = features.has('counted intervals') ? type === 'number' : type === 'string';
    if (!isSimpleAmount && !features.has('computed intervals')) reading.refuseConstruct('This amount of an INTERVAL');
    if (features.has('interval texts')) {
      if (amount.kind !== 'literal' || !isSimpleAmount || !AMOUNT_WITH_UNIT.test(amount.value))
        reading.refuseConstruct("An INTERVAL in another form than INTERVAL '1 day'");
      return intervalOf(amount, '');
    }
    const unitName = reading.readFields(fields.take('unit'), 'INTERVAL', (unit) =>
      readUnit(reading, unit.text('type') === 'simple' ? unit.text('unit') : '', 'INTERVAL'),
    );
    return intervalOf(amount, unitName);
  },
  function: readCall,
  aggregate_function: readCall,
  within_group: readWithinGroup,
  extract: (reading, fields) => {
    const field = fields.take('field');
    const unit = readUnit(reading, asText(isNode(field) ? field['Custom'] : field), 'EXTRACT');
    return {
      ...readCall(reading, new Fields({ name: 'extract', known: true })),
      unit,
      args: [reading.readExpression(fields.take('this'))],
    };
  },
  group_concat: readConcat,
  window_function: readWindowedCall,
};

const readCast = (reading: Reading, fields: Fields, safe: boolean): Expression =>
  nodeOf('cast', {
    value: reading.readExpression(fields.take('this')),
    type: readType(reading, asNode(fields.take('to'))),
    safe,
  });

function readSafeCast(reading: Reading, fields: Fields, feature: 'try_cast' | 'safe_cast'): Expression {
  if (!reading.grammar.features.has(feature)) reading.refuseConstruct(feature.toUpperCase());
  return readCast(reading, fields, true);
}

function readTruthTest(reading: Reading, fields: Fields, is: 'true' | 'false'): Expression {
  if (!reading.grammar.features.has('is true')) reading.refuseConstruct(`IS ${is.toUpperCase()}`);
  const value = reading.readExpression(fields.take('this'));
  return nodeOf('is_truth', { value, is, negated: fields.flag('not') });
}

const SIZE_FIELDS = ['length', 'precision', 'scale'];
const TYPE_FIELDS = new Set(['data_type', 'name', 'timezone', 'integer_spelling', ...SIZE_FIELDS]);

function readType(reading: Reading, type: Record<string, unknown>): TypeName {
  const { grammar } = reading;
  const isCustom = type['data_type'] === 'custom';
  const hasUnknownFields = Object.entries(type).some(([key, value]) => !TYPE_FIELDS.has(key) && !isEmpty(value));
  const writtenType = asText(type[isCustom ? 'name' : 'data_type']);
  const [, name = '', modifierText] = /^([^()]*)(?:\((.*)\))?$/.exec(writtenType.replaceAll(' ', '')) ?? [];
  const sizes = SIZE_FIELDS.map((key) => type[key]).filter((value) => !isEmpty(value));
  const modifiers = sizes.length > 0 ? sizes.map(String) : modifierText === undefined ? [] : modifierText.split(',');
  const typeName: TypeName = {
    ...typeOf(grammar.foldType(name + (type['timezone'] === true ? ' with time zone' : ''))),
    modifiers,
  };
  const isKnownType =
    grammar.types.test(typeText(typeName)) && !hasUnknownFields && (isCustom || isEmpty(type['name']));
  if (!isKnownType) reading.faults.add('type', grammar.typesMessage);
  return typeName;
}
