// Walks a DuckDB tree, denying by default, resolving every name in its scope and marking tables for replacement.
import type { Analysis } from '../analysis.ts';
import type { Walk } from '../walk.ts';
import { visitDuckdb } from './expression.ts';
import { walkQuery } from './query.ts';

export function duckdbWalk(analysis: Analysis, parameters: number): Walk {
  const walk: Walk = {
    analysis,
    parameters,
    deepest: 400,
    query: (node, at) => walkQuery(walk, node, at),
    visit: (node, place) => visitDuckdb(walk, node, place),
  };
  return walk;
}
