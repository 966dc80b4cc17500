import type { Expression, Query, SortKey } from '../../../dialects/tree.ts';
import { DUCKDB_KEYWORDS } from './syntax.ts';

export interface QueryWriter {
  writeQuery(query: Query): string;
  writeExpression(expression: Expression): string;
  writeSortKeys(keys: readonly SortKey[]): string;
}

export const writeName = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) && !DUCKDB_KEYWORDS.has(name) ? name : quoteName(name);

export const quoteNames = (names: readonly string[]): string =>
  names.length === 0 ? '' : ` (${names.map(writeName).join(', ')})`;

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;
