// The type of plans. `Name` is how a plan refers to a field: by text on the wire (plan.ts has the schema), by a field
// of the lens once names are resolved.
import type { Grain, Span } from './warehouse.ts';

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
/** A shorthand of plans on the wire, and its form in a plan with resolved names. */
type Written<Name, Short, Found = never> = Name extends string ? Short | Found : Found;

/** A row with an unknown condition, because a value is missing, matches neither the condition nor its negation. */
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
  /** Written as literals of the field's datatype. `between` includes both ends. */
  values: Scalar[];
  /** Also matches rows without a value. For != and not_in. */
  or_null?: boolean;
  /** Instead of values: another field of the same row, optionally shifted by a span. */
  other?: { field: Name; plus?: Span };
  /**
   * Instead of values: an aggregate over the whole dataset ("longer than the average"), over its rows that
   * match `where`, or over those with the same values of `per` ("above the average of its category").
   */
  than?: PlanAggregate<Name> & { per?: Name[] };
  during?: Written<Name, string, undefined>;
}
interface Related<Name> {
  /** The role of the relationship, if there are several. */
  via?: string;
  /** Read from the related rows. */
  where?: PlanFilter<Name>[];
  /** The rows of the same dataset that share its value of this field. */
  sharing?: string;
}
/** Rows that have related rows in this dataset, from which they are reached many to one over one or several hops. */
export interface PlanExists<Name = string> extends Related<Name> {
  exists: string;
  at_least?: number;
  at_most?: number;
  exactly?: number;
}
export interface PlanNotExists<Name = string> extends Related<Name> {
  not_exists: string;
}

/** Arithmetic on the fields of one row. A quotient by zero is null. `or` replaces a missing value. */
export type PlanValue<Name = string> =
  | Name
  | number
  | { field: Name; or: number }
  | { op: '+' | '-' | '*' | '/'; of: PlanValue<Name>[] }
  | { items: Name; separator: string }
  | PlanElapsed<Name>;
export interface PlanElapsed<Name = string> {
  from: Name;
  to: Name;
  in: 'seconds' | 'minutes' | 'hours' | 'days' | 'months';
}

interface Grouped<Name> {
  /** Width of the bin; the group is the bin's lower bound. */
  bin?: number;
  /** For a one-to-many relation: each row counts once under each value of the rows in this dataset in between. */
  through?: string;
  where?: PlanFilter<Name>[];
  /** Output column name. */
  as?: string;
}
/** A field, its period or its bin, a value of each row, or whether filters match (yes, no). */
export type PlanDimension<Name = string> = Name extends string
  ?
      | Name
      | (Grouped<Name> & { field: Name })
      | { value: PlanValue<Name>; bin?: number; as: string }
      | { when: PlanFilter<Name>[]; as: string }
  : Name & Grouped<Name> & { value?: PlanValue<Name>; when?: PlanFilter<Name>[] };

/** `from` is inclusive, `to` exclusive: ISO dates or timestamps in the lens's time zone. */
export type PlanWindow<Name = string> = Name extends string
  ? { field?: Name; from?: string; to?: string; during?: string }
  : { field: Name; from: string; to: string };
/** A dataset or a date. Each of its rows or periods gets a group, even if nothing is measured for it. */
export type PlanEvery<Name = string> = string | Written<Name, never, Name & { grain: Grain }>;

export interface PlanHaving<Name = string> {
  measure: PlanMeasure<Name>;
  op: '=' | '!=' | '>' | '>=' | '<' | '<=' | 'between';
  values: number[];
  /** Instead of values: another measure of the same group. */
  than?: PlanMeasure<Name>;
}

