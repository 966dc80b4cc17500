// Nodes of DuckDB that hold no expression: types, constants and parameters.
import type { Analysis } from '../analysis.ts';
import { type AstNode, asNode, asText, isNode, replaceNode } from '../ast.ts';
import { onlyFields, type Walk, words } from '../walk.ts';
import { numberText } from './exact-json.ts';
import { constantOf } from './nodes.ts';
import { DUCKDB_TYPES } from './shapes.ts';

const CONSTANT_FIELDS = words('class type alias query_location value');

/** Every type inside a nested one, too. */
export function checkType(analysis: Analysis, value: unknown): void {
  if (Array.isArray(value)) {
    for (const one of value) checkType(analysis, one);
    return;
  }
  if (!isNode(value)) return;
  if (typeof value['id'] === 'string' && !DUCKDB_TYPES.has(value['id'])) {
    const name = asText(asNode(value['type_info'])['name']) || value['id'];
    analysis.faults.add('type', `The type ${name.toLowerCase()} is not allowed in a cast.`);
    return;
  }
  for (const child of Object.values(value)) checkType(analysis, child);
}

export function takeConstant(analysis: Analysis, node: AstNode): void {
  onlyFields(analysis, 'A constant', node, CONSTANT_FIELDS);
  checkType(analysis, asNode(node['value'])['type']);
  const value = constantOf(node);
  const location = Number(node['query_location']);
  if (value !== undefined && Number.isFinite(location)) analysis.constants.push({ location, value });
  const type = asText(asNode(asNode(node['value'])['type'])['id']);
  if (type === 'DOUBLE' || type === 'FLOAT' || type === 'BOOLEAN') castFromText(node, type);
}

/** DuckDB writes the double 1e10 as 10000000000.0, which reads back as a decimal, and true, which reads back as a cast of
 *  't'; a cast from text stays what it is. */
function castFromText(node: AstNode, type: string): void {
  const { alias, query_location, ...constant } = node;
  const raw = asNode(constant['value'])['value'];
  const text = typeof raw === 'boolean' ? (raw ? 't' : 'f') : numberText(raw);
  const value = { type: { id: 'VARCHAR', type_info: null }, is_null: false, value: text };
  const child = { ...constant, alias: '', query_location, value };
  const cast = { class: 'CAST', type: 'OPERATOR_CAST', alias, query_location, child };
  replaceNode(node, { ...cast, cast_type: { id: type, type_info: null }, try_cast: false });
}

/** $1 … $n may be written. */
export function checkParameter({ analysis, parameters }: Walk, node: AstNode): void {
  const name = asText(node['identifier']);
  if (!/^\d+$/.test(name) || Number(name) < 1 || Number(name) > parameters) {
    analysis.faults.add('parameter', `$${name} is not a parameter of this statement.`);
  }
}
