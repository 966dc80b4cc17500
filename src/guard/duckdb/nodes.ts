// Small readings of single DuckDB tree nodes.
import { type AstNode, asList, asNode, asText } from '../ast.ts';
import { numberText } from './exact-json.ts';

/** The path of a column reference; null for every other node. */
export function pathOf(node: AstNode): string[] | null {
  if (node['class'] !== 'COLUMN_REF') return null;
  return asList(node['column_names']).map(asText);
}

/** The value of a constant, through casts; undefined for every other node. Decimals and big integers are text. */
export function constantOf(value: unknown): string | number | boolean | null | undefined {
  const node = asNode(value);
  if (node['class'] === 'CAST') return constantOf(node['child']);
  if (node['class'] !== 'CONSTANT') return undefined;
  const held = asNode(node['value']);
  if (held['is_null'] === true) return null;
  const type = asNode(held['type']);
  const raw = held['value'];
  if (typeof raw === 'boolean') return raw;
  switch (type['id']) {
    case 'VARCHAR':
      return asText(raw);
    case 'DECIMAL':
      return decimalText(wide(raw), Number(asNode(type['type_info'])['scale'] ?? 0));
    default: {
      const text = wide(raw).toString();
      return String(Number(text)) === text ? Number(text) : text;
    }
  }
}

/** `interval 1 month` arrives as to_months(…); its unit is what bounds a series. */
export function stepOrConstant(value: unknown): ReturnType<typeof constantOf> {
  const unit = /^to_(years|quarters|months|weeks|days|hours)$/.exec(asText(asNode(value)['function_name']));
  return unit ? `1 ${unit[1]}` : constantOf(value);
}

/** 128-bit values come as two halves. */
function wide(raw: unknown): string {
  if (typeof raw !== 'object' || raw === null) return numberText(raw);
  const half = asNode(raw);
  return ((BigInt(numberText(half['upper'])) << 64n) + BigInt(numberText(half['lower']))).toString();
}

function decimalText(digits: string, scale: number): string {
  if (scale === 0) return digits;
  const negative = digits.startsWith('-');
  const padded = digits.replace('-', '').padStart(scale + 1, '0');
  return `${negative ? '-' : ''}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

/** The name DuckDB gives an output column; for a computed one its text, of which only the beginning is known here. */
export function outputName(node: AstNode): string {
  const alias = asText(node['alias']);
  if (alias !== '') return alias;
  const path = pathOf(node);
  if (path) return path.at(-1) ?? '';
  if (node['class'] === 'CAST') return outputName(asNode(node['child']));
  const name = asText(node['function_name']);
  return name === '' ? '(expression)' : `${name}(…)`;
}
