// A plan whose names are fields of the lens. `bind` makes it of a written plan, and the reader of a question; only
// compile-plan.ts turns it into SQL. Plain data.
import type {
  Operator,
  PlanAggregate,
  PlanAmount,
  PlanBase,
  PlanChange,
  PlanComparison,
  PlanCountGroups,
  PlanDimension,
  PlanElapsed,
  PlanExists,
  PlanFilter,
  PlanHaving,
  PlanList,
  PlanMeasure,
  PlanMetric,
  PlanNotExists,
  PlanOrder,
  PlanOverGroups,
  PlanRowCount,
  PlanValue,
  PlanWindow,
  PlanWindowed,
  Scalar,
} from '../contract/plan-of.ts';
import { DAY_PARTS, type DayPart, type Grain } from '../contract/warehouse.ts';

export type { DayPart, Operator, Scalar };
export { DAY_PARTS };
export const isDayPart = (grain: Grain | DayPart | undefined): grain is DayPart =>
  grain !== undefined && (DAY_PARTS as readonly string[]).includes(grain);

/** `path` is a dataset name or the role of a relationship (`origin`). */
export interface FieldRef {
  path: string;
  field: string;
  grain?: Grain | DayPart;
}

/** The periods of a date. */
export interface Period extends FieldRef {
  grain: Grain;
}

export type Grouping = PlanDimension<FieldRef>;
export type RowValue = PlanValue<FieldRef>;
export type Elapsed = PlanElapsed<FieldRef>;
export type RowCount = PlanRowCount<FieldRef>;
export type FieldAggregate = PlanAggregate<FieldRef>;
export type Aggregate = RowCount | FieldAggregate;
export type Amount = PlanAmount<FieldRef>;
export type Listed = PlanList<FieldRef>;
export type MetricUse = PlanMetric<FieldRef>;
export type Base = PlanBase<FieldRef>;
export type Windowed = PlanWindowed<FieldRef>;
export type Change = PlanChange<FieldRef>;
export type OverGroups = PlanOverGroups<FieldRef>;
export type CountGroups = PlanCountGroups<FieldRef>;
export type Measure = PlanMeasure<FieldRef>;
export type Condition = PlanComparison<FieldRef>;
export type Related = PlanExists<FieldRef> | PlanNotExists<FieldRef>;
export type Exists = PlanExists<FieldRef>;
export type Filter = PlanFilter<FieldRef>;
export type Having = PlanHaving<FieldRef>;
export type TimeWindow = PlanWindow<FieldRef>;

export type Order = PlanOrder<FieldRef>;

export interface LensPlan {
  /** Empty: a listing of the dimensions, one row per row of their dataset. */
  measures: Measure[];
  dimensions: Grouping[];
  /** The dataset that a listing lists, if the dimensions don't determine it. */
  rows?: string;
  filters: Filter[];
  having: Having[];
  time: TimeWindow | null;
  order_by: Order[];
  limit: number | null;
  /** Number of rows to skip: the second highest skips one. */
  offset?: number;
  /** The top N within each value of these dimensions (with measures, a subset of `dimensions`). */
  limit_per?: {
    by: Grouping[];
    rows: number;
    /** Includes ties with the last row. */
    ties?: true;
  };
  distinct: boolean;
  /**
   * With measures: paths whose primary keys are grouped by without being shown, so that two customers with
   * the same name stay two rows.
   */
  per?: string[];
  /**
   * With measures: each row of this dataset, or each period of this date (one of the dimensions), gets a group, even if
   * nothing is measured for it.
   */
  every?: string | Period;
  /**
   * Without measures: one row per combination of the dimensions; the order or the conditions measure the
   * groups ("which region has the highest revenue").
   */
  grouped?: boolean;
}

export const isBase = (measure: Measure): measure is Base =>
  measure.fn === 'metric' || 'rows' in measure || 'field' in measure || 'value' in measure;
export const isAggregate = (measure: Measure): measure is Aggregate =>
  'rows' in measure || ('field' in measure && measure.fn !== 'list');
