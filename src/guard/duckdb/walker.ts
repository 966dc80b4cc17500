// Walks a DuckDB tree, denying by default, resolving every name in its scope and marking tables for replacement.
import { walksWith } from '../walk.ts';
import { visitDuckdb } from './expression.ts';
import { walkQuery } from './query.ts';

export const duckdbWalk = walksWith({ deepest: 400, query: walkQuery, visit: visitDuckdb });
