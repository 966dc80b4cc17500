// Types of plans. `Name` is the type of references to fields. In requests, it is a string (plan.ts has the schema).
// After svc has resolved the names, it is a field of the lens.
import type { Duration, Grain } from './warehouse.ts';

export const OPERATORS = [
  '=',
  '!=',
  'in',
  'not_in',
  '>',
  '>=',
  '<',
  '<=',
  'between',
  'contains',
  'starts_with',
  'ends_with',
  'is_null',
  'is_not_null',
] as const;
export type Operator = (typeof OPERATORS)[number];
export type Scalar = string | number | boolean;
/** `Short` is a shorthand that only requests can have. `Resolved` is the form in a plan with resolved names. */
type ShorthandOrResolved<Name, Short, Resolved = never> = Name extends string ? Short | Resolved : Resolved;

/** If a condition is unknown because a value is null, a row matches neither the condition nor its negation. */
export type PlanFilter<Name = string> =
  | PlanComparison<Name>
  | { any: PlanFilter<Name>[] }
  | { all: PlanFilter<Name>[] }
  | { not: PlanFilter<Name> }
  | PlanExists<Name>
  | PlanNotExists<Name>;
export interface PlanComparison<Name = string> {
  field: Name;
  op: Operator;
  /** Literals of the field's datatype. `between` includes both ends. */
  values: Scalar[];
  /** With != and not_in, also matches rows without a value. */
  or_null?: boolean;
  /** Replaces the values with another field of the same row, with an optional offset. */
  other?: { field: Name; plus?: Duration };
  /**
   * Replaces the values with an aggregate over the dataset, as in "longer than the average". `where` limits the
   * aggregated rows. With `per`, the aggregate covers only rows with the same values, as in "above the average of its
   * category".
   */
  than?: PlanAggregate<Name> & { per?: Name[] };
  during?: ShorthandOrResolved<Name, string, undefined>;
}
interface RelatedRows<Name> {
  /** The role of the relationship. Required if several relationships are possible. */
  via?: string;
  where?: PlanFilter<Name>[];
  /** Replaces the related rows with the rows of the same dataset that have the same value in this field. */
  sharing?: string;
}
/**
 * Keeps rows that have related rows in a dataset. Each related row must be many to one with the kept rows: through
 * joins, it reaches at most one of them.
 */
export interface PlanExists<Name = string> extends RelatedRows<Name> {
  exists: string;
  at_least?: number;
  at_most?: number;
  exactly?: number;
}
export interface PlanNotExists<Name = string> extends RelatedRows<Name> {
  not_exists: string;
}

/** Arithmetic on the fields of one row. The result of a division by zero is null. `or` replaces a null value. */
export type PlanValue<Name = string> =
  | Name
  | number
  | { field: Name; or: number }
  | { op: '+' | '-' | '*' | '/'; of: PlanValue<Name>[] }
  | { items: Name; separator: string }
  | PlanElapsedTime<Name>;
export interface PlanElapsedTime<Name = string> {
  from: Name;
  to: Name;
  in: 'seconds' | 'minutes' | 'hours' | 'days' | 'months';
}

interface GroupingOptions<Name> {
  /** The width of a bin. The value of each group is the lower bound of its bin. */
  bin?: number;
  /** For a field on the many side, the dataset that links both sides. Each row counts once for each value. */
  through?: string;
  where?: PlanFilter<Name>[];
  as?: string;
}
/**
 * Groups by a field, by a period or bin of a field, by a value computed for each row, or by whether filters match (yes,
 * no).
 */
export type PlanDimension<Name = string> = Name extends string
  ?
      | Name
      | (GroupingOptions<Name> & { field: Name })
      | { value: PlanValue<Name>; bin?: number; as: string }
      | { when: PlanFilter<Name>[]; as: string }
  : Name & GroupingOptions<Name> & { value?: PlanValue<Name>; when?: PlanFilter<Name>[] };

/** ISO dates or timestamps in the lens's time zone. `from` is inclusive, and `to` is exclusive. */
export type PlanTimeWindow<Name = string> = Name extends string
  ? { field?: Name; from?: string; to?: string; during?: string }
  : { field: Name; from: string; to: string };
/** Each row of this dataset, or each period of this date, has a group, even if no measured row belongs to the group. */
export type PlanGroupDomain<Name = string> = string | ShorthandOrResolved<Name, never, Name & { grain: Grain }>;

export interface PlanHaving<Name = string> {
  measure: PlanMeasure<Name>;
  op: '=' | '!=' | '>' | '>=' | '<' | '<=' | 'between';
  values: number[];
  /** Replaces the values with another measure of the same group. */
  than?: PlanMeasure<Name>;
}

