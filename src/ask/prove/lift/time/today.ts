// Replaces "today" in a statement, including "today" plus or minus some days or months, with the date on which the
// statement runs.
import { DateTime } from 'luxon';
import { literalOf } from '../../../../dialects/make-nodes.ts';
import { replaceNodes, toConstant } from '../../../../dialects/nodes.ts';
import type { Expression, Node, Query } from '../../../../dialects/tree.ts';
import type { Lens } from '../../../../lens/model/lens.ts';

/**
 * Applies only to lenses in UTC, because in other time zones the warehouse session and the lens can have different
 * dates.
 */
export function resolveToday({ timezone }: Lens, query: Query, now: Date): Query {
  if (timezone !== 'UTC') return query;
  const today = DateTime.fromJSDate(now, { zone: 'utc' }).startOf('day');
  return replaceNodes(query, (node) => {
    const day = resolveDay(node, today);
    return day && literalOf('date', day.toISODate()!);
  });
}

function resolveDay(node: Node, today: DateTime): DateTime | null {
  if (node.kind === 'call' && node.name === 'current_date' && node.args.length === 0) return today;
  if (node.kind === 'cast' && node.type.name === 'date') return resolveDay(node.value, today);
  if (node.kind === 'call' && node.name === 'date_trunc' && node.args.length === 2) {
    const unit = String(toConstant(node.args[0]!)).toLowerCase();
    const day = resolveDay(node.args[1]!, today);
    return day && /^(?:day|week|month|quarter|year)$/.test(unit) ? day.startOf(unit as 'day') : null;
  }
  if (node.kind !== 'arithmetic' || !node.left || (node.operator !== '-' && node.operator !== '+')) return null;
  const from = resolveDay(node.left, today);
  const span = from && readDuration(node.right);
  return span ? from[node.operator === '-' ? 'minus' : 'plus'](span) : null;
}

export function readDuration(expression: Expression): Record<string, number> | null {
  const days = toConstant(expression);
  if (typeof days === 'number' && expression.kind === 'literal') return { days };
  const text =
    expression.kind === 'cast' && expression.type.name === 'interval'
      ? String(toConstant(expression.value))
      : expression.kind === 'interval'
        ? `${toConstant(expression.amount)} ${expression.unit}`
        : '';
  const [, count, unit] = /^(\d+) (day|week|month|quarter|year)s?$/i.exec(text) ?? [];
  return count ? { [`${unit!.toLowerCase()}s`]: Number(count) } : null;
}
