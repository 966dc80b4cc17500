// Walks a MySQL tree, denying by default, resolving every name in its scope and marking tables for replacement.
import { walksWith } from '../walk.ts';
import { visitMysql } from './expression.ts';
import { walkQuery } from './query.ts';

export const mysqlWalk = walksWith({ deepest: 200, query: walkQuery, visit: visitMysql });
