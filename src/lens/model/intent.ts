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

/** A plain aggregate of an approved field. `count` without a field counts the rows of `path`. */
export interface Aggregate {
  kind: 'aggregate';
  fn: 'count' | 'count_distinct' | 'sum' | 'avg' | 'min' | 'max' | 'median';
  path: string;
  field?: string;
}
/** Arithmetic on the fields of one row. A quotient by zero is null. `or` replaces a missing value. */
export type RowValue =
  | { kind: 'field'; field: FieldRef; or?: number }
  | { kind: 'number'; value: number }
  | { kind: 'computed'; operator: '+' | '-' | '*' | '/'; left: RowValue; right: RowValue }
  | { kind: 'items'; field: FieldRef; separator: string }
  | { kind: 'elapsed'; from: FieldRef; to: FieldRef; unit: 'seconds' | 'minutes' | 'hours' | 'days' | 'months' };
/** An aggregate of a value computed from each row of `path`. */
export interface Amount {
  kind: 'amount';
  fn: 'sum' | 'avg' | 'min' | 'max' | 'median';
  path: string;
  value: RowValue;
}
/** The values of a field joined into one text, in order. */
export interface Listed {
  kind: 'listed';
  path: string;
  field: string;
  distinct?: true;
  separator: string;
}
export interface MetricUse {
  kind: 'metric';
  name: string;
}
/**
 * A computation over the grouped result: share of the total, running total, change from the previous period,
 * rank, or an aggregate of all groups.
 */
export interface Windowed {
  kind: 'windowed';
  fn: 'share_of_total' | 'running_total' | 'change' | 'percent_change' | 'rank' | `groups_${GroupFunction}`;
  of: Measure;
  /** A share as a percentage. */
  percent?: true;
  /** For a share, a rank or an aggregate of groups: among the groups with the same values of these dimensions. */
  within?: Grouping[];
  /** For a rank: `asc` ranks the lowest first. */
  direction?: 'asc' | 'desc';
  /** For a rank: no gaps after ties. */
  dense?: true;
}
export type GroupFunction = 'avg' | 'min' | 'max' | 'sum';
/** The ratio or the difference of two measures. */
export interface Combined {
  kind: 'combined';
  fn: 'ratio' | 'difference' | 'total';
  left: Measure;
  right: Measure;
  /** A ratio as a percentage. */
  percent?: true;
}
export interface Scaled {
  kind: 'scaled';
  of: Measure;
  by: number;
  /** Divides by `by` instead of multiplying. */
  divides?: true;
}
export interface Rounded {
  kind: 'rounded';
  of: Measure;
  digits: number;
}
/** 0 if there is no value. */
export interface Filled {
  kind: 'filled';
  of: Measure;
}
/** A measure over the rows that also match these filters. Groups without such rows stay. */
export interface Restricted {
  kind: 'restricted';
  of: Measure;
  where: Filter[];
}
/** The change of a measure between two periods, absolute or as a percentage of the earlier one. */
export interface Change {
  kind: 'change';
  fn: 'absolute' | 'percent';
  of: Measure;
  earlier: TimeWindow;
  later: TimeWindow;
}
/** The value of the rows that also match these filters, as a share of the value of all rows. */
export interface PartOfTotal {
  kind: 'part';
  of: Measure;
  where: Filter[];
  percent: boolean;
}
/**
 * An aggregate, such as the average, of the values of groups, or the number of groups. A group is a value, a
 * period, or, without a field, one row of a dataset.
 */
export interface Averaged {
  kind: 'averaged';
  fn?: GroupFunction | 'median' | 'count';
  of: Measure;
  over: GroupUnit[];
  having?: Having[];
  /** Groups by the rows of this dataset, including those with nothing to measure. */
  every?: string;
  /** Groups by each period of this date, including those with nothing to measure. */
  periods?: Period;
}
export interface GroupUnit extends Omit<Grouping, 'field'> {
  field?: string;
}
export type Measure = (
  | MetricUse
  | Aggregate
  | Amount
  | Listed
  | Windowed
  | Combined
  | Scaled
  | Rounded
  | Filled
  | Restricted
  | Change
  | PartOfTotal
  | Averaged
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
  kind: 'condition';
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
  than?: Aggregate & { where?: Filter[]; per?: FieldRef[] };
  /** Instead of values: another field of the same row, optionally shifted by a span. */
  other?: { field: FieldRef; plus?: Span };
  /** False: case matters for contains, starts_with and ends_with. Default: true. */
  caseInsensitive?: boolean;
}
export interface AnyOf {
  kind: 'any';
  of: Filter[];
}
export interface AllOf {
  kind: 'all';
  of: Filter[];
}
/** A row with an unknown condition, because a value is missing, matches neither the condition nor its negation. */
export interface Not {
  kind: 'not';
  of: Filter;
}
/**
 * Rows of the home that have (or, if negated, don't have) related rows in `path`. `path` is a dataset with
 * many-to-one joins to the home, over one or more hops. `where` uses `path` as its home.
 */