/** Restricts a measure to the rows that also match these filters. */
export const ofRowsWhere = (measure: Measure, where: Filter[]): Measure =>
  isBase(measure)
    ? { ...measure, where: [...(measure.where ?? []), ...where] }
    : withInnerMeasures(measure, (one) => ofRowsWhere(one, where));
/** The name of the metric if the measure is a metric without filters, otherwise null. */
export const metricAlone = (measure: Measure | undefined): string | null =>
  measure?.fn === 'metric' && !measure.where ? measure.metric : null;
/** The dataset or role whose rows are aggregated. */
export const rowsOf = (aggregate: Aggregate): string => ('rows' in aggregate ? aggregate.rows : aggregate.field.path);
/** True for measures that form groups of their own. */
export const isOverGroups = (measure: Measure): measure is OverGroups | CountGroups =>
  measure.fn === 'over_groups' || measure.fn === 'count_groups';
/** The aggregate of the groups, `count` for their number. */
export const outerFunction = (measure: OverGroups | CountGroups): OverGroups['take'] | 'count' =>
  measure.fn === 'count_groups' ? 'count' : measure.take;
export const countsRows = (measure: Measure): measure is RowCount => 'rows' in measure;

/** The measures inside a measure. */
export const innerMeasures = (measure: Measure): Measure[] => {
  if (isBase(measure)) return [];
  if (Array.isArray(measure.of)) return measure.of;
  const having = 'having' in measure ? (measure.having ?? []) : [];
  return [measure.of, ...having.flatMap(measuresOf)];
};
/** The same measure with its inner measures changed. */
export function withInnerMeasures(measure: Measure, change: (one: Measure) => Measure): Measure {
  if (isBase(measure)) return measure;
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
const withHaving = (one: Having, change: (having: Measure) => Measure): Having => ({
  ...one,
  measure: change(one.measure),
  ...(one.than && { than: change(one.than) }),
});
/** The same plan with its outermost measures changed, wherever they are. */
export const withMeasures = (plan: LensPlan, change: (one: Measure) => Measure): LensPlan => ({
  ...plan,
  measures: plan.measures.map(change),
  having: plan.having.map((item) => withHaving(item, change)),
  order_by: plan.order_by.map((item) => (item.measure ? { ...item, measure: change(item.measure) } : item)),
});
/** The index of a measure in a list, regardless of its column name; -1 if it isn't there. */
export const placeOf = (measures: readonly Measure[], measure: Measure): number => {
  const [targetKey, ...all] = [measure, ...measures].map((item) =>
    JSON.stringify(item, (key, value) => (key === 'as' ? undefined : value)),
  );
  return all.indexOf(targetKey!);
};
/** The measures that a result is ordered by without showing them. */
export const hiddenMeasures = ({ measures, order_by: order }: Pick<LensPlan, 'measures' | 'order_by'>): Measure[] =>
  order.flatMap(({ measure }) => (measure && placeOf(measures, measure) < 0 ? [measure] : []));
/** The metrics and aggregates behind a measure. For a computed value or a list, each of its fields. */
export const basesOf = (measure: Measure): (MetricUse | Aggregate)[] => {
  if (!isBase(measure)) return innerMeasures(measure).flatMap(basesOf);
  if (measure.fn === 'metric' || isAggregate(measure)) return [measure];
  const fields = measure.fn === 'list' ? [measure.field] : fieldsOf(measure.value);
  return fields.map(({ path, field }) => ({ fn: 'max', field: { path, field } }));
};
export const fieldsOf = (value: RowValue): FieldRef[] => {
  if (typeof value === 'number') return [];
  if ('op' in value) return value.of.flatMap(fieldsOf);
  if ('items' in value) return [value.items];
  if ('in' in value) return [value.from, value.to];
  return ['or' in value ? value.field : value];
};
export const measuresOf = ({ measure, than }: Having): Measure[] => (than ? [measure, than] : [measure]);

export const emptyPlan = (): LensPlan => ({
  measures: [],
  dimensions: [],
  filters: [],
  having: [],
  time: null,
  order_by: [],
  limit: null,
  distinct: false,
});
