// Walks a Postgres parse tree, denying by default, resolving every name in its scope and marking tables for replacement.
import { walksWith } from '../walk.ts';
import { visitPostgres } from './expression.ts';
import { walkQuery } from './query.ts';

export const postgresWalk = walksWith({ deepest: 400, query: walkQuery, visit: visitPostgres });
