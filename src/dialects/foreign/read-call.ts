// Reads function calls, including window functions.
import { isAstNode, toAstNode, toTextOrEmpty } from '../ast.ts';
import { callOf } from '../make-nodes.ts';
import type { Call, Frame, FrameBound, Window } from '../tree.ts';
import { isEmptyField, type NodeFields, splitNode } from './fields.ts';
import { NULL_EXPRESSION, type TreeReader } from './tree-reader.ts';

export function readCall(reader: TreeReader, fields: NodeFields): Call {
  const { grammar } = reader;
  const name = grammar.foldFunction(fields.takeText('name'));
  const nodes = fields.takeList('args');
  const hasNoParentheses = fields.takeFlag('no_parens');
  const isKnown = fields.takeFlag('known');
  if (hasNoParentheses ? !grammar.bareCalls.has(name) || nodes.length > 0 : !isKnown)
    reader.refuseConstruct(`This form of ${name}`);
  const star = nodes.length === 1 && isUnqualifiedStar(nodes[0]);
  const unit = fields.take('unit');
  const filter = reader.readOptionalExpression(fields.take('filter'));
  if (filter && !grammar.features.has('filter')) reader.refuseConstruct('FILTER');
  return callOf(name, star ? [] : reader.readExpressions(nodes), {
    star,
    distinct: fields.takeFlag('distinct'),
    bare: hasNoParentheses,
    filter,
    unit: unit === undefined ? null : readTimeUnit(reader, toTextOrEmpty(unit), name),
  });
}

function isUnqualifiedStar(node: unknown): boolean {
  const [kind, data] = splitNode(node);
  return kind === 'star' && isEmptyField(toAstNode(data)['table']);
}

export function readTimeUnit({ grammar, faults }: TreeReader, writtenUnit: string, construct: string): string {
  const unit = writtenUnit.toUpperCase();
  if (!grammar.units.has(unit)) faults.add('construct', `This unit of ${construct} is not allowed here.`);
  return unit;
}

export function readWithinGroup(reader: TreeReader, fields: NodeFields): Call {
  const call = reader.readExpression(fields.take('this'));
  const orderBy = reader.readSortKeys(fields.takeList('order_by'));
  if (call.kind === 'call' && reader.grammar.features.has('within group')) return { ...call, within: true, orderBy };
  reader.refuseConstruct('WITHIN GROUP');
  return callOf('');
}

export function readConcat(reader: TreeReader, fields: NodeFields): Call {
  const value = reader.readExpression(fields.take('this'));
  const separator = reader.readOptionalExpression(fields.take('separator'));
  const separatorText = separator?.kind === 'literal' && separator.type === 'string' ? separator.value : null;
  if (separator && separatorText === null) reader.refuseConstruct('A computed SEPARATOR');
  return callOf('group_concat', [value], {
    distinct: fields.takeFlag('distinct'),
    orderBy: reader.readSortKeys(fields.takeList('order_by')),
    separator: separatorText,
  });
}

export function readWindowedCall(reader: TreeReader, fields: NodeFields): Call {
  const call = reader.readExpression(fields.take('this'));
  const window = readWindow(reader, fields.take('over'));
  if (call.kind === 'call' && call.over === null) return { ...call, over: window };
  reader.refuseConstruct('OVER on this expression');
  return callOf('');
}

export function readWindow(reader: TreeReader, node: unknown): Window {
  return reader.readFields(node, 'OVER', (fields) => {
    const name = fields.take('window_name');
    const base = name === undefined ? null : reader.readName(name);
    const partitionBy = reader.readExpressions(fields.takeList('partition_by'));
    const orderBy = reader.readSortKeys(fields.takeList('order_by'));
    const frame = readFrame(reader, fields.takeNode('frame'));
    const isNamed = base !== null && partitionBy.length === 0 && orderBy.length === 0 && frame === null;
    return { base, named: isNamed, partitionBy, orderBy, frame };
  });
}

function readFrame(reader: TreeReader, node: unknown): Frame | null {
  if (!isAstNode(node)) return null;
  return reader.readFields(node, 'A window frame', (fields) => {
    const unit = fields.takeText('kind').toLowerCase() as Frame['unit'];
    if (!reader.grammar.frames.has(unit)) reader.refuseConstruct('This window frame');
    const start = readFrameBound(reader, fields.take('start'));
    return { unit, start, end: fields.has('end') ? readFrameBound(reader, fields.take('end')) : null, exclude: null };
  });
}

const FRAME_BOUNDS: Readonly<Record<string, FrameBound['how']>> = {
  CurrentRow: 'current row',
  UnboundedPreceding: 'unbounded preceding',
  UnboundedFollowing: 'unbounded following',
};

function readFrameBound(reader: TreeReader, bound: unknown): FrameBound {
  const boundWithoutOffset = typeof bound === 'string' ? FRAME_BOUNDS[bound] : undefined;
  if (boundWithoutOffset) return { how: boundWithoutOffset, by: null };
  const [kind, by] = splitNode(bound);
  if (kind === 'Preceding' || kind === 'Following') {
    return { how: kind.toLowerCase() as FrameBound['how'], by: reader.readExpression(by) };
  }
  reader.refuseConstruct('This window frame');
  return { how: 'current row', by: NULL_EXPRESSION };
}
