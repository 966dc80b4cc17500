// The representation between a question and SQL. The metrics route creates it directly, the reader and models propose
// it, and only compile-intent.ts turns it into SQL. Plain data; every name is checked against the lens.
import { DAY_PARTS, type DayPart, type Grain, type Span } from '../../contract/warehouse.ts';

export type { DayPart, Span };
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

/** A grouping or listed value: a field, its period, its bin, or whether filters match (yes, no). */
export interface Grouping extends FieldRef {
  /** Width of the bin; the group is the bin's lower bound. */
  bin?: number;
  /** Groups by yes or no: `path` has the rows to test, `field` is the name of the column. */
  when?: Filter[];
  /** Computed from each row of `path`; `field` isn't a field then. */
  value?: RowValue;
  /** For a one-to-many relation: each row counts once under each value of the related rows. */
  through?: { path: string; where: Filter[] };
  /** Output column name. */
  as?: string;
}

/** `where`: only the rows that also match these filters. Groups without such rows stay. */
interface OfRows {
  where?: Filter[];
}
export interface RowCount extends OfRows {
  fn: 'count';
  /** A dataset or a role of one. */
  rows: string;
}
/** A plain aggregate over an approved field. */
export interface FieldAggregate extends OfRows {
  fn: 'count' | 'count_distinct' | 'sum' | 'avg' | 'min' | 'max' | 'median';
  field: FieldRef;
}
export type Aggregate = RowCount | FieldAggregate;
/** Arithmetic on the fields of one row. A quotient by zero is null. `or` replaces a missing value. */
export type RowValue =
  | number
  | FieldRef
  | { field: FieldRef; or: number }
  | { op: '+' | '-' | '*' | '/'; of: [RowValue, RowValue] }
  | { items: FieldRef; separator: string }
  | Elapsed;
export interface Elapsed {
  from: FieldRef;
  to: FieldRef;
  in: 'seconds' | 'minutes' | 'hours' | 'days' | 'months';
}
/** An aggregate of a value computed from each row of `home`. */
export interface Amount extends OfRows {
  fn: 'sum' | 'avg' | 'min' | 'max' | 'median';
  value: RowValue;
  home: string;
}
/** The values of a field joined into one text, in order. */
export interface Listed extends OfRows {
  fn: 'list';
  field: FieldRef;
  distinct?: true;
  separator: string;
}
export interface MetricUse extends OfRows {
  fn: 'metric';
  metric: string;
}
/** A measure of rows. All other measures are computed from these. */
export type Base = MetricUse | Aggregate | Amount | Listed;

export type GroupFunction = 'avg' | 'min' | 'max' | 'sum';
/** A computation over the grouped result. `within`: among the groups with the same values of these dimensions. */
export type Windowed =
  | { fn: 'share_of_total'; of: Measure; percent?: true; within?: Grouping[] }
  | { fn: 'running_total'; of: Measure }
  /** `dense`: no gaps after ties. */
  | { fn: 'rank'; of: Measure; direction: 'asc' | 'desc'; dense?: true; within?: Grouping[] }
  | { fn: `groups_${GroupFunction}`; of: Measure; within?: Grouping[] }
  /** The change from the previous period. */
  | { fn: 'change'; of: Measure; percent?: true; from?: undefined };
/** The ratio, the difference or the sum of two measures. */
export interface Combined {
  fn: 'ratio' | 'difference' | 'total';
  of: Measure[];
  /** A ratio as a percentage. */
  percent?: true;
}
export interface Scaled {
  fn: 'product' | 'quotient';
  of: Measure;
  by: number;
}
export interface Rounded {
  fn: 'round';
  of: Measure;
  digits: number;
}
/** 0 if there is no value. */
export interface Filled {
  fn: 'or_zero';
  of: Measure;
}
/** The change of a measure between two periods, absolute or as a percentage of the earlier one. */
export interface Change {
  fn: 'change';
  of: Measure;
  percent?: true;
  from: TimeWindow;
  to: TimeWindow;
}
/** The value of the rows that also match these filters, as a share of the value of all rows. */
export interface Share {
  fn: 'share';
  of: Measure;
  where: Filter[];
  percent?: true;
}
/** Groups with rows: one for each value of `by` and each row of the datasets `per`. */
interface Groups {
  by?: Grouping[];
  per?: string[];
  having?: Having[];
  /** Groups by the rows of this dataset, or by each period of this date, including those with nothing to measure. */
  every?: string | Period;
}
/** An aggregate, such as the average, of the values of the groups. */
export interface OverGroups extends Groups {
  fn: 'over_groups';
  take: GroupFunction | 'median';
  of: Measure;
}
/** The number of groups. `of` is the measure that forms them. */
export interface CountGroups extends Groups {
  fn: 'count_groups';
  of: Measure;
}
export type Measure = (
  | Base
  | Windowed
  | Combined
  | Scaled
  | Rounded
  | Filled
  | Change
  | Share
  | OverGroups
  | CountGroups
) & {
  /** Output column name. */ as?: string;
};

