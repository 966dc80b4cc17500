// An output column of a compiled plan before it enters a SELECT.
import type { Datatype } from '../../contract/warehouse.ts';
import type { Expression } from '../../dialects/tree.ts';
import type { CountGroups, Filter, Grouping, OverGroups, TimeWindow } from '../lens-plan.ts';
import type { RowScope } from './row-scope.ts';

/** An aggregate over the rows of one home. */
export interface Leaf {
  key: string;
  name: string;
  home: string;
  /** The metric's own filter: an author's text over dataset.field. */
  filter: string | null;
  /** True if repeated rows don't change the result, so that a home further on the "many" side is acceptable. */
  repeatable: boolean;
  /** True if null means zero: counts of a group without rows are 0. */
  count: boolean;
  additive: boolean;
  /** Only the rows of this period, or those that also match these filters. */
  within?: TimeWindow;
  where?: Filter[];
  /** Computed over inner groups instead of rows. */
  over?: OverGroups | CountGroups;
  /** True if a filter on the rows can be added to `value`; not for an author's expression. */
  conditional: boolean;
  value: (scope: RowScope, condition?: Expression) => Expression | null;
}
export interface Output {
  name: string;
  datatype: Datatype;
  unit: string | null;
  source: string;
  /** True if the value of two groups is the sum of their values. */
  additive: boolean;
  leaves: Leaf[];
  /** True for a value over the grouped rows, which needs every measure at the same level. */
  windowed: boolean;
  value: (leaf: ReadLeaf, frame: Frame) => Expression;
}
export type ReadLeaf = (leaf: Leaf) => Expression;
/** The grouped rows that a window sees, with the dimensions' values at that level. */
export interface Frame {
  time: { value: Expression; grain: 'day' | 'week' | 'month' | 'quarter' | 'year' } | null;
  others: Expression[];
  at: (dimensions: Grouping[]) => Expression[];
}
/** Properties of a measure's groups. */
export interface Groups {
  dimensions: Grouping[];
  /** True if a date can order them. */
  time: boolean;
}
