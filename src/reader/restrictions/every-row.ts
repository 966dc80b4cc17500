// "customers who bought only furniture": some row matches and none is different. A row without a value is
// different.

import { countsOf, without } from '../../plan/filters.ts';
import type { Condition, Exists, Filter, LensPlan } from '../../plan/lens-plan.ts';
import type { Counted, Rows } from './plan-parts.ts';

/** The rows for which it must hold: those that match the other conditions, or all. */
export type Reach = 'within' | 'always';

const missing = ({ field }: Condition): Condition => ({ field, op: 'is_null', values: [] });
const opposite = (filter: Filter): Filter => {
  if ('field' in filter && (filter.op === '=' || filter.op === 'in') && !filter.than && !filter.other)
    return { ...filter, op: filter.op === '=' ? '!=' : 'not_in', or_null: true };
  return 'field' in filter ? { any: [{ not: filter }, missing(filter)] } : { not: filter };
};
/** A period is violated before its start or from its end on. */
const otherwise = (filters: readonly Filter[]): Filter => {
  const [first, second, more] = filters;
  if (first && !second) return opposite(first);
  const [from, to] = [first, second] as [Condition, Condition];
  if (!more && from.op === '>=' && to.op === '<')
    return { any: [{ ...from, op: '<' }, { ...to, op: '>=' }, missing(from)] };
  return { any: filters.map(opposite) };
};

/** No row of the thing is different. Null if no plan expresses it. */
export function noneOtherwise(
  { related, filters }: Rows,
  focus: readonly Filter[],
  reach: Reach,
  counted: Counted,
): Filter | null {
  const other = otherwise(focus);
  // A filter added for this word doesn't restrict rows.
  const isAdded = (one: Filter): boolean =>
    'not_exists' in one && JSON.stringify(one.where?.at(-1)) === JSON.stringify(other);
  const rest = reach === 'within' ? filters.filter((one) => !focus.includes(one) && !isAdded(one)) : [];
  const where = [...rest, other];
  if (related && !('exists' in related && countsOf(related).length === 0)) return null;
  if (related) return without({ ...related, where });
  return counted.are === 'things' ? { not_exists: counted.home, sharing: counted.key, where } : null;
}

/** The thing has a row for each value: "bought furniture and technology". */
export function oneOfEach(
  plan: LensPlan,
  { related, filters }: Rows,
  focus: Filter,
  counted: Counted,
): LensPlan | null {
  if (!('field' in focus) || focus.op !== 'in') return null;
  const rest = filters.filter((one) => one !== focus);
  const each = focus.values.map((value): Filter => ({ ...focus, op: '=', values: [value] }));
  if (related) {
    if ('not_exists' in related || countsOf(related).length > 0 || !plan.filters.includes(related)) return null;
    const some = each.map((one): Exists => ({ ...related, where: [...rest, one] }));
    return { ...plan, filters: plan.filters.flatMap((one): Filter[] => (one === related ? some : [one])) };
  }
  if (counted.are !== 'things') return null;
  const { home, key } = counted;
  const some = each.map((one): Exists => ({ exists: home, sharing: key, where: [...rest, one] }));
  return { ...plan, filters: [...plan.filters.filter((one) => one !== focus), ...some] };
}
