// Refuses a change between two periods if another condition on the same date leaves out a part of one of the periods.
import { toPeriodConditions } from '../filters.ts';
import {
  type Condition,
  type Filter,
  flattenMeasure,
  formatField,
  isBaseMeasure,
  isDayPart,
  isSameField,
  type LensPlan,
  listNestedMeasures,
  type TimeWindow,
} from '../lens-plan.ts';
import type { Compilation } from './compilation.ts';
import { isEarlier, parseValueRange } from './stored-time.ts';

export function checkComparedPeriods(compilation: Compilation, plan: LensPlan): void {
  const zone = compilation.lens.timezone;
  const leavesOutPart = (condition: Condition, { field, from, to }: TimeWindow): boolean => {
    if (!isSameField(condition.field, field)) return false;
    const [start, end] = findBounds(condition);
    return (start !== null && isEarlier(from, start, zone)) || (end !== null && isEarlier(end, to, zone));
  };
  for (const change of listNestedMeasures(plan)) {
    if (change.fn !== 'change' || !change.from) continue;
    const ownFilters = flattenMeasure(change).flatMap((item) => (isBaseMeasure(item) && item.where) || []);
    for (const period of [change.from, change.to]) {
      const { field, from, to } = period;
      const message = `The change includes ${formatField(field)} from ${from} up to ${to}, but another condition on ${formatField(field)} leaves out a part of this period. Remove this condition.`;
      const isCut = (condition: Condition): boolean => leavesOutPart(condition, period);
      const condition = listConditions([...plan.filters, ...ownFilters]).find(isCut);
      if (plan.time && toPeriodConditions(plan.time).some(isCut)) compilation.addFault(message, 'time');
      else if (condition)
        compilation.addConditionFault(message, [formatField(field), condition.field.grain ?? []].flat().join('.'));
    }
  }
}

const listConditions = (filters: Filter[]): Condition[] =>
  filters.flatMap((filter) => ('all' in filter ? listConditions(filter.all) : 'field' in filter ? [filter] : []));

/** The first time that can satisfy the condition, and the time after the last. */
function findBounds({
  field: { grain },
  op,
  values,
  other,
  than,
  or_null: orNull,
}: Condition): [string | null, string | null] {
  if (isDayPart(grain) || other || than || orNull || values.length === 0) return [null, null];
  const ranges = values.map((value) => parseValueRange(String(value), grain ?? null, 'datetime'));
  const [first, last] = [ranges[0]!, ranges.at(-1)!];
  const [start, end] = [first.from, last.to ?? last.from];
  switch (op) {
    case '=':
    case 'between':
      return [start, end];
    case '>=':
      return [start, null];
    case '>':
      return [first.to ?? start, null];
    case '<':
      return [null, start];
    case '<=':
      return [null, end];
    default:
      return [null, null];
  }
}
