// Applies the rules of the guard to a statement or a lens expression.
import type { Expression, Query } from '../../dialects/tree.ts';
import { visitExpression } from './expression.ts';
import { NameScope, type OutputColumn } from './name-scope.ts';
import { walkQuery } from './query.ts';
import type { StatementAnalysis } from './statement-analysis.ts';
import type { StatementWalk } from './statement-walk.ts';

function createWalk(analysis: StatementAnalysis, parameters: number): StatementWalk {
  const walk: StatementWalk = {
    analysis,
    parameterCount: parameters,
    query: (query, queryContext) => walkQuery(walk, query, queryContext),
    visit: (expression, context) => visitExpression(walk, expression, context),
  };
  return walk;
}

/** Returns the output columns. Reports an error for everything that isn't allowed. */
export function guardQuery(analysis: StatementAnalysis, query: Query, parameters: number): OutputColumn[] {
  const context = { parent: null, ctes: new Map(), isOutermost: true, recursion: null, depth: 0 };
  const outputs = createWalk(analysis, parameters).query(query, context);
  analysis.size.checkResultColumns(outputs.length);
  return outputs;
}

export const guardExpression = (analysis: StatementAnalysis, expression: Expression): void =>
  createWalk(analysis, 0).visit(expression, {
    scope: new NameScope(null),
    ctes: new Map(),
    position: 'used',
    outputs: 'no',
    depth: 0,
  });
