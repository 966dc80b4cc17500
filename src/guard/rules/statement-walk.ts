// The state and the callbacks for walking a tree.
import type { OutputNameRule } from '../../dialects/dialect.ts';
import type { Expression, Query } from '../../dialects/tree.ts';
import type { CteScope, NameDisambiguator, NameScope, OutputColumn } from './name-scope.ts';
import type { StatementAnalysis } from './statement-analysis.ts';
import type { ColumnUsage } from './use-column.ts';

export interface ExpressionContext {
  scope: NameScope;
  ctes: CteScope;
  position: ColumnUsage;
  outputs: OutputNameRule;
  /** If set, replaces a sort or group key that is a single name with the position of the output. */
  byPosition?: NameDisambiguator | null;
  depth: number;
}

export interface QueryContext {
  parent: NameScope | null;
  ctes: CteScope;
  isOutermost: boolean;
  /**
   * The recursive CTE that this query defines. The recursive part of the CTE can refer to this name and these columns.
   */
  recursion: { key: string; columns: string[] } | null;
  depth: number;
}

export interface StatementWalk {
  readonly analysis: StatementAnalysis;
  readonly parameterCount: number;
  query(query: Query, queryPlace: QueryContext): OutputColumn[];
  visit(expression: Expression, place: ExpressionContext): void;
}

/** Returns the context of a nested query. `parent` is the scope whose names the query can use. */
export const createNestedQueryContext = (
  { ctes, depth }: { ctes: CteScope; depth: number },
  parent: NameScope | null,
): QueryContext => ({
  parent,
  ctes,
  isOutermost: false,
  recursion: null,
  depth: depth + 1,
});

export function isTooDeep({ dialect, faults }: StatementAnalysis, depth: number): boolean {
  const tooDeep = depth > dialect.budgets.deepest;
  if (tooDeep) faults.add('too_deep', 'The statement is nested too deeply.');
  return tooDeep;
}
