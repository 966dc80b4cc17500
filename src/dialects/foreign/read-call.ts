// Reads function calls and their windows.
import { asNode, asText, isNode } from '../ast.ts';
import { callOf } from '../make-nodes.ts';
import type { Call, Frame, FrameBound, Window } from '../tree.ts';
import { Fields, isEmpty, kindOf } from './fields.ts';
import { NULL_EXPRESSION, type Reading } from './reader.ts';

export function readCall(reading: Reading, fields: Fields): Call {
  const { grammar } = reading;
  const name = grammar.foldFunction(fields.text('name'));
  const nodes = fields.list('args');
  const hasNoParentheses = fields.flag('no_parens');
  const isKnown = fields.flag('known');
  if (hasNoParentheses ? !grammar.bareCalls.has(name) || nodes.length > 0 : !isKnown)
    reading.construct(`This form of ${name}`);
  const star = nodes.length === 1 && isWholeStar(nodes[0]);
  const unit = fields.take('unit');
  const filter = reading.optional(fields.take('filter'));
  if (filter && !grammar.knows.has('filter')) reading.construct('FILTER');
  return callOf(name, star ? [] : reading.expressions(nodes), {
    star,
    distinct: fields.flag('distinct'),
    bare: hasNoParentheses,
    filter,
    unit: unit === undefined ? null : unitOf(reading, asText(unit), name),
  });
}

function isWholeStar(node: unknown): boolean {
  const [kind, data] = kindOf(node);
  return kind === 'star' && isEmpty(asNode(data)['table']);
}

export function unitOf({ grammar, faults }: Reading, written: string, construct: string): string {
  const unit = written.toUpperCase();
  if (!grammar.units.has(unit)) faults.add('construct', `This unit of ${construct} is not allowed here.`);
  return unit;
}

export function readWithin(reading: Reading, fields: Fields): Call {
  const call = reading.expression(fields.take('this'));
  const orderBy = reading.sortKeys(fields.list('order_by'));
  if (call.kind === 'call' && reading.grammar.knows.has('within group')) return { ...call, within: true, orderBy };
  reading.construct('WITHIN GROUP');
  return callOf('');
}

export function readConcat(reading: Reading, fields: Fields): Call {
  const value = reading.expression(fields.take('this'));
  const separator = reading.optional(fields.take('separator'));
  const text = separator?.kind === 'literal' && separator.type === 'string' ? separator.value : null;
  if (separator && text === null) reading.construct('A computed SEPARATOR');
  return callOf('group_concat', [value], {
    distinct: fields.flag('distinct'),
    orderBy: reading.sortKeys(fields.list('order_by')),
    separator: text,
  });
}

export function readWindowed(reading: Reading, fields: Fields): Call {
  const call = reading.expression(fields.take('this'));
  const over = readWindow(reading, fields.take('over'));
  if (call.kind === 'call' && call.over === null) return { ...call, over };
  reading.construct('OVER on this expression');
  return callOf('');
}

export function readWindow(reading: Reading, node: unknown): Window {
  const fields = new Fields(node);
  const base = fields.take('window_name');
  const window: Window = {
    base: base === undefined ? null : reading.name(base),
    named: false,
    partitionBy: reading.expressions(fields.list('partition_by')),
    orderBy: reading.sortKeys(fields.list('order_by')),
    frame: readFrame(reading, fields.node('frame')),
  };
  fields.end('OVER', reading.faults);
  const { partitionBy, orderBy, frame } = window;
  const isNamed = window.base !== null && partitionBy.length === 0 && orderBy.length === 0 && frame === null;
  return { ...window, named: isNamed };
}

function readFrame(reading: Reading, node: unknown): Frame | null {
  if (!isNode(node)) return null;
  const fields = new Fields(node);
  const unit = fields.text('kind').toLowerCase();
  if (!reading.grammar.frames.has(unit)) reading.construct('This window frame');
  const frame: Frame = {
    unit: unit as Frame['unit'],
    start: readBound(reading, fields.take('start')),
    end: fields.has('end') ? readBound(reading, fields.take('end')) : null,
    exclude: null,
  };
  fields.end('A window frame', reading.faults);
  return frame;
}

const BOUNDS: Readonly<Record<string, FrameBound['how']>> = {
  CurrentRow: 'current row',
  UnboundedPreceding: 'unbounded preceding',
  UnboundedFollowing: 'unbounded following',
};

function readBound(reading: Reading, bound: unknown): FrameBound {
  const open = typeof bound === 'string' ? BOUNDS[bound] : undefined;
  if (open) return { how: open, by: null };
  const [kind, by] = kindOf(bound);
  if (kind === 'Preceding' || kind === 'Following') {
    return { how: kind.toLowerCase() as FrameBound['how'], by: reading.expression(by) };
  }
  reading.construct('This window frame');
  return { how: 'current row', by: NULL_EXPRESSION };
}