export interface Exists {
  kind: 'exists';
  path: string;
  negated: boolean;
  /** The role of the relationship, if there are several. */
  via?: string;
  where: Filter[];
  /** Condition on the number of related rows. */
  count?: { op: '=' | '>' | '>=' | '<' | '<='; value: number };
  /** Condition on an aggregate of a field of the related rows. */
  total?: { fn: 'sum' | 'avg'; field: string; op: Having['op']; values: number[] };
  /** The related rows are the home's own rows with the same value of this field; `path` is the home. */
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
  home?: string;
  filters: Filter[];
  having: Having[];
  time: TimeWindow | null;
  order: Order[];
  limit: number | null;
  /** Number of rows to skip: the second highest skips one. */
  offset?: number;
  /** The top N within each value of these dimensions (with measures, a subset of `dimensions`). */
  perGroup?: {
    dimensions: Grouping[];
    limit: number;
    /** Includes ties with the last row. */
    ties?: true;
  };
  distinct: boolean;
  /**
   * With measures: paths whose primary keys are grouped by without being shown, so that two customers with
   * the same name stay two rows.
   */
  groupKeys?: string[];
  /** With measures: groups by every row of this dataset, including those with nothing to measure. */
  every?: string;
  /**
   * With measures: groups by every period of this date, which is one of the dimensions, including those with
   * nothing to measure.
   */
  periods?: Period;
  /**
   * Without measures: one row per combination of the dimensions; the order or the conditions measure the
   * groups ("which region has the highest revenue").
   */
  grouped?: boolean;
}

/** The measures inside a measure. */
export const innerMeasures = (measure: Measure): Measure[] => {
  switch (measure.kind) {
    case 'metric':
    case 'aggregate':
    case 'amount':
    case 'listed':
      return [];
    case 'combined':
      return [measure.left, measure.right];
    case 'averaged':
      return [measure.of, ...(measure.having ?? []).flatMap(measuresOf)];
    default:
      return [measure.of];
  }
};
/** The same measure with its inner measures changed. */
export function withInnerMeasures(measure: Measure, change: (one: Measure) => Measure): Measure {
  switch (measure.kind) {
    case 'metric':
    case 'aggregate':
    case 'amount':
    case 'listed':
      return measure;
    case 'combined':
      return { ...measure, left: change(measure.left), right: change(measure.right) };
    case 'averaged':
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
  order: intent.order.map((one) =>
    one.by.kind === 'expression' ? { ...one, by: { ...one.by, measure: change(one.by.measure) } } : one,
  ),
});
/** The metrics and aggregates behind a measure. For a computed value or a list, each of its fields. */
export const basesOf = (measure: Measure): (MetricUse | Aggregate)[] => {
  if (measure.kind === 'metric' || measure.kind === 'aggregate') return [measure];
  if (measure.kind !== 'amount' && measure.kind !== 'listed') return innerMeasures(measure).flatMap(basesOf);
  const fields = measure.kind === 'listed' ? [measure] : fieldsOf(measure.value);
  return fields.map(({ path, field }) => ({ kind: 'aggregate', fn: 'max', path, field }));
};
export const fieldsOf = (value: RowValue): FieldRef[] => {
  switch (value.kind) {
    case 'field':
    case 'items':
      return [value.field];
    case 'number':
      return [];
    case 'elapsed':
      return [value.from, value.to];
    case 'computed':
      return [...fieldsOf(value.left), ...fieldsOf(value.right)];
  }
};
export const measuresOf = ({ measure, than }: Having): Measure[] => (than ? [measure, than] : [measure]);

export const emptyIntent = (): Intent => ({
  measures: [],
  dimensions: [],
  filters: [],
  having: [],
  time: null,
  order: [],
  limit: null,
  distinct: false,
});