/** `where`: only the rows that also match these filters. Groups without such rows stay. */
interface OfRows<Name> {
  where?: PlanFilter<Name>[];
}
export interface PlanRowCount<Name = string> extends OfRows<Name> {
  fn: 'count';
  /** A dataset or a role of one. */
  rows: string;
}
export interface PlanAggregate<Name = string> extends OfRows<Name> {
  fn: 'count' | 'count_distinct' | 'sum' | 'avg' | 'min' | 'max' | 'median';
  field: Name;
}
/** An aggregate of a value computed from each row. */
export interface PlanAmount<Name = string> extends OfRows<Name> {
  fn: 'sum' | 'avg' | 'min' | 'max' | 'median';
  value: PlanValue<Name>;
}
/** The values of a field joined into one text, in order. */
export interface PlanList<Name = string> extends OfRows<Name> {
  fn: 'list';
  field: Name;
  distinct?: boolean;
  separator: string;
}
export interface PlanMetric<Name = string> extends OfRows<Name> {
  fn: 'metric';
  metric: string;
}
/** A measure of rows. All other measures are computed from these. */
export type PlanBase<Name = string> =
  | PlanMetric<Name>
  | PlanRowCount<Name>
  | PlanAggregate<Name>
  | PlanAmount<Name>
  | PlanList<Name>;

export type GroupFunction = 'avg' | 'min' | 'max' | 'sum';
/** Computed over the rows of a result. `within`: among the groups with the same values of these dimensions. */
export type PlanWindowed<Name = string> =
  | { fn: 'share_of_total'; of: PlanMeasure<Name>; percent?: boolean; within?: PlanDimension<Name>[] }
  | { fn: 'running_total'; of: PlanMeasure<Name> }
  /** `dense`: no gaps after ties. */
  | {
      fn: 'rank';
      of: PlanMeasure<Name>;
      direction: 'asc' | 'desc';
      dense?: boolean;
      within?: PlanDimension<Name>[];
    }
  | { fn: `groups_${GroupFunction}`; of: PlanMeasure<Name>; within?: PlanDimension<Name>[] }
  /** The change from the previous period. */
  | { fn: 'change'; of: PlanMeasure<Name>; percent?: boolean; from?: undefined; to?: undefined };
/** The change of a measure between two periods, absolute or as a percentage of the earlier one. */
export interface PlanChange<Name = string> {
  fn: 'change';
  of: PlanMeasure<Name>;
  percent?: boolean;
  from: PlanWindow<Name>;
  to: PlanWindow<Name>;
}
/** Groups with rows: one for each value of `by` and each row of the datasets `per`. */
interface Groups<Name> {
  by?: PlanDimension<Name>[];
  per?: string[];
  having?: PlanHaving<Name>[];
  every?: PlanEvery<Name>;
}
/** An aggregate, such as the average, of the values of the groups. */
export interface PlanOverGroups<Name = string> extends Groups<Name> {
  fn: 'over_groups';
  take: GroupFunction | 'median';
  of: PlanMeasure<Name>;
}
/** The number of groups. */
export type PlanCountGroups<Name = string> = Groups<Name> & { fn: 'count_groups' } & (Name extends string
    ? unknown
    : {
        /** The measure that forms the groups: the first one that `having` names, otherwise a count of their rows. */
        of: PlanMeasure<Name>;
      });
export type PlanMeasure<Name = string> =
  | Written<Name, string>
  | ((
      | PlanBase<Name>
      | PlanWindowed<Name>
      | PlanChange<Name>
      | PlanOverGroups<Name>
      | PlanCountGroups<Name>
      /** A ratio as a percentage. A difference of dates is in days. */
      | { fn: 'ratio' | 'difference' | 'total'; of: PlanMeasure<Name>[]; percent?: boolean }
      | { fn: 'product' | 'quotient'; of: PlanMeasure<Name>; by: number }
      | { fn: 'round'; of: PlanMeasure<Name>; digits: number }
      /** 0 if there is no value. */
      | { fn: 'or_zero'; of: PlanMeasure<Name> }
      /** The value of the rows that also match these filters, as a share of the value of all rows. */
      | { fn: 'share'; of: PlanMeasure<Name>; where: PlanFilter<Name>[]; percent?: boolean }
    ) & { /** Output column name. */ as?: string });

/** In a listing, a measure is computed for each row, before any join. Rows without related rows come last. */
export type PlanOrder<Name = string> = (
  | { field: Name; measure?: undefined }
  | { measure: PlanMeasure<Name>; field?: undefined }
) & {
  direction: 'asc' | 'desc';
  /** The default is last. */
  nulls?: 'first' | 'last';
};
