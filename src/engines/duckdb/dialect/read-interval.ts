// Converts intervals. The parser returns INTERVAL 3 DAY as to_days(cast(trunc(cast(3 as double)) as integer)).

import { type AstNode, toAstNode, toList, toTextOrEmpty } from '../../../dialects/ast.ts';
import { nodeOf } from '../../../dialects/make-nodes.ts';
import type { Expression } from '../../../dialects/tree.ts';
import type { ReadContext } from './native.ts';

const INTERVAL_UNITS = new Map<string, { unit: string; castType: 'INTEGER' | 'BIGINT' | null }>([
  ['to_millennia', { unit: 'millennium', castType: 'INTEGER' }],
  ['to_centuries', { unit: 'century', castType: 'INTEGER' }],
  ['to_decades', { unit: 'decade', castType: 'INTEGER' }],
  ['to_years', { unit: 'year', castType: 'INTEGER' }],
  ['to_quarters', { unit: 'quarter', castType: 'INTEGER' }],
  ['to_months', { unit: 'month', castType: 'INTEGER' }],
  ['to_weeks', { unit: 'week', castType: 'INTEGER' }],
  ['to_days', { unit: 'day', castType: 'INTEGER' }],
  ['to_hours', { unit: 'hour', castType: 'BIGINT' }],
  ['to_minutes', { unit: 'minute', castType: 'BIGINT' }],
  ['to_seconds', { unit: 'second', castType: null }],
  ['to_milliseconds', { unit: 'millisecond', castType: null }],
  ['to_microseconds', { unit: 'microsecond', castType: 'BIGINT' }],
]);

/** Returns null for other calls, including calls that only resemble an INTERVAL. */
export function readInterval(reading: ReadContext, node: AstNode): Expression | null {
  const intervalUnit = node['schema'] === '' ? INTERVAL_UNITS.get(toTextOrEmpty(node['function_name'])) : undefined;
  if (!intervalUnit) return null;
  const argument = findOnlyArgument(node);
  const double =
    intervalUnit.castType === null ? argument : findOnlyArgument(unwrapCast(argument, intervalUnit.castType), 'trunc');
  const amount = unwrapCast(double, 'DOUBLE');
  return amount && nodeOf('interval', { amount: reading.readExpression(amount), unit: intervalUnit.unit });
}

function findOnlyArgument(node: AstNode | null, functionName?: string): AstNode | null {
  const args = toList(node?.['children']);
  const isPlainCall =
    node?.['class'] === 'FUNCTION' && node['alias'] === '' && node['schema'] === '' && args.length === 1;
  if (!isPlainCall || (functionName !== undefined && node['function_name'] !== functionName)) return null;
  if (node['distinct'] !== false || node['filter'] || toList(toAstNode(node['order_bys'])['orders']).length > 0)
    return null;
  return toAstNode(args[0]);
}

function unwrapCast(node: AstNode | null, type: string): AstNode | null {
  const { id, type_info } = toAstNode(node?.['cast_type']);
  const isPlainCast = node?.['class'] === 'CAST' && node['alias'] === '' && node['try_cast'] === false && !type_info;
  return isPlainCast && id === type ? toAstNode(node['child']) : null;
}
