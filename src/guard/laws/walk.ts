// How a tree is walked: where the walk stands, the ways on from there, and what ends it.
import type { Outputs } from '../../dialects/dialect.ts';
import type { Expression, Query } from '../../dialects/tree.ts';
import type { Analysis } from './analysis.ts';
import type { CteScope } from './cte-scope.ts';
import type { NameScope, OutputColumn, Settle } from './name-scope.ts';
import type { Position } from './use-column.ts';

/** Where an expression stands. */
export interface Place {
  scope: NameScope;
  ctes: CteScope;
  position: Position;
  outputs: Outputs;
  /** Of a key that is a name alone: writes the place of the output that it names instead. */
  byPosition?: Settle | null;
  depth: number;
}

/** Where a query stands. */
export interface QueryPlace {
  parent: NameScope | null;
  ctes: CteScope;
  outermost: boolean;
  /** The name of WITH that this query defines, known to its second part, and what its columns are renamed to. */
  recursion: { key: string; columns: string[] } | null;
  depth: number;
}

/** What the laws hand each other: the findings, and the ways on into queries and expressions. */
export interface Walk {
  readonly analysis: Analysis;
  /** How many parameters were written. */
  readonly parameters: number;
  query(query: Query, at: QueryPlace): OutputColumn[];
  visit(expression: Expression, place: Place): void;
}

/** A query inside a query; `parent` is what it sees outside itself. */
export const inside = ({ ctes, depth }: { ctes: CteScope; depth: number }, parent: NameScope | null): QueryPlace => ({
  parent,
  ctes,
  outermost: false,
  recursion: null,
  depth: depth + 1,
});

export function isTooDeep({ dialect, faults }: Analysis, depth: number): boolean {
  const tooDeep = depth > dialect.budgets.deepest;
  if (tooDeep) faults.add('too_deep', 'The statement nests too deeply.');
  return tooDeep;
}
