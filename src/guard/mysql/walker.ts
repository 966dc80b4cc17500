// Walks a MySQL tree, denying by default, resolving every name in its scope and marking tables for replacement.
import type { Analysis } from '../analysis.ts';
import type { Walk } from '../walk.ts';
import { visitMysql } from './expression.ts';
import { walkQuery } from './query.ts';

export function mysqlWalk(analysis: Analysis, parameters: number): Walk {
  const walk: Walk = {
    analysis,
    parameters,
    deepest: 200,
    query: (query, at) => walkQuery(walk, query, at),
    visit: (node, place) => visitMysql(walk, node, place),
  };
  return walk;
}
