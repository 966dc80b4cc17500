// The language between a question and SQL. The metrics route writes it directly, the planner and a model propose it,
// and only compile-intent.ts turns it into SQL. Plain data; every name in it is checked against the lens.
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

/** What rows are grouped by or listed with: a field, its period, its bin, or whether conditions hold (yes, no). */
export interface Grouping extends FieldRef {
  /** The lower end of the bin of this width that the number is in. */
  bin?: number;
  /** yes or no: `path` is whose rows are judged, `field` the name of the column. */
  when?: Filter[];
  /** Computed of each row of `path`; `field` is no field. */
  value?: RowValue;
  /** On the many side: each row counts once under each value that rows of this dataset lead to. */
  through?: { path: string; where: Filter[] };
  /** Output column name. */
  as?: string;
}

/** Plain aggregates over an approved field; `count` without a field counts the rows of `path`. */
export interface Aggregate {
  kind: 'aggregate';
  fn: 'count' | 'count_distinct' | 'sum' | 'avg' | 'min' | 'max' | 'median';
  path: string;
  field?: string;
}
/** Fields and numbers of one row, computed with; a quotient by nothing is null. `or` is the value of a row without one. */
export type RowValue =
  | { kind: 'field'; field: FieldRef; or?: number }
  | { kind: 'number'; value: number }
  | { kind: 'computed'; operator: '+' | '-' | '*' | '/'; left: RowValue; right: RowValue }
  | { kind: 'items'; field: FieldRef; separator: string }
  | { kind: 'elapsed'; from: FieldRef; to: FieldRef; unit: 'seconds' | 'minutes' | 'hours' | 'days' | 'months' };
/** An aggregate of what is computed of each row of `path`. */
export interface Amount {
  kind: 'amount';
  fn: 'sum' | 'avg' | 'min' | 'max' | 'median';
  path: string;
  value: RowValue;
}
/** The values of a field as one text, in their order. */
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
/** A computation over the grouped result: share of the total, running total, change against the previous period, place,
 *  or what all groups come to. */
export interface Windowed {
  kind: 'windowed';
  fn: 'share_of_total' | 'running_total' | 'change' | 'percent_change' | 'rank' | `groups_${GroupFunction}`;
  of: Measure;
  /** A share as a percentage. */
  percent?: true;
  /** Of a share, a rank, or what groups come to: among the groups with the same values of these dimensions. */
  within?: Grouping[];
  /** Of a rank: the lowest first. */
  direction?: 'asc' | 'desc';
  /** Of a rank: no number is left out after equal ones. */
  dense?: true;
}
export type GroupFunction = 'avg' | 'min' | 'max' | 'sum';
/** One measure divided by another, or the difference of the two. */
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
  /** Divided by it. */
  divides?: true;
}
export interface Rounded {
  kind: 'rounded';
  of: Measure;
  digits: number;
}
/** 0 where there is nothing. */
export interface Filled {
  kind: 'filled';
  of: Measure;
}
/** A measure over those of its rows that also satisfy these; groups without such rows stay. */
export interface Restricted {
  kind: 'restricted';
  of: Measure;
  where: Filter[];
}
/** A measure of one period less that of an earlier one, or that difference in percent of the earlier one. */
export interface Change {
  kind: 'change';
  fn: 'absolute' | 'percent';
  of: Measure;
  earlier: TimeWindow;
  later: TimeWindow;
}
/** What the rows that also satisfy these conditions come to, as a part of what all rows come to. */
export interface PartOfTotal {
  kind: 'part';
  of: Measure;
  where: Filter[];
  percent: boolean;
}
/** What the groups that have any rows come to: the mean (or another function) of what each comes to, or their number. A
 *  unit is a value, a period, or, without a field, one row of a dataset. */
