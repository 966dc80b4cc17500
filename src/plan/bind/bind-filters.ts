// Resolves the names in a plan's filters.
import type { PlanComparison, PlanExists, PlanFilter, PlanNotExists } from '../../contract/plan-types.ts';
import { isTemporal } from '../../contract/warehouse.ts';
import { findDatasetOfPath } from '../../lens/model/join-paths.ts';
import { findField } from '../../lens/model/lens.ts';
import { PERIOD_FORMS, parseNamedDay, parseNamedPeriod } from '../../lens/model/named-period.ts';
import { toPeriodConditions } from '../filters.ts';
import {
  type Condition,
  type FieldRef,
  type Filter,
  formatField,
  isDayPart,
  type Scalar,
  type TimeWindow,
} from '../lens-plan.ts';
import { type BindingContext, listDates, requirePlainField, resolveField, resolvePath } from './names.ts';

export const bindFilters = (
  names: BindingContext,
  filters: readonly PlanFilter[] | undefined,
  path: string,
): Filter[] => (filters ?? []).flatMap((filter, index) => bindFilter(names, filter, `${path}[${index}]`) ?? []);

export function bindFilter(names: BindingContext, filter: PlanFilter, path: string): Filter | null {
  if ('field' in filter) return bindComparison(names, filter, path);
  if ('any' in filter) return { any: bindFilters(names, filter.any, `${path}.any`) };
  if ('all' in filter) return { all: bindFilters(names, filter.all, `${path}.all`) };
  if ('not' in filter) {
    const innerFilter = bindFilter(names, filter.not, `${path}.not`);
    return innerFilter && { not: innerFilter };
  }
  return bindRelated(names, filter, path);
}

function bindComparison(names: BindingContext, filter: PlanComparison, path: string): Filter | null {
  const { op, values, other, than, during } = filter;
  const comparisonMembers = [
    values.length > 0 && 'values',
    other && 'other',
    than && 'than',
    during !== undefined && 'during',
  ].filter((item): item is string => typeof item === 'string');
  if (filter.or_null && (values.length === 0 || (op !== '!=' && op !== 'not_in'))) {
    const condition = bindComparison(names, { ...filter, or_null: undefined }, path);
    const field = condition && resolveField(names, filter.field, `${path}.field`);
    if (!field) return null;
    const nullCondition: Filter = { field: { path: field.path, field: field.field }, op: 'is_null', values: [] };
    return { any: [condition, nullCondition] };
  }
  if (comparisonMembers.length > 1)
    return names.reportProblem(
      `${path}.${comparisonMembers[1]}`,
      `Give either ${comparisonMembers.join(' or ')}, not both.`,
    );
  const field = resolveField(names, filter.field, `${path}.field`);
  if (!field) return null;
  if (during !== undefined) return bindDuring(names, filter, field, path);
  if (other) {
    const otherField = resolveField(names, other.field, `${path}.other.field`);
    return otherField && { field, op, values: [], other: { field: otherField, plus: other.plus } };
  }
  if (than) {
    const comparedPath = `${path}.than.field`;
    const comparedField = requirePlainField(
      names,
      resolveField(names, than.field, comparedPath),
      'An aggregate',
      comparedPath,
    );
    if (!comparedField || !requirePlainField(names, field, 'A comparison with an aggregate', `${path}.field`))
      return null;
    const where = bindFilters({ ...names, nearPath: comparedField.path }, than.where, `${path}.than.where`);
    const groupFields = (than.per ?? []).flatMap(
      (item, index) => resolveField(names, item, `${path}.than.per[${index}]`) ?? [],
    );
    return { field, op, values: [], than: { fn: than.fn, field: comparedField, where, per: groupFields } };
  }
  return { field, op, values: resolveNamedDays(names, field, values), ...(filter.or_null && { or_null: true }) };
}

/** Replaces "today" and "yesterday" with their dates, if the field is a date. */
function resolveNamedDays({ lens, now }: BindingContext, { path, field, grain }: FieldRef, values: Scalar[]): Scalar[] {
  if (isDayPart(grain) || !isTemporal(findField(findDatasetOfPath(lens, path)!, field)!.datatype)) return values;
  return values.map((value) =>
    typeof value === 'string' ? (parseNamedDay(value, now, lens.timezone) ?? value) : value,
  );
}

function bindDuring(
  names: BindingContext,
  filter: PlanComparison,
  field: Condition['field'],
  path: string,
): Filter | null {
  const { lens, reportProblem } = names;
  const dataset = findDatasetOfPath(lens, field.path)!;
  if (filter.op !== '=') return reportProblem(`${path}.op`, '`during` already compares the date. Remove `op`.');
  if (!isTemporal(findField(dataset, field.field)!.datatype)) {
    const dates = listDates(dataset);
    return reportProblem(
      `${path}.field`,
      `${formatField(field)} is not a date.${dates.length > 0 ? ` Dates in ${field.path}: ${dates.join(', ')}.` : ' Compare it with values.'}`,
    );
  }
  if (!requirePlainField(names, field, 'A period', `${path}.field`)) return null;
  const window = bindPeriod(names, filter.during!, `${path}.during`);
  return window && { all: toPeriodConditions({ field, ...window }) };
}

export function bindPeriod(
  { lens, now, reportProblem }: BindingContext,
  text: string,
  path: string,
): Omit<TimeWindow, 'field'> | null {
  return (
    parseNamedPeriod(text, now, lens.timezone) ??
    reportProblem(path, `"${text}" is not a period. Use one of: ${PERIOD_FORMS}.`)
  );
}

function bindRelated(names: BindingContext, filter: PlanExists | PlanNotExists, path: string): Filter | null {
  const key = 'exists' in filter ? 'exists' : 'not_exists';
  const target = resolvePath(names, 'exists' in filter ? filter.exists : filter.not_exists, `${path}.${key}`);
  if (filter.via !== undefined && !names.lens.relationships.some(({ role }) => role === filter.via)) {
    const roles = names.lens.relationships.map(({ role }) => role);
    names.reportProblem(
      `${path}.via`,
      `There is no role "${filter.via}". The roles are: ${[...new Set(roles)].join(', ')}.`,
      'unknown_name',
    );
  }
  const { at_least: atLeast = 0, at_most: atMost = Infinity, exactly = atLeast } = 'exists' in filter ? filter : {};
  if (atLeast > atMost || exactly < atLeast || exactly > atMost)
    names.reportProblem(
      path,
      'No number of rows can satisfy `at_least`, `at_most` and `exactly` together. Give only one of them.',
    );
  if (!target) return null;
  const sharedField = filter.sharing && resolveField(names, `${target}.${filter.sharing}`, `${path}.sharing`);
  if (
    sharedField === null ||
    (sharedField && !requirePlainField(names, { ...sharedField, path: target }, 'sharing', `${path}.sharing`))
  )
    return null;
  return { ...filter, where: bindFilters({ ...names, nearPath: target }, filter.where, `${path}.where`) };
}
