// Walks a Postgres parse tree, denying by default, resolving every name in its scope and marking tables for replacement.
import type { Analysis } from '../analysis.ts';
import type { Walk } from '../walk.ts';
import { visitPostgres } from './expression.ts';
import { walkQuery } from './query.ts';

export function postgresWalk(analysis: Analysis, parameters: number): Walk {
  const walk: Walk = {
    analysis,
    parameters,
    deepest: 400,
    query: (select, at) => walkQuery(walk, select, at),
    visit: (node, place) => visitPostgres(walk, node, place),
  };
  return walk;
}
