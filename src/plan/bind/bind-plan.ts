// Resolves the names of a plan (the body of /metrics) in a lens. Reports every error with the closest valid names. A
// member that svc can't use is an error, because svc must not ignore any part of a plan.
import type { MetricsBody } from '../../contract/ask.ts';
import type { PlanComparison, PlanFilter } from '../../contract/plan-types.ts';
import type { ProblemDetail } from '../../contract/problem.ts';
import { findCommonDataset } from '../../lens/model/join-paths.ts';
import { findDataset, type Lens } from '../../lens/model/lens.ts';
import { Problem } from '../../platform/problem.ts';
import { listConditions } from '../filters.ts';
import {
  type Aggregate,
  createEmptyPlan,
  type FieldRef,
  type Filter,
  formatField,
  type Grouping,
  type Having,
  type LensPlan,
  listBaseMeasures,
  listHiddenMeasures,
  type Measure,
  type MetricMeasure,
  type SortOrder,
} from '../lens-plan.ts';
import { createDefaultColumnName, isSameGrouping, removeDuplicateGroupings } from '../sql/dimension.ts';
import { bindFilter } from './bind-filters.ts';
import {
  bindDimensions,
  bindGroupDomain,
  bindHaving,
  bindMeasure,
  findMainDataset,
  listTimeFields,
  type MeasuresByName,
} from './bind-measures.ts';
import { bindWindow } from './bind-window.ts';
import {
  type BindingContext,
  type PlanProblemReporter,
  resolveDataset,
  resolveField,
  resolveMetric,
  resolvePath,
} from './names.ts';

const HAVING_OPERATORS = ['=', '!=', '>', '>=', '<', '<=', 'between'];

/** The maximum number of names, values and other constants in a plan. A larger plan would block other requests. */
const MAX_CONSTANTS = 5_000;

export function bindPlan(lens: Lens, body: MetricsBody, now: Date): LensPlan {
  if (countConstants(body) > MAX_CONSTANTS)
    throw new Problem(
      'invalid',
      'The plan has more than 5,000 names and values. Send several smaller plans, or replace long lists of values with other conditions.',
      { param: 'filters' },
    );
  const details: ProblemDetail[] = [];
  const reportProblem: PlanProblemReporter = (path, message, code = 'invalid') => {
    if (!details.some((existingDetail) => existingDetail.path === path && existingDetail.message === message))
      details.push({ path, message, code });
    return null;
  };
  const baseNames: BindingContext = { lens, now, reportProblem, nearPath: null, home: null };
  const metrics = (body.metrics ?? []).flatMap((name, index): (Measure & MetricMeasure)[] =>
    resolveMetric(baseNames, name, `metrics[${index}]`) ? [{ fn: 'metric', metric: name }] : [],
  );
  const { measures, measuresByName } = bindMeasures(baseNames, body, metrics);
  const rows = body.rows === undefined ? undefined : resolveDataset(baseNames, body.rows, 'rows');
  const names: BindingContext = {
    ...baseNames,
    home: rows ?? findMainDataset(lens, measures[0]),
    nearPath: rows ?? null,
  };
  const dimensions = bindDimensions(names, body.dimensions, 'dimensions');
  const { filters, having } = bindConditions(names, body);
  having.push(...bindHaving(names, body.having, measuresByName, 'having'));
  const order = bindOrder(names, body, measures, measuresByName, dimensions);
  const time = body.time
    ? bindWindow(names, body.time, findDefaultDates(lens, measures, dimensions, rows), 'time')
    : null;
  // A ranked listing contains each combination of its dimensions once, ordered by a measure.
  const isRanked =
    measures.length === 0 && body.distinct === true && listHiddenMeasures({ measures, order_by: order }).length > 0;
  const every = body.every === undefined ? undefined : bindGroupDomain(names, body.every, dimensions, 'every');
  const plan: LensPlan = {
    ...createEmptyPlan(),
    measures,
    dimensions,
    filters,
    having,
    time,
    order_by: order,
    limit: body.limit ?? null,
    distinct: isRanked ? false : (body.distinct ?? false),
    ...(rows && { rows }),
    ...(body.offset && { offset: body.offset }),
    ...(body.per && { per: body.per.flatMap((item, index) => resolvePath(names, item, `per[${index}]`) ?? []) }),
    ...(every && { every }),
    ...(body.limit_per && {
      limit_per: {
        by: bindDimensions(names, body.limit_per.by, 'limit_per.by'),
        rows: body.limit_per.rows,
        ...(body.limit_per.ties && { ties: true }),
      },
    }),
    ...(measures.length === 0 && (body.having?.length || body.per || isRanked) ? { grouped: true } : {}),
  };
  reportUnusedMembers(plan, body, reportProblem);
  checkChoices(plan, body, reportProblem);
  if (details.length > 0)
    throw new Problem('invalid', details.map(({ message }) => message).join(' '), { details, param: details[0]!.path });
  return plan;
}

