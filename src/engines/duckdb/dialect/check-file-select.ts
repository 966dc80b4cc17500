// Checks a SELECT that a project applies to a file. The SELECT can use every construct of DuckDB, but it can't read
// settings, which contain paths on the server, or the catalog, which lists other tables.
import { type AstNode, toAstNode, toList, toTextOrEmpty } from '../../../dialects/ast.ts';
import { FaultCollector } from '../../../dialects/fault-collector.ts';
import { DUCKDB_FUNCTIONS } from './functions.ts';
import { listNodes } from './native.ts';
import { parseDuckdb } from './parse.ts';

const FILE_READER_PATTERN = /^read_(?:csv|json|ndjson|parquet)(?:_auto|_objects)?$/;
const FILE_EXTENSION_PATTERN = /\.[a-z]+(?:\.gz|\.zst)?$/i;
const OPERATOR_NAME_PATTERN = /^[^a-z_]+$/;

/** Describes the first forbidden construct, or returns null. `tables` are the tables of the same connection. */
export async function findFileSelectFault(sql: string, tables: readonly string[]): Promise<string | null> {
  const faults = new FaultCollector();
  const select = await parseDuckdb(sql, faults);
  // DuckDB explains errors in other SQL better than svc does, so svc refuses only a SELECT that is too large to check.
  if (!select) return faults.list.some(({ code }) => code.startsWith('too_')) ? 'more than svc can check' : null;
  const nodes = [...listNodes(select)];
  const knownTables = new Set(
    ['source', ...tables, ...nodes.flatMap(listCommonTableNames)].map((name) => name.toLowerCase()),
  );
  for (const node of nodes) {
    if (node['type'] === 'BASE_TABLE') {
      const name = toTextOrEmpty(node['table_name']).toLowerCase();
      if (
        !['', 'main'].includes(toTextOrEmpty(node['schema_name']).toLowerCase()) ||
        !(knownTables.has(name) || FILE_EXTENSION_PATTERN.test(name))
      )
        return `the table ${name}`;
    } else if (node['type'] === 'SHOW_REF') return 'DESCRIBE, SHOW or SUMMARIZE';
    else if (node['type'] === 'TABLE_FUNCTION') {
      const name = toTextOrEmpty(toAstNode(node['function'])['function_name']).toLowerCase();
      if (DUCKDB_FUNCTIONS.kind(name) !== 'table' && !FILE_READER_PATTERN.test(name)) return `the function ${name}`;
    } else if (node['class'] === 'FUNCTION' || node['class'] === 'WINDOW') {
      const name = toTextOrEmpty(node['function_name']).toLowerCase();
      if (!DUCKDB_FUNCTIONS.has(name) && !OPERATOR_NAME_PATTERN.test(name) && !FILE_READER_PATTERN.test(name))
        return `the function ${name}`;
    }
  }
  return null;
}

const listCommonTableNames = (node: AstNode): string[] =>
  toList(toAstNode(node['cte_map'])['map']).map((entry) => toTextOrEmpty(toAstNode(entry)['key']));
