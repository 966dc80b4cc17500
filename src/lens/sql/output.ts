// One output column of a compiled intent, before it is one of a SELECT.
import type { Datatype } from '../../contract/warehouse.ts';
import type { Expression } from '../../dialects/tree.ts';
import type { Averaged, Filter, Grouping, TimeWindow } from '../model/intent.ts';
import type { RowScope } from './row-scope.ts';

/** An aggregate over the rows of one home. */
export interface Leaf {
  key: string;
  name: string;
  home: string;
  /** The metric's own filter, an author's text over dataset.field. */
  filter: string | null;
  /** Counting the same row twice changes nothing, so a home further on the many side will do. */
  repeatable: boolean;
  /** Null means none: counts of a group without rows are 0. */
  count: boolean;
  additive: boolean;
  /** Only the rows of this period, or those that also satisfy these. */
  within?: TimeWindow;
  where?: Filter[];
  /** Computed over groups of their own, and not over rows. */
  over?: Averaged;
  /** `value` takes a condition on its rows; an author's expression takes none. */
  conditional: boolean;
  value: (scope: RowScope, condition?: Expression) => Expression | null;
}
export interface Output {
  name: string;
  datatype: Datatype;
  unit: string | null;
  source: string;
  /** What two groups come to is the sum of what each comes to. */
  additive: boolean;
  leaves: Leaf[];
  /** Over the grouped rows, so every measure is computed at one level. */
  windowed: boolean;
  value: (leaf: ReadLeaf, frame: Frame) => Expression;
}
export type ReadLeaf = (leaf: Leaf) => Expression;
/** The grouped rows a window looks at: dimensions by their values at that level. */
export interface Frame {
  time: { value: Expression; grain: 'day' | 'week' | 'month' | 'quarter' | 'year' } | null;
  others: Expression[];
  at: (dimensions: Grouping[]) => Expression[];
}
/** What a measure must know of its groups. */
export interface Groups {
  dimensions: Grouping[];
  /** There is a date that can order them. */
  time: boolean;
}
