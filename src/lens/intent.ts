// The language between a question and SQL. The metrics route writes it directly, the planner and a model propose it,
// and only compile-intent.ts turns it into SQL. Plain data; every name in it is checked against the lens.
import type { DayPart, Grain } from '../contract/warehouse.ts';

export type { DayPart };
export const isDayPart = (grain: Grain | DayPart | undefined): grain is DayPart =>
  grain === 'weekday' || grain === 'hour';

/** `path` is a dataset name or the role of a relationship (`origin`). */
export interface FieldRef {
  path: string;
  field: string;
  grain?: Grain | DayPart;
}

/** Plain aggregates over an approved field; `count` without a field counts the rows of `path`. */
export interface Aggregate {
  kind: 'aggregate';
  fn: 'count' | 'count_distinct' | 'sum' | 'avg' | 'min' | 'max' | 'median';
  path: string;
  field?: string;
}
export interface MetricUse {
  kind: 'metric';
  name: string;
}
/** A computation over the grouped result: share of the total, running total, change against the previous period. */
export interface Windowed {
  kind: 'windowed';
  fn: 'share_of_total' | 'running_total' | 'change' | 'percent_change' | 'rank';
  of: MetricUse | Aggregate;
  /** A share as a percentage. */
  percent?: true;
}
/** One measure divided by another, or the difference of the two. */
export interface Combined {
  kind: 'combined';
  fn: 'ratio' | 'difference';
  left: MetricUse | Aggregate;
  right: MetricUse | Aggregate;
}
/** A measure of one period less that of an earlier one, or that difference in percent of the earlier one. */
export interface Change {
  kind: 'change';
  fn: 'absolute' | 'percent';
  of: MetricUse | Aggregate;
  earlier: TimeWindow;
  later: TimeWindow;
}
/** What the rows that also satisfy these conditions come to, as a part of what all rows come to. */
export interface PartOfTotal {
  kind: 'part';
  of: MetricUse | Aggregate;
  where: Filter[];
  percent: boolean;
}
/** The mean, over the groups that have any rows, of what each comes to: groups of one value, one period, or, without a
 *  field, of one row of a dataset. */
export interface Averaged {
  kind: 'averaged';
  of: MetricUse | Aggregate;
  over: { path: string; field?: string; grain?: Grain | DayPart };
}
export type Measure = (MetricUse | Aggregate | Windowed | Combined | Change | PartOfTotal | Averaged) & {
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
  /** Instead of values: the aggregate of the same field over the whole dataset ("longer than the average"). */
  than?: Aggregate;
  /** False: case matters for contains / starts_with / ends_with. Default true (case-insensitive). */
  caseInsensitive?: boolean;
}
export interface AnyOf {
  kind: 'any';
  of: (Condition | AllOf | Exists)[];
}
export interface AllOf {
  kind: 'all';
  of: (Condition | AnyOf | Exists)[];
}
/** Rows of the home that have (or, negated, do not have) related rows in `path`, one-to-many side included: `path` is a
 *  dataset from which the home is reached many to one over one or several hops. `where` is read from `path` as its home. */
export interface Exists {
  kind: 'exists';
  path: string;
  negated: boolean;
  where: Filter[];
  /** At least / at most so many related rows. */
  count?: { op: '=' | '>' | '>=' | '<' | '<='; value: number };
  /** What a field of the related rows comes to. */
  total?: { fn: 'sum' | 'avg'; field: string; op: Having['op']; values: number[] };
  /** The rows of the home itself that share its value of this field: `path` is the home. */
  sharing?: string;
}
export type Filter = Condition | AnyOf | AllOf | Exists;

/** A condition on a group. */
export interface Having {
  measure: MetricUse | Aggregate;
  op: '=' | '!=' | '>' | '>=' | '<' | '<=' | 'between';
  values: number[];
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
    | { kind: 'expression'; measure: MetricUse | Aggregate };
  direction: 'asc' | 'desc';
}

export interface Intent {
  /** Empty: a listing of the dimensions, one row for each row of their dataset. */
  measures: Measure[];
  dimensions: FieldRef[];
  /** The dataset whose rows a listing lists, when the dimensions alone do not say. */
  home?: string;
  filters: Filter[];
  having: Having[];
  time: TimeWindow | null;
  order: Order[];
  limit: number | null;
  /** Rows left out before the first: the second highest leaves out one. */
  offset?: number;
  /** Top N within each value of these dimensions (a subset of `dimensions`). */
  perGroup?: { dimensions: FieldRef[]; limit: number };
  distinct: boolean;
  /** With measures: paths whose primary keys join the grouping unseen, so that two customers of one name stay two rows. */
  groupKeys?: string[];
  /** Without measures: one row for each combination of the dimensions, whose order or conditions measure the groups
   *  ("which region has the highest revenue"). */
  grouped?: boolean;
}

/** What a measure is computed from. */
export const basesOf = (measure: Measure): (MetricUse | Aggregate)[] =>
  measure.kind === 'metric' || measure.kind === 'aggregate'
    ? [measure]
    : measure.kind === 'combined'
      ? [measure.left, measure.right]
      : [measure.of];

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