export interface Averaged {
  kind: 'averaged';
  fn?: GroupFunction | 'median' | 'count';
  of: Measure;
  over: GroupUnit[];
  having?: Having[];
  /** The groups are those of the rows of this dataset, also where there is nothing to measure. */
  every?: string;
  /** Each period of this date is a group, also where there is nothing to measure. */
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
  /** Bound to the field's datatype and written by the dialect's literal rules. `between` is inclusive on both ends. */
  values: Scalar[];
  /** Rows without a value satisfy it too: what is excluded is not them. For != and not_in. */
  orNull?: true;
  /** Instead of values: an aggregate over the whole dataset ("longer than the average"), over its rows that satisfy
   *  `where`, or over those with the same values of `per` ("above the average of its category"). */
  than?: Aggregate & { where?: Filter[]; per?: FieldRef[] };
  /** Instead of values: another field of the same row, or so much later. */
  other?: { field: FieldRef; plus?: Span };
  /** False: case matters for contains / starts_with / ends_with. Default true (case-insensitive). */
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
/** A row whose condition is unknown, for want of a value, satisfies neither it nor its opposite. */
export interface Not {
  kind: 'not';
  of: Filter;
}
/** Rows of the home that have (or, negated, do not have) related rows in `path`, one-to-many side included: `path` is a
 *  dataset from which the home is reached many to one over one or several hops. `where` is read from `path` as its home. */
export interface Exists {
  kind: 'exists';
  path: string;
  negated: boolean;
  /** The role along which they are related, where there are several. */
  via?: string;
  where: Filter[];
  /** At least / at most so many related rows. */
  count?: { op: '=' | '>' | '>=' | '<' | '<='; value: number };
  /** What a field of the related rows comes to. */
  total?: { fn: 'sum' | 'avg'; field: string; op: Having['op']; values: number[] };
  /** The rows of the home itself that share its value of this field: `path` is the home. */
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
  /** Inclusive ISO date or date-time in the lens's timezone. */
  from: string;
  /** Exclusive. */
  to: string;
}

/** `expression` in a listing with a `home`: the measure is aggregated for each row of the home ("customers by their total
 *  of invoices"), before any join; rows without related ones come last. */
export interface Order {
  by:
    | { kind: 'field'; field: FieldRef }
    | { kind: 'measure'; index: number }
    | { kind: 'expression'; measure: Measure };
  direction: 'asc' | 'desc';
  /** Where there is no value: first, and not last as else. */
  nulls?: 'first';
}

export interface Intent {
  /** Empty: a listing of the dimensions, one row for each row of their dataset. */
  measures: Measure[];
  dimensions: Grouping[];
  /** The dataset whose rows a listing lists, when the dimensions alone do not say. */
  home?: string;
  filters: Filter[];
  having: Having[];
  time: TimeWindow | null;
  order: Order[];
  limit: number | null;
  /** Rows left out before the first: the second highest leaves out one. */
  offset?: number;
  /** Top N within each value of these dimensions (with measures a subset of `dimensions`). */
  perGroup?: {
    dimensions: Grouping[];
    limit: number;
    /** What is equal to the last of them stays. */
    ties?: true;
  };
  distinct: boolean;
  /** With measures: paths whose primary keys join the grouping unseen, so that two customers of one name stay two rows. */
  groupKeys?: string[];
  /** With measures: the groups are those of the rows of this dataset, also where nothing is measured. */
  every?: string;
  /** With measures: each period of this date, one of the dimensions, has its group, also where nothing is measured. */
  periods?: Period;
  /** Without measures: one row for each combination of the dimensions, whose order or conditions measure the groups
   *  ("which region has the highest revenue"). */
  grouped?: boolean;
}

/** The measures that one is made of. */
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
/** The same measure with those that it is made of changed. */
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
/** The same intent with its outermost measures changed, wherever they stand. */
export const withMeasures = (intent: Intent, change: (one: Measure) => Measure): Intent => ({
  ...intent,
  measures: intent.measures.map(change),
  having: intent.having.map((one) => withHaving(one, change)),
  order: intent.order.map((one) =>
    one.by.kind === 'expression' ? { ...one, by: { ...one.by, measure: change(one.by.measure) } } : one,
  ),
});
/** What a measure is computed from. For an amount or a list, each of its fields, which only have to be there. */
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
