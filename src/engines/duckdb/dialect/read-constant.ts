// Converts constants. The digits of a number decide its type: leading zeros widen a decimal, and an exponent makes a
// double.

import { type AstNode, toAstNode, toList, toTextOrEmpty } from '../../../dialects/ast.ts';
import { literalOf, nullLiteral, numberOf, textOf } from '../../../dialects/make-nodes.ts';
import type { Literal, TypeName } from '../../../dialects/tree.ts';
import { readDigits } from './exact-json.ts';
import { type ReadContext, refuseConstruct, refuseOtherFields, toWordSet } from './native.ts';

const CONSTANT_FIELDS = toWordSet('class type alias query_location value');
const VALUE_FIELDS = toWordSet('type is_null value');
const TYPE_FIELDS = toWordSet('id type_info');
const TYPE_INFO_FIELDS = toWordSet('type alias extension_info width scale child_type child_types size');
const INTEGER_TYPES = toWordSet('INTEGER BIGINT HUGEINT');
const TYPED_LITERALS = new Map<string, Literal['type']>([
  ['DATE', 'date'],
  ['TIME', 'time'],
  ['TIMESTAMP', 'timestamp'],
]);

export function readConstant(reading: ReadContext, node: AstNode): Literal {
  refuseOtherFields(reading, 'A constant', node, CONSTANT_FIELDS);
  const constant = toAstNode(node['value']);
  refuseOtherFields(reading, 'A constant', constant, VALUE_FIELDS);
  const type = toAstNode(constant['type']);
  const id = toTextOrEmpty(type['id']);
  const raw = constant['value'];
  if (constant['is_null'] === true && id === 'NULL') return nullLiteral();
  if (constant['is_null'] === false) {
    if (id === 'VARCHAR') return textOf(toTextOrEmpty(raw));
    if (INTEGER_TYPES.has(id)) return numberOf(readWideInteger(raw));
    if (id === 'DECIMAL') return numberOf(writeDecimal(readWideInteger(raw), toAstNode(type['type_info'])));
    if (id === 'DOUBLE') {
      const text = readDigits(raw);
      return numberOf(/e/i.test(text) ? text : `${text}e0`);
    }
  }
  refuseConstruct(reading, `A constant of type ${id.toLowerCase()}`);
  return nullLiteral();
}

/**
 * Converts `true` and `date '2020-01-01'`, which the parser returns as casts of strings. Returns null for every other
 * cast.
 */
export function readTypedConstant(reading: ReadContext, cast: AstNode): Literal | null {
  const child = toAstNode(cast['child']);
  const { id, type_info } = toAstNode(cast['cast_type']);
  if (child['class'] !== 'CONSTANT' || child['alias'] !== '' || cast['try_cast'] !== false || type_info) return null;
  const { type, value } = readConstant(reading, child);
  if (type !== 'string') return null;
  const literalType = TYPED_LITERALS.get(toTextOrEmpty(id));
  if (literalType) return literalOf(literalType, value);
  if (id !== 'BOOLEAN' || (value !== 't' && value !== 'f')) return null;
  return literalOf('boolean', value === 't' ? 'true' : 'false');
}

/** Joins the two halves in which the parser returns a 128-bit value. */
function readWideInteger(raw: unknown): string {
  if (typeof raw !== 'object' || raw === null) return readDigits(raw);
  const half = toAstNode(raw);
  return ((BigInt(readDigits(half['upper'])) << 64n) + BigInt(readDigits(half['lower']))).toString();
}

function writeDecimal(digits: string, info: AstNode): string {
  const scale = Number(info['scale']);
  const paddedDigits = digits.replace('-', '').padStart(Number(info['width']), '0');
  return `${digits.startsWith('-') ? '-' : ''}${paddedDigits.slice(0, paddedDigits.length - scale)}.${paddedDigits.slice(paddedDigits.length - scale)}`;
}

/** Dimensions of lists and arrays follow the element type, and the outermost dimension is last. */
export function readType(reading: ReadContext, value: unknown): TypeName {
  const node = toAstNode(value);
  refuseOtherFields(reading, 'A type', node, TYPE_FIELDS);
  const id = toTextOrEmpty(node['id']);
  const info = toAstNode(node['type_info']);
  const alias = toTextOrEmpty(info['alias']);
  const name = id === 'UNBOUND' ? toTextOrEmpty(info['name']) || id : alias || id;
  const simpleType: TypeName = { name: name.toLowerCase(), modifiers: [], dimensions: [], fields: [] };
  if (id === 'UNBOUND' || alias !== '' || info['extension_info']) {
    // svc refuses any other type, because DuckDB would search the catalog for it.
    reading.faults.add('type', `The type ${simpleType.name} is not allowed in a cast.`);
    return simpleType;
  }
  refuseOtherFields(reading, 'A type', info, TYPE_INFO_FIELDS);
  switch (id) {
    case 'DECIMAL':
      return { ...simpleType, modifiers: [String(Number(info['width'])), String(Number(info['scale']))] };
    case 'LIST':
    case 'ARRAY': {
      const child = readType(reading, info['child_type']);
      return { ...child, dimensions: [...child.dimensions, id === 'LIST' ? null : Number(info['size'])] };
    }
    case 'MAP':
      return { ...simpleType, fields: readTypeFields(reading, toAstNode(toAstNode(info['child_type'])['type_info'])) };
    default:
      return { ...simpleType, fields: readTypeFields(reading, info) };
  }
}

const readTypeFields = (reading: ReadContext, info: AstNode): TypeName['fields'] =>
  toList(info['child_types'])
    .map(toAstNode)
    .map(({ first, second }) => ({ name: toTextOrEmpty(first), type: readType(reading, second) }));