const countConstants = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((count, item) => count + countConstants(item), 0)
    : 1;

function bindMeasures(
  names: BindingContext,
  body: MetricsBody,
  metrics: Measure[],
): { measures: Measure[]; measuresByName: MeasuresByName } {
  const measuresByName = new Map<string, Measure>();
  const computedMeasures = (body.measures ?? []).flatMap((planMeasure, index): Measure[] => {
    const path = `measures[${index}]`;
    const measure = bindMeasure(
      { ...names, home: findMainDataset(names.lens, metrics[0]) },
      planMeasure,
      measuresByName,
      path,
    );
    if (!measure) return [];
    const { as } = measure;
    if (as !== undefined && (measuresByName.has(as) || body.metrics?.includes(as)))
      names.reportProblem(`${path}.as`, `"${as}" is already the name of a column. Choose another name.`, 'repeated');
    if (as !== undefined) measuresByName.set(as, { ...measure, as: undefined });
    return [measure];
  });
  return { measures: [...metrics, ...computedMeasures], measuresByName };
}

/** Separates filters on rows from filters on groups, which name a metric. */
function bindConditions(names: BindingContext, body: MetricsBody): { filters: Filter[]; having: Having[] } {
  const filters: Filter[] = [];
  const having: Having[] = [];
  const isMetricFilter = (filter: PlanFilter): filter is PlanComparison =>
    'field' in filter && names.lens.metrics.some(({ name }) => name === filter.field);
  for (const [index, filter] of (body.filters ?? []).entries()) {
    const path = `filters[${index}]`;
    const condition = isMetricFilter(filter) ? null : bindFilter(names, filter, path);
    if (isMetricFilter(filter)) having.push(...bindGroupCondition(names, body, filter, path));
    else if (condition) filters.push(condition);
  }
  return { filters, having };
}

function bindGroupCondition(
  { reportProblem }: BindingContext,
  body: MetricsBody,
  filter: PlanComparison,
  path: string,
): Having[] {
  const { field: name, op, values, other, than, during } = filter;
  const numbers = values.map((value) => (isNumber(value) ? Number(value) : Number.NaN));
  if ((body.metrics ?? []).length === 0 && (body.measures ?? []).length === 0)
    reportProblem(`${path}.field`, `A condition on ${name} needs groups. Add ${name} or another metric to metrics.`);
  else if (other || than || during !== undefined)
    reportProblem(
      `${path}.${other ? 'other' : than ? 'than' : 'during'}`,
      `The metric ${name} can be compared only with a number here. To compare it with another measure, use having.`,
    );
  else if (!HAVING_OPERATORS.includes(op))
    reportProblem(`${path}.op`, `${op} can't be used on a metric; use ${HAVING_OPERATORS.join(', ')}.`);
  else if (values.length === 0 || numbers.some((value) => !Number.isFinite(value)))
    reportProblem(`${path}.values`, `The metric ${name} can be compared only with a number.`);
  else return [{ measure: { fn: 'metric', metric: name }, op: op as Having['op'], values: numbers }];
  return [];
}
const isNumber = (value: string | number | boolean): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');

