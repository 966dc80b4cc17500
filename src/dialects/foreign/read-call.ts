// Reads function calls, including window functions.
import { asNode, asText, isNode } from '../ast.ts';
import { callOf } from '../make-nodes.ts';
import type { Call, Frame, FrameBound, Window } from '../tree.ts';
import { type Fields, isEmpty, kindOf } from './fields.ts';
import { NULL_EXPRESSION, type Reading } from './reader.ts';

export function readCall(reading: Reading, fields: Fields): Call {
  const { grammar } = reading;
  const name = grammar.foldFunction(fields.text('name'));
  const nodes = fields.list('args');
  const hasNoParentheses = fields.flag('no_parens');
  const isKnown = fields.flag('known');
  if (hasNoParentheses ? !grammar.bareCalls.has(name) || nodes.length > 0 : !isKnown)
    reading.refuseConstruct(`This form of ${name}`);
  const star = nodes.length === 1 && isWholeStar(nodes[0]);
  const unit = fields.take('unit');
  const filter = reading.readOptional(fields.take('filter'));
  if (filter && !grammar.features.has('filter')) reading.refuseConstruct('FILTER');
  return callOf(name, star ? [] : reading.readExpressions(nodes), {
    star,
    distinct: fields.flag('distinct'),
    bare: hasNoParentheses,
    filter,
    unit: unit === undefined ? null : readUnit(reading, asText(unit), name),
  });
}

function isWholeStar(node: unknown): boolean {
  const [kind, data] = kindOf(node);
  return kind === 'star' && isEmpty(asNode(data)['table']);
}

export function readUnit({ grammar, faults }: Reading, writtenUnit: string, construct: string): string {
  const unit = writtenUnit.toUpperCase();
  if (!grammar.units.has(unit)) faults.add('construct', `This unit of ${construct} is not allowed here.`);
  return unit;
}

export function readWithinGroup(reading: Reading, fields: Fields): Call {
  const call = reading.readExpression(fields.take('this'));
  const orderBy = reading.readSortKeys(fields.list('order_by'));
  if (call.kind === 'call' && reading.grammar.features.has('within group')) return { ...call, within: true, orderBy };
  reading.refuseConstruct('WITHIN GROUP');
  return callOf('');
}

export function readConcat(reading: Reading, fields: Fields): Call {
  const value = reading.readExpression(fields.take('this'));
  const separator = reading.readOptional(fields.take('separator'));
  const separatorText = separator?.kind === 'literal' && separator.type === 'string' ? separator.value : null;
  if (separator && separatorText === null) reading.refuseConstruct('A computed SEPARATOR');
  return callOf('group_concat', [value], {
    distinct: fields.flag('distinct'),
    orderBy: reading.readSortKeys(fields.list('order_by')),
    separator: separatorText,
  });
}

export function readWindowedCall(reading: Reading, fields: Fields): Call {
  const call = reading.readExpression(fields.take('this'));
  const window = readWindow(reading, fields.take('over'));
  if (call.kind === 'call' && call.over === null) return { ...call, over: window };
  reading.refuseConstruct('OVER on this expression');
  return callOf('');
}

export function readWindow(reading: Reading, node: unknown): Window {
  return reading.readFields(node, 'OVER', (fields) => {
    const name = fields.take('window_name');
    const base = name === undefined ? null : reading.readName(name);
    const partitionBy = reading.readExpressions(fields.list('partition_by'));
    const orderBy = reading.readSortKeys(fields.list('order_by'));
    const frame = readFrame(reading, fields.node('frame'));
    const isNamed = base !== null && partitionBy.length === 0 && orderBy.length === 0 && frame === null;
    return { base, named: isNamed, partitionBy, orderBy, frame };
  });
}

function readFrame(reading: Reading, node: unknown): Frame | null {
  if (!isNode(node)) return null;
  return reading.readFields(node, 'A window frame', (fields) => {
    const unit = fields.text('kind').toLowerCase() as Frame['unit'];
    if (!reading.grammar.frames.has(unit)) reading.refuseConstruct('This window frame');
    const start = readBound(reading, fields.take('start'));
    return { unit, start, end: fields.has('end') ? readBound(reading, fields.take('end')) : null, exclude: null };
  });
}

const FRAME_BOUNDS: Readonly<Record<string, FrameBound['how']>> = {
  CurrentRow: 'current row',
  UnboundedPreceding: 'unbounded preceding',
  UnboundedFollowing: 'unbounded following',
};

function readBound(reading: Reading, bound: unknown): FrameBound {
  const boundWithoutOffset = typeof bound === 'string' ? FRAME_BOUNDS[bound] : undefined;
  if (boundWithoutOffset) return { how: boundWithoutOffset, by: null };
  const [kind, by] = kindOf(bound);
  if (kind === 'Preceding' || kind === 'Following') {
    return { how: kind.toLowerCase() as FrameBound['how'], by: reading.readExpression(by) };
  }
  reading.refuseConstruct('This window frame');
  return { how: 'current row', by: NULL_EXPRESSION };
}
