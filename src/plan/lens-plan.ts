// A plan whose names svc has resolved in the lens. `bindPlan` creates it from the plan in a request, and the question
// reader creates it from a question. The plan is plain data, which only compile-plan.ts turns into SQL.
import type * as plans from '../contract/plan-types.ts';
import type { Operator, Scalar } from '../contract/plan-types.ts';
import { DAY_PARTS, type DayPart, type Grain } from '../contract/warehouse.ts';

export type { DayPart, Operator, Scalar };
export { DAY_PARTS };
export const isDayPart = (grain: Grain | DayPart | undefined): grain is DayPart =>
  grain !== undefined && (DAY_PARTS as readonly string[]).includes(grain);

/** `path` is the name of a dataset or the role of a relationship, such as `origin`. */
export interface FieldRef {
  path: string;
  field: string;
  grain?: Grain | DayPart;
}

export const isSameField = (a: FieldRef, b: FieldRef): boolean => a.path === b.path && a.field === b.field;
/** The name of a field, with its dataset or role. */
export const formatField = ({ path, field }: FieldRef): string => `${path}.${field}`;

export interface Period extends FieldRef {
  grain: Grain;
}

export type Grouping = plans.PlanDimension<FieldRef>;
export type RowValue = plans.PlanValue<FieldRef>;
export type ElapsedTime = plans.PlanElapsedTime<FieldRef>;
export type RowCount = plans.PlanRowCount<FieldRef>;
export type FieldAggregate = plans.PlanAggregate<FieldRef>;
export type Aggregate = RowCount | FieldAggregate;
export type ValueAggregate = plans.PlanValueAggregate<FieldRef>;
export type ListMeasure = plans.PlanListAggregate<FieldRef>;
export type MetricMeasure = plans.PlanMetric<FieldRef>;
export type BaseMeasure = plans.PlanBaseMeasure<FieldRef>;
export type WindowMeasure = plans.PlanWindowMeasure<FieldRef>;
export type ChangeMeasure = plans.PlanChangeMeasure<FieldRef>;
export type GroupAggregate = plans.PlanGroupAggregate<FieldRef>;
export type GroupCount = plans.PlanGroupCount<FieldRef>;
export type Measure = plans.PlanMeasure<FieldRef>;
export type Condition = plans.PlanComparison<FieldRef>;
export type RelatedFilter = plans.PlanExists<FieldRef> | plans.PlanNotExists<FieldRef>;
export type ExistsFilter = plans.PlanExists<FieldRef>;
export type Filter = plans.PlanFilter<FieldRef>;
export type Having = plans.PlanHaving<FieldRef>;
export type TimeWindow = plans.PlanTimeWindow<FieldRef>;

export type SortOrder = plans.PlanOrder<FieldRef>;

export interface LensPlan {
  /** Empty for a listing, which shows the dimensions of each row. */
  measures: Measure[];
  dimensions: Grouping[];
  /** The dataset that a listing shows, if the dimensions don't determine it. */
  rows?: string;
  filters: Filter[];
  having: Having[];
  time: TimeWindow | null;
  order_by: SortOrder[];
  limit: number | null;
  /** The number of rows to skip. "The second highest" skips one row. */
  offset?: number;
  /**
   * Keeps only the first rows for each combination of these dimensions. In a plan with measures, `by` contains only
   * members of `dimensions`.
   */
  limit_per?: {
    by: Grouping[];
    rows: number;
    /** If true, the result also includes rows that tie with the last row. */
    ties?: true;
  };
  distinct: boolean;
  /**
   * Only in a plan with measures. The primary keys of these paths also group the result, but aren't columns. Two
   * customers with the same name therefore remain two rows.
   */
  per?: string[];
  /**
   * Only in a plan with measures. Each row of this dataset, or each period of this date, has a group even without a
   * value.
   */
  every?: string | Period;
  /** Only in the plan of inner groups. Excludes rows that refer to no row of this dataset. */
  requires?: string;
  /**
   * Only in a plan without measures. The result has one row for each combination of the dimensions, and `order_by` or
   * `having` contains a measure, as in "which region has the highest revenue".
   */
  grouped?: boolean;
}

export const isBaseMeasure = (measure: Measure): measure is BaseMeasure =>
  measure.fn === 'metric' || 'rows' in measure || 'field' in measure || 'value' in measure;
export const isAggregate = (measure: Measure): measure is Aggregate =>
  'rows' in measure || ('field' in measure && measure.fn !== 'list');
/** Restricts a measure to rows that also match these filters. */
export const restrictRows = (measure: Measure, where: Filter[]): Measure =>
  isBaseMeasure(measure)
    ? { ...measure, where: [...(measure.where ?? []), ...where] }
    : withInnerMeasures(measure, (innerMeasure) => restrictRows(innerMeasure, where));
/** Returns the metric's name if the measure is a metric without filters, otherwise null. */
export const findPlainMetricName = (measure: Measure | undefined): string | null =>
  measure?.fn === 'metric' && !measure.where ? measure.metric : null;
export const getRowsPath = (aggregate: Aggregate): string =>
  'rows' in aggregate ? aggregate.rows : aggregate.field.path;
/** Returns true if the measure forms its own groups. */
export const isGroupMeasure = (measure: Measure): measure is GroupAggregate | GroupCount =>
  measure.fn === 'over_groups' || measure.fn === 'count_groups';