function bindOrder(
  names: BindingContext,
  body: MetricsBody,
  measures: Measure[],
  measuresByName: MeasuresByName,
  dimensions: Grouping[],
): SortOrder[] {
  const seenKeys = new Set<string>();
  return (body.order_by ?? []).flatMap(({ field: name, measure, direction, nulls }, index): SortOrder[] => {
    const orderPath = `order_by[${index}]`;
    if ((name === undefined) === (measure === undefined)) {
      names.reportProblem(`${orderPath}.field`, `Give either ${orderPath}.field or ${orderPath}.measure.`, 'missing');
      return [];
    }
    const path = name === undefined ? `${orderPath}.measure` : `${orderPath}.field`;
    const sortTarget =
      name === undefined
        ? createMeasureSortTarget(bindMeasure(names, measure!, measuresByName, path))
        : bindSortTarget(names, body, name, path, { measures, dimensions });
    if (!sortTarget) return [];
    const key = JSON.stringify(sortTarget);
    if (seenKeys.has(key)) {
      names.reportProblem(path, `order_by has "${name ?? 'this measure'}" twice. Remove one.`, 'repeated');
      return [];
    }
    seenKeys.add(key);
    return [{ ...sortTarget, direction, ...(nulls === 'first' && { nulls }) }];
  });
}

type SortTarget = { field: FieldRef } | { measure: Measure };
/** Removes the column name, because a measure that only orders the result isn't a column of the result. */
const createMeasureSortTarget = (measure: Measure | null): SortTarget | null =>
  measure && { measure: { ...measure, as: undefined } };

function bindSortTarget(
  names: BindingContext,
  body: MetricsBody,
  name: string,
  path: string,
  { measures, dimensions }: { measures: Measure[]; dimensions: Grouping[] },
): SortTarget | null {
  const { lens, reportProblem } = names;
  const shownMeasure = measures.find(
    (measure) =>
      measure.as === name ||
      (measure.as === undefined && measure.fn === 'metric' && !measure.where && measure.metric === name),
  );
  if (shownMeasure) return createMeasureSortTarget(shownMeasure);
  const namedDimension = dimensions.find((ref) => ref.as === name);
  if (namedDimension) return { field: namedDimension };
  if (lens.metrics.some((metric) => metric.name === name)) {
    if (measures.length === 0 && !body.having?.length && !body.per)
      return reportProblem(
        path,
        `A listing can't be ordered by the metric "${name}". Add "${name}" to metrics. svc then groups by the dimensions.`,
      );
    return { measure: { fn: 'metric', metric: name } };
  }
  const isGrouped = measures.length > 0 || Boolean(body.having?.length || body.per);
  const columns = findColumnsNamed(names, name, dimensions, { path, isGrouped });
  if (columns.length > 1)
    return reportProblem(
      path,
      `"${name}" is the name of several columns. ${new Set(columns.map((ref) => ref.path)).size > 1 ? `Write ${columns.map((ref) => formatField(ref)).join(' or ')}.` : 'Name one of them with as.'}`,
      'ambiguous',
    );
  const [orderField] = columns;
  if (orderField && isGrouped && !dimensions.some((dimension) => isSameGrouping(dimension, orderField)))
    return reportProblem(
      path,
      `${formatField(orderField)} is not among the dimensions, so the groups can't be ordered by it. Order by a column (${[...dimensions.map(createDefaultColumnName), ...measures.flatMap((measure) => measure.as ?? (measure.fn === 'metric' && !measure.where ? measure.metric : []))].join(', ')}) or by a measure of it.`,
    );
  return orderField ? { field: orderField } : null;
}

/**
 * Returns the columns with this name, otherwise the column of the field with this name. If a grouped result has
 * neither, returns the columns that are derived from the field, such as its bins, or the field itself.
 */
function findColumnsNamed(
  names: BindingContext,
  name: string,
  dimensions: Grouping[],
  { path, isGrouped }: { path: string; isGrouped: boolean },
): Grouping[] {
  const distinct = removeDuplicateGroupings(dimensions);
  const columns = distinct.filter((ref) => ref.as === undefined && createDefaultColumnName(ref) === name);
  if (columns.length > 0) return columns;
  const ref = resolveField(names, name, path);
  if (!ref) return [];
  const exact = distinct.find((dimension) => isSameGrouping(dimension, ref));
  if (exact || !isGrouped) return [exact ?? ref];
  const shown = distinct.filter(({ bin, through, where, ...grouping }) => isSameGrouping(grouping, ref));
  return shown.length > 0 ? shown : [ref];
}

