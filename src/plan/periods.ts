// Lists each period of a date between two ends, so that a period without rows has a group.
import { DateTime } from 'luxon';
import { Problem } from '../platform/problem.ts';
import { isRelated, listInnerFilters } from './filters.ts';
import {
  type FieldRef,
  type Filter,
  flattenMeasure,
  isGroupMeasure,
  isSameField,
  type LensPlan,
  type Period,
} from './lens-plan.ts';

/** Allows one period for each day of a year. */
const MAX_PERIODS = 400;

interface PeriodEnds {
  from: string;
  /** The exclusive end of the series. */
  to: string;
}

const createInvalidPeriodProblem = (message: string): Problem =>
  new Problem('invalid', message, { details: [{ path: 'every', message, code: 'invalid' }], param: 'every' });

/** The ends of the series, from the plan's period or from simple filters on the date. Null if the plan has neither. */
export function findSeriesEnds({ time, filters }: LensPlan, period: Period): PeriodEnds | null {
  if (time && isSameField(time.field, period)) return { from: time.from, to: time.to };
  const flatFilters = filters.flatMap((filter) => ('all' in filter ? filter.all : [filter]));
  const end = (op: '>=' | '<'): string | undefined => {
    const [first, second] = flatFilters.flatMap((item) =>
      'field' in item && isSameField(item.field, period) && !item.field.grain && item.op === op && !item.other
        ? item.values
        : [],
    );
    return second === undefined && typeof first === 'string' ? first : undefined;
  };
  const [from, to] = [end('>='), end('<')];
  if (from !== undefined && to !== undefined) return { from, to };
  if (!filters.some((filter) => isFilterOn(filter, period))) return null;
  const { path, field } = period;
  throw createInvalidPeriodProblem(
    `Filters on ${path}.${field} don't set the first and last ${period.grain} of the series. Give time: {field: ${path}.${field}, from, to} instead.`,
  );
}
const isFilterOn = (filter: Filter, date: FieldRef): boolean => {
  if ('field' in filter) return isSameField(filter.field, date) && filter.op !== 'is_not_null';
  return !isRelated(filter) && listInnerFilters(filter).some((innerFilter) => isFilterOn(innerFilter, date));
};

export const listPeriods = ({ every, measures }: LensPlan): Period[] =>
  [every, ...measures.flatMap(flattenMeasure).map((measure) => isGroupMeasure(measure) && measure.every)].flatMap(
    (item) => (typeof item === 'object' ? [item] : []),
  );

export function listPeriodStarts(plan: LensPlan, period: Period, zone: string): string[] {
  const { path, field, grain } = period;
  const ends = findSeriesEnds(plan, period);
  if (!ends)
    throw createInvalidPeriodProblem(
      `To list every ${grain}, svc needs a period. Give time: {field: ${path}.${field}, from, to}, or use \`during\` instead of from and to.`,
    );
  const { from, to } = ends;
  const toLocal = (text: string): DateTime => DateTime.fromISO(text.replace(' ', 'T'), { zone });
  const end = toLocal(to);
  const periodStarts: string[] = [];
  for (let day = toLocal(from).startOf(grain); day < end; day = day.plus({ [grain]: 1 })) {
    if (periodStarts.length === MAX_PERIODS)
      throw createInvalidPeriodProblem(
        `From ${from} to ${to}, ${path}.${field} has more than ${MAX_PERIODS} ${grain}s, and each would be a row. Give a shorter time window or a longer period than ${grain}.`,
      );
    periodStarts.push(day.toISODate()!);
  }
  if (periodStarts.length === 0)
    throw createInvalidPeriodProblem(`No ${grain} lies between ${from} and ${to}. Give the earlier date as from.`);
  return periodStarts;
}
