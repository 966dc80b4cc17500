// One output column of a compiled intent, before it is written down as SQL.
import type { Datatype } from '../contract/warehouse.ts';
import type { Leaf } from './measure.ts';

export interface Output {
  name: string;
  datatype: Datatype;
  unit: string | null;
  source: string;
  leaves: Leaf[];
  /** Over the grouped rows, so every measure is computed at one level. */
  windowed: boolean;
  sql: (leaf: (leaf: Leaf) => string, frame: Frame) => string;
}
/** The grouped rows a window looks at: dimensions by their SQL at that level. */
interface Frame {
  time: { sql: string; grain: 'day' | 'week' | 'month' | 'quarter' | 'year' } | null;
  others: string[];
}