/**
 * Returns the default dates of the measures. Without measures, returns the default date of the listed rows, but not the
 * dates of rows that are joined to them.
 */
function findDefaultDates(
  lens: Lens,
  measures: Measure[],
  dimensions: Grouping[],
  rows: string | null | undefined,
): FieldRef[] {
  if (measures.length > 0) {
    const bases: (MetricMeasure | Aggregate)[] = measures.flatMap(listBaseMeasures);
    const times = bases.map((base) => listTimeFields(lens, base));
    return times.every((time) => time.length > 0) ? times.flat() : [];
  }
  const listedDataset = rows ?? findCommonDataset(lens, [...new Set(dimensions.map(({ path }) => path))]);
  const defaultDate = listedDataset ? findDataset(lens, listedDataset)?.timeField : null;
  return listedDataset && defaultDate ? [{ path: listedDataset, field: defaultDate }] : [];
}

/** Returns true if the body has a period but doesn't name the date that the period applies to. */
export function usesDefaultDate(body: unknown): boolean {
  if (body === null || typeof body !== 'object') return false;
  const members = body as Record<string, unknown>;
  const isWindow = ['from', 'to', 'during'].some((key) => typeof members[key] === 'string');
  return (isWindow && members['field'] === undefined) || Object.values(members).some(usesDefaultDate);
}

/** Reports members that have no effect because of other members. */
function reportUnusedMembers(plan: LensPlan, body: MetricsBody, reportProblem: PlanProblemReporter): void {
  const isGrouped = plan.measures.length > 0 || plan.grouped === true;
  const isSingleRow = isGrouped && plan.dimensions.length === 0 && !plan.per?.length;
  const hasSelection = [body.metrics, body.measures, body.dimensions].some((list) => (list ?? []).length > 0);
  if (!hasSelection) reportProblem('metrics', 'Name at least one metric or dimension.');
  if (isGrouped && body.rows !== undefined)
    reportProblem(
      'rows',
      '`rows` is only for a listing, and this plan has measures. Remove `rows`, or use `every` for groups without rows.',
    );
  if (!isGrouped && body.every !== undefined)
    reportProblem(
      'every',
      '`every` applies only to a plan with groups. Add a measure, or list the dataset with `rows`.',
    );
  if (isSingleRow && body.every !== undefined)
    reportProblem('every', '`every` needs groups. Add a dimension, or `per`.');
  if (isSingleRow && body.offset)
    reportProblem('offset', 'The result has one row, so it can’t be limited. Add a dimension.');
  if (isSingleRow && body.limit_per)
    reportProblem('limit_per', 'The result has one row. Add a dimension for the groups.');
  if (plan.distinct && plan.measures.length > 0)
    reportProblem(
      'distinct',
      '`distinct` is only for a listing. With metrics, each group is already one row. Remove `distinct`.',
    );
  if (plan.distinct && body.limit_per)
    reportProblem('limit_per', 'A distinct listing can’t have `limit_per`. Remove `distinct`.');
  if (plan.distinct && body.per) reportProblem('per', '`per` and `distinct` can’t be combined. Remove one of them.');
}

/** Reports choices for names that the plan neither filters nor measures. */
function checkChoices(plan: LensPlan, body: MetricsBody, reportProblem: PlanProblemReporter): void {
  const comparedFields = listConditions(plan).map(({ field }) => field);
  const bases = plan.measures.flatMap(listBaseMeasures);
  const measuredFields = bases.flatMap((base): FieldRef[] => ('field' in base ? [base.field] : []));
  for (const term of Object.keys(body.choices ?? {}))
    if (
      ![...comparedFields, ...measuredFields].some(({ path, field }) => term === field || term === `${path}.${field}`)
    )
      reportProblem(
        `choices.${term}`,
        `The plan neither filters nor measures "${term}", so it needs no choice for this name.`,
        'unknown_name',
      );
}