/** Measures only rows that also match `where`. Groups without such rows remain in the result. */
interface RowRestriction<Name> {
  where?: PlanFilter<Name>[];
}
export interface PlanRowCount<Name = string> extends RowRestriction<Name> {
  fn: 'count';
  rows: string;
}
export interface PlanAggregate<Name = string> extends RowRestriction<Name> {
  fn: 'count' | 'count_distinct' | 'sum' | 'avg' | 'min' | 'max' | 'median';
  field: Name;
}
/** Aggregates a value that svc computes for each row. */
export interface PlanValueAggregate<Name = string> extends RowRestriction<Name> {
  fn: 'sum' | 'avg' | 'min' | 'max' | 'median';
  value: PlanValue<Name>;
}
/** The values of a field, in order, as one string. */
export interface PlanListAggregate<Name = string> extends RowRestriction<Name> {
  fn: 'list';
  field: Name;
  distinct?: boolean;
  separator: string;
}
export interface PlanMetric<Name = string> extends RowRestriction<Name> {
  fn: 'metric';
  metric: string;
}
/** A measure that svc computes directly from rows. All other measures combine such measures. */
export type PlanBaseMeasure<Name = string> =
  | PlanMetric<Name>
  | PlanRowCount<Name>
  | PlanAggregate<Name>
  | PlanValueAggregate<Name>
  | PlanListAggregate<Name>;

export type GroupFunction = 'avg' | 'min' | 'max' | 'sum';
/**
 * Measures over the rows of a result. With `within`, the measure covers only groups with the same values of these
 * dimensions.
 */
export type PlanWindowMeasure<Name = string> =
  | { fn: 'share_of_total'; of: PlanMeasure<Name>; percent?: boolean; within?: PlanDimension<Name>[] }
  | { fn: 'running_total'; of: PlanMeasure<Name> }
  /** `dense`: ranks have no gaps after ties. */
  | {
      fn: 'rank';
      of: PlanMeasure<Name>;
      direction: 'asc' | 'desc';
      dense?: boolean;
      within?: PlanDimension<Name>[];
    }
  | { fn: `groups_${GroupFunction}`; of: PlanMeasure<Name>; within?: PlanDimension<Name>[] }
  /** The change since the previous period. */
  | { fn: 'change'; of: PlanMeasure<Name>; percent?: boolean; show?: undefined; from?: undefined; to?: undefined };
/** The change of a measure between two periods. A percentage refers to the earlier period. */
export interface PlanChangeMeasure<Name = string> {
  fn: 'change';
  of: PlanMeasure<Name>;
  percent?: boolean;
  /** Shows the measure in the `from` or `to` period instead of the change between them. */
  show?: 'from' | 'to';
  from: PlanTimeWindow<Name>;
  to: PlanTimeWindow<Name>;
}
/**
 * One group for each value of `by` and each row of the datasets in `per`. Without `every`, the result omits groups
 * without rows.
 */
interface MeasureGroups<Name> {
  by?: PlanDimension<Name>[];
  per?: string[];
  having?: PlanHaving<Name>[];
  every?: PlanGroupDomain<Name>;
}
/** An aggregate, such as the average, over the values of groups. */
export interface PlanGroupAggregate<Name = string> extends MeasureGroups<Name> {
  fn: 'over_groups';
  take: GroupFunction | 'median';
  of: PlanMeasure<Name>;
}
export type PlanGroupCount<Name = string> = MeasureGroups<Name> & { fn: 'count_groups' } & (Name extends string
    ? unknown
    : {
        /** The measure that forms the groups. Default: the first measure in `having`, otherwise a count of rows. */
        of: PlanMeasure<Name>;
      });
export type PlanMeasure<Name = string> =
  | ShorthandOrResolved<Name, string>
  | ((
      | PlanBaseMeasure<Name>
      | PlanWindowMeasure<Name>
      | PlanChangeMeasure<Name>
      | PlanGroupAggregate<Name>
      | PlanGroupCount<Name>
      /** `percent` returns a ratio as a percentage. A difference of dates is in days. */
      | { fn: 'ratio' | 'difference' | 'total'; of: PlanMeasure<Name>[]; percent?: boolean }
      | { fn: 'product' | 'quotient'; of: PlanMeasure<Name>; by: number }
      | { fn: 'round'; of: PlanMeasure<Name>; digits: number }
      | { fn: 'or_zero'; of: PlanMeasure<Name> }
      /** The share of a measure's value that comes from rows that also match these filters. */
      | { fn: 'share'; of: PlanMeasure<Name>; where: PlanFilter<Name>[]; percent?: boolean }
    ) & { as?: string });

/**
 * In a list of rows, svc computes a measure for each row before it joins other datasets. Rows without related rows come
 * last.
 */
export type PlanOrder<Name = string> = (
  | { field: Name; measure?: undefined }
  | { measure: PlanMeasure<Name>; field?: undefined }
) & {
  direction: 'asc' | 'desc';
  /** The position of rows with a null value. The default is last. */
  nulls?: 'first' | 'last';
};
