// Reads INTERVAL. The parser returns INTERVAL 3 DAY as to_days(cast(trunc(cast(3 as double)) as integer)).

import { type AstNode, asList, asNode, asText } from '../../../dialects/ast.ts';
import type { Expression } from '../../../dialects/tree.ts';
import { placeOf, type Reading } from './native.ts';

/** The unit of each function, and the type to which the parser truncates its argument. */
const UNITS = new Map<string, { unit: string; cut: 'INTEGER' | 'BIGINT' | null }>([
  ['to_millennia', { unit: 'millennium', cut: 'INTEGER' }],
  ['to_centuries', { unit: 'century', cut: 'INTEGER' }],
  ['to_decades', { unit: 'decade', cut: 'INTEGER' }],
  ['to_years', { unit: 'year', cut: 'INTEGER' }],
  ['to_quarters', { unit: 'quarter', cut: 'INTEGER' }],
  ['to_months', { unit: 'month', cut: 'INTEGER' }],
  ['to_weeks', { unit: 'week', cut: 'INTEGER' }],
  ['to_days', { unit: 'day', cut: 'INTEGER' }],
  ['to_hours', { unit: 'hour', cut: 'BIGINT' }],
  ['to_minutes', { unit: 'minute', cut: 'BIGINT' }],
  ['to_seconds', { unit: 'second', cut: null }],
  ['to_milliseconds', { unit: 'millisecond', cut: null }],
  ['to_microseconds', { unit: 'microsecond', cut: 'BIGINT' }],
]);

/** Null for other calls, including those that only resemble an INTERVAL. */
export function readInterval(reading: Reading, node: AstNode): Expression | null {
  const intervalUnit = node['schema'] === '' ? UNITS.get(asText(node['function_name'])) : undefined;
  if (!intervalUnit) return null;
  const argument = onlyArgument(node);
  const double = intervalUnit.cut === null ? argument : onlyArgument(castOf(argument, intervalUnit.cut), 'trunc');
  const amount = castOf(double, 'DOUBLE');
  return amount && { kind: 'interval', amount: reading.expression(amount), unit: intervalUnit.unit, at: placeOf(node) };
}

function onlyArgument(node: AstNode | null, called?: string): AstNode | null {
  const args = asList(node?.['children']);
  const isPlainCall =
    node?.['class'] === 'FUNCTION' && node['alias'] === '' && node['schema'] === '' && args.length === 1;
  if (!isPlainCall || (called !== undefined && node['function_name'] !== called)) return null;
  if (node['distinct'] !== false || node['filter'] || asList(asNode(node['order_bys'])['orders']).length > 0)
    return null;
  return asNode(args[0]);
}

function castOf(node: AstNode | null, type: string): AstNode | null {
  const { id, type_info } = asNode(node?.['cast_type']);
  const isPlainCast = node?.['class'] === 'CAST' && node['alias'] === '' && node['try_cast'] === false && !type_info;
  return isPlainCast && id === type ? asNode(node['child']) : null;
}