export type Operator =
  | '='
  | '!='
  | 'in'
  | 'not_in'
  | '>'
  | '>='
  | '<'
  | '<='
  | 'between'
  | 'contains'
  | 'starts_with'
  | 'ends_with'
  | 'is_null'
  | 'is_not_null';

export type Scalar = string | number | boolean;

export interface Condition {
  field: FieldRef;
  op: Operator;
  /** Bound to the field's datatype and written as the dialect's literals. `between` includes both ends. */
  values: Scalar[];
  /** Also matches rows without a value. For != and not_in. */
  orNull?: true;
  /**
   * Instead of values: an aggregate over the whole dataset ("longer than the average"), over its rows that
   * match `where`, or over those with the same values of `per` ("above the average of its category").
   */
  than?: FieldAggregate & { per?: FieldRef[] };
  /** Instead of values: another field of the same row, optionally shifted by a span. */
  other?: { field: FieldRef; plus?: Span };
  /** False: case matters for contains, starts_with and ends_with. Default: true. */
  caseInsensitive?: boolean;
}
export interface AnyOf {
  any: Filter[];
}
export interface AllOf {
  all: Filter[];
}
/** A row with an unknown condition, because a value is missing, matches neither the condition nor its negation. */
export interface Not {
  not: Filter;
}
/** Rows of the home that have (or, negated, do not have) related rows in `exists`, one-to-many side included: it is a
 *  dataset from which the home is reached many to one over one or several hops. `where` is read from it as its home. */
export interface Exists {
  exists: string;
  negated: boolean;
  /** The role of the relationship, if there are several. */
  via?: string;
  where: Filter[];
  /** Condition on the number of related rows. */
  count?: { op: '=' | '>' | '>=' | '<' | '<='; value: number };
  /** Condition on an aggregate of a field of the related rows. */
  total?: { fn: 'sum' | 'avg'; field: string; op: Having['op']; values: number[] };
  /** The rows of the home itself that share its value of this field: `exists` is the home. */
  sharing?: string;
}
export type Filter = Condition | AnyOf | AllOf | Not | Exists;

/** A condition on a group. */
export interface Having {
  measure: Measure;
  op: '=' | '!=' | '>' | '>=' | '<' | '<=' | 'between';
  values: number[];
  /** Instead of values: another measure of the same group. */
  than?: Measure;
}

export interface TimeWindow {
  field: FieldRef;
  /** Inclusive ISO date or timestamp in the lens's time zone. */
  from: string;
  /** Exclusive. */
  to: string;
}

/**
 * In a listing with a `home`, `expression` is a measure that is aggregated for each row of the home before
 * any join ("customers by their total of invoices"). Rows without related rows come last.
 */
export interface Order {
  by:
    | { kind: 'field'; field: FieldRef }
    | { kind: 'measure'; index: number }
    | { kind: 'expression'; measure: Measure };
  direction: 'asc' | 'desc';
  /** Sorts missing values first; the default is last. */
  nulls?: 'first';
}

export interface Intent {
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
  /** With measures: the groups are those of the rows of this dataset, or each period of this date, one of the
   *  dimensions, also where nothing is measured. */
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
export const overGroups = (measure: Measure): measure is OverGroups | CountGroups =>
  measure.fn === 'over_groups' || measure.fn === 'count_groups';
/** The aggregate of the groups, `count` for their number. */
export const takenOf = (measure: OverGroups | CountGroups): OverGroups['take'] | 'count' =>
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
      return { ...measure, of: change(measure.of), having: measure.having?.map((one) => withHaving(one, change)) };
    default:
      return { ...measure, of: change(measure.of) };
  }
}
const withHaving = (one: Having, change: (one: Measure) => Measure): Having => ({
  ...one,
  measure: change(one.measure),
  ...(one.than && { than: change(one.than) }),
});
/** The same intent with its outermost measures changed, wherever they are. */
export const withMeasures = (intent: Intent, change: (one: Measure) => Measure): Intent => ({
  ...intent,
  measures: intent.measures.map(change),
  having: intent.having.map((one) => withHaving(one, change)),
  order_by: intent.order_by.map((one) =>
    one.by.kind === 'expression' ? { ...one, by: { ...one.by, measure: change(one.by.measure) } } : one,
  ),
});
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

export const emptyIntent = (): Intent => ({
  measures: [],
  dimensions: [],
  filters: [],
  having: [],
  time: null,
  order_by: [],
  limit: null,
  distinct: false,
});
