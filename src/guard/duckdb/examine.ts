// DuckDB: its own serialised tree, made by a private instance that holds no data and can reach nothing. What runs is
// DuckDB's text of the rewritten tree, which must serialise back to that very tree.

import type { Faults } from '../../dialects/faults.ts';
import { Analysis } from '../analysis.ts';
import { type AstNode, asList, asNode, asText } from '../ast.ts';
import type { Examined } from '../examined.ts';
import type { GuardScope } from '../guarded-sql.ts';
import { GovernedBodies, rewriteGoverned } from '../rewrite-governed.ts';
import { walkStatement } from '../walk.ts';
import { DUCKDB_FUNCTIONS } from './functions.ts';
import { constantOf } from './nodes.ts';
import { parseDuckdb, writeDuckdb } from './parse.ts';
import { isPlainWork } from './plain-work.ts';
import { duckdbWalk } from './walker.ts';

const bodies = new GovernedBodies(parseQuery, bareTable);

async function parseQuery(sql: string, faults: Faults): Promise<AstNode | null> {
  const statement = await parseDuckdb(sql, faults);
  return statement && asNode(statement['node']);
}

export async function examineDuckdb(
  sql: string,
  parameters: number,
  scope: GuardScope,
  faults: Faults,
): Promise<Examined | null> {
  const statement = await parseDuckdb(sql, faults);
  if (!statement) return null;
  const node = asNode(statement['node']);
  const analysis = new Analysis(scope, DUCKDB_FUNCTIONS, faults);
  const outputs = walkStatement(duckdbWalk(analysis, parameters), node);
  const modifiers = asList(node['modifiers']).map(asNode);
  return {
    analysis,
    outputs,
    ordered: modifiers.some((modifier) => modifier['type'] === 'ORDER_MODIFIER'),
    apart: () => !isPlainWork(node),
    rewrite: (maxRows) =>
      rewriteGoverned(analysis, maxRows, {
        bodies,
        setLimit: (most) => setLimit(node, most),
        write: () => writeDuckdb(statement),
      }),
  };
}

function bareTable(node: AstNode): string | null {
  return node['type'] === 'BASE_TABLE' && node['schema_name'] === '' ? asText(node['table_name']) : null;
}

const integer = (value: number): AstNode => ({
  class: 'CONSTANT',
  type: 'VALUE_CONSTANT',
  alias: '',
  query_location: 0,
  value: { type: { id: 'INTEGER', type_info: null }, is_null: false, value },
});

/** One row more than the cap, so that a cut shows; the statement's own smaller LIMIT stays. */
function setLimit(node: AstNode, maxRows: number): void {
  const modifiers = asList(node['modifiers']).map(asNode);
  const own = modifiers.find((modifier) => modifier['type'] === 'LIMIT_MODIFIER');
  if (!own) {
    node['modifiers'] = [...modifiers, { type: 'LIMIT_MODIFIER', limit: integer(maxRows + 1), offset: null }];
    return;
  }
  const value = own['limit'] === null ? null : constantOf(own['limit']);
  if (typeof value === 'number' && value <= maxRows) return;
  const free = typeof value === 'number' || value === null;
  own['limit'] = free ? integer(maxRows + 1) : least(own['limit'], integer(maxRows + 1));
}

const least = (...children: unknown[]): AstNode => ({
  class: 'FUNCTION',
  type: 'FUNCTION',
  alias: '',
  query_location: 0,
  function_name: 'least',
  schema: '',
  children,
  filter: null,
  order_bys: { type: 'ORDER_MODIFIER', orders: [] },
  distinct: false,
  is_operator: false,
  export_state: false,
  catalog: '',
});