/** The function that aggregates the groups, or `count` if the measure counts the groups. */
export const getOuterFunction = (measure: GroupAggregate | GroupCount): GroupAggregate['take'] | 'count' =>
  measure.fn === 'count_groups' ? 'count' : measure.take;
/**
 * Returns the first measure if the measures compare two periods: the later value, the earlier value and then changes.
 * Otherwise, returns null.
 */
export function findPeriodComparison(measures: Measure[]): ChangeMeasure | null {
  const [later, earlier, ...changes] = measures.map((measure) =>
    measure.fn === 'change' && measure.from ? measure : null,
  );
  if (later?.show !== 'to' || earlier?.show !== 'from' || changes.length === 0) return null;
  const keyOf = ({ of, from, to }: ChangeMeasure): string => JSON.stringify([of, from, to]);
  const areAlike = [earlier, ...changes].every((item) => item && keyOf(item) === keyOf(later));
  return areAlike && changes.every((item) => !item!.show) ? later : null;
}
/** If the measure sums the highest or lowest values of groups, returns this inner measure, otherwise null. */
export const findSummedExtreme = (measure: Measure): BaseMeasure | null =>
  measure.fn === 'over_groups' && measure.take === 'sum' && (measure.of.fn === 'max' || measure.of.fn === 'min')
    ? measure.of
    : null;
export const countsRows = (measure: Measure): measure is RowCount => 'rows' in measure;

export const listInnerMeasures = (measure: Measure): Measure[] => {
  if (isBaseMeasure(measure)) return [];
  if (Array.isArray(measure.of)) return measure.of;
  const having = 'having' in measure ? (measure.having ?? []) : [];
  return [measure.of, ...having.flatMap(listHavingMeasures)];
};
export function withInnerMeasures(measure: Measure, change: (inner: Measure) => Measure): Measure {
  if (isBaseMeasure(measure)) return measure;
  switch (measure.fn) {
    case 'ratio':
    case 'difference':
    case 'total':
      return { ...measure, of: measure.of.map(change) };
    case 'over_groups':
    case 'count_groups':
      return { ...measure, of: change(measure.of), having: measure.having?.map((item) => withHaving(item, change)) };
    default:
      return { ...measure, of: change(measure.of) };
  }
}
const withHaving = (one: Having, change: (measure: Measure) => Measure): Having => ({
  ...one,
  measure: change(one.measure),
  ...(one.than && { than: change(one.than) }),
});
/** Changes the outermost measures in every member of a plan. */
export const withMeasures = (plan: LensPlan, change: (measure: Measure) => Measure): LensPlan => ({
  ...plan,
  measures: plan.measures.map(change),
  having: plan.having.map((item) => withHaving(item, change)),
  order_by: plan.order_by.map((item) => (item.measure ? { ...item, measure: change(item.measure) } : item)),
});
/**
 * Returns the index of a measure in a list, or -1 if the measure isn't in the list. Ignores the name of the measure's
 * column.
 */
export const findMeasureIndex = (measures: readonly Measure[], measure: Measure): number => {
  const [targetKey, ...measureKeys] = [measure, ...measures].map((item) =>
    JSON.stringify(item, (key, value) => (key === 'as' ? undefined : value)),
  );
  return measureKeys.indexOf(targetKey!);
};
/** The measures that order a result without being columns. */
export const listHiddenMeasures = ({ measures, order_by: order }: Pick<LensPlan, 'measures' | 'order_by'>): Measure[] =>
  order.flatMap(({ measure }) => (measure && findMeasureIndex(measures, measure) < 0 ? [measure] : []));
/**
 * The metrics and aggregates behind a measure. Returns one aggregate for each field of a computed value or a list.
 */
export const listBaseMeasures = (measure: Measure): (MetricMeasure | Aggregate)[] => {
  if (!isBaseMeasure(measure)) return listInnerMeasures(measure).flatMap(listBaseMeasures);
  if (measure.fn === 'metric' || isAggregate(measure)) return [measure];
  const fields = measure.fn === 'list' ? [measure.field] : listFields(measure.value);
  return fields.map(({ path, field }) => ({ fn: 'max', field: { path, field } }));
};
export const listFields = (value: RowValue): FieldRef[] => {
  if (typeof value === 'number') return [];
  if ('op' in value) return value.of.flatMap(listFields);
  if ('items' in value) return [value.items];
  if ('in' in value) return [value.from, value.to];
  return ['or' in value ? value.field : value];
};
export const listHavingMeasures = ({ measure, than }: Having): Measure[] => (than ? [measure, than] : [measure]);

/** The measures that the plan shows, compares or sorts by. */
export const listMeasures = (plan: LensPlan): Measure[] => [
  ...plan.measures,
  ...plan.having.flatMap(listHavingMeasures),
  ...listHiddenMeasures(plan),
];
/** A measure, and all measures inside it. */
export const flattenMeasure = (measure: Measure): Measure[] => [
  measure,
  ...listInnerMeasures(measure).flatMap(flattenMeasure),
];
/** All measures of a plan, with the measures inside them. */
export const listNestedMeasures = (plan: LensPlan): Measure[] => listMeasures(plan).flatMap(flattenMeasure);

export const createEmptyPlan = (): LensPlan => ({
  measures: [],
  dimensions: [],
  filters: [],
  having: [],
  time: null,
  order_by: [],
  limit: null,
  distinct: false,
});
