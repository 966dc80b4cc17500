// Output columns of a compiled plan before they enter a SELECT.
import type { Datatype } from '../../contract/warehouse.ts';
import type { Expression } from '../../dialects/tree.ts';
import type { Filter, GroupAggregate, GroupCount, Grouping, TimeWindow } from '../lens-plan.ts';
import type { RowScope } from './row-scope.ts';

/** A base aggregate: an aggregate over the rows of one dataset, from which svc computes measures. */
export interface BaseAggregate {
  key: string;
  name: string;
  home: string;
  /** The metric's own filter: SQL that an author wrote over dataset.field. */
  filter: string | null;
  /** True if repeated rows don't change the result. The SELECT can then read rows on the "many" side of these rows. */
  repeatable: boolean;
  /** True if null means zero, as in counts of a group without rows. */
  isZeroWhenNull: boolean;
  additive: boolean;
  /** `within` and `where` restrict the aggregate to rows in this period that match these filters. */
  within?: TimeWindow;
  where?: Filter[];
  /** If set, the aggregate is over these inner groups instead of rows. */
  over?: GroupAggregate | GroupCount;
  /** True if `value` accepts a filter on the rows. False for an author's expression. */
  acceptsCondition: boolean;
  value: (scope: RowScope, condition?: Expression) => Expression | null;
}
export interface MeasureOutput {
  name: string;
  datatype: Datatype;
  unit: string | null;
  source: string;
  /** True if the value of two combined groups is the sum of their values. */
  additive: boolean;
  leaves: BaseAggregate[];
  /** True if the value is a window function over the groups, which must see every group. */
  windowed: boolean;
  value: (readAggregate: AggregateReader, frame: GroupValues) => Expression;
}
/** An output that shows one base aggregate. */
export const createAggregateOutput = (
  baseAggregate: BaseAggregate,
  column: Pick<MeasureOutput, 'datatype' | 'unit' | 'source'>,
): MeasureOutput => ({
  name: baseAggregate.name,
  ...column,
  additive: baseAggregate.additive,
  leaves: [baseAggregate],
  windowed: false,
  value: (readAggregate) => readAggregate(baseAggregate),
});
export type AggregateReader = (baseAggregate: BaseAggregate) => Expression;
/** The values of the dimensions in the grouped rows, for window functions. */
export interface GroupValues {
  time: { value: Expression; grain: 'day' | 'week' | 'month' | 'quarter' | 'year' } | null;
  otherValues: Expression[];
  at: (dimensions: Grouping[]) => Expression[];
}
/** The values without groups, or for measures that aren't windows. */
export const NO_GROUP_VALUES: GroupValues = { time: null, otherValues: [], at: () => [] };
export interface GroupedRows {
  dimensions: Grouping[];
  /** Datasets whose rows each form a group. */
  per?: string[];
  /** True if a date can order the groups. */
  time: boolean;
}
