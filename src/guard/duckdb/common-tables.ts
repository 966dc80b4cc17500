// WITH of DuckDB, recursive or not.
import { type AstNode, asList, asNode, asText } from '../ast.ts';
import { type CteScope, refuseEndless, withCommonTable } from '../common-tables.ts';
import { type OutputColumn, renameColumns } from '../name-scope.ts';
import { inside, onlyFields, type QueryPlace, type Walk, words } from '../walk.ts';

const ENTRY_FIELDS = words('aliases query materialized key_targets');
const RECURSIVE_FIELDS = words(
  'type modifiers cte_map cte_name union_all left right aliases key_targets payload_aggregates',
);

export function readWith(walk: Walk, map: AstNode, at: QueryPlace): CteScope {
  const { analysis } = walk;
  let { ctes } = at;
  for (const entry of asList(map['map']).map(asNode)) {
    const name = asText(entry['key']);
    const info = asNode(entry['value']);
    onlyFields(analysis, 'WITH', info, ENTRY_FIELDS);
    analysis.identifier(name);
    analysis.cteNames.add(analysis.fold(name));
    const renamed = asList(info['aliases']).map(asText);
    const query = asNode(asNode(info['query'])['node']);
    const inner = inside({ ctes, depth: at.depth }, at.parent);
    ctes = withCommonTable(analysis, ctes, analysis.fold(name), renamed, () =>
      query['type'] === 'RECURSIVE_CTE_NODE' ? recursive(walk, name, query, renamed, inner) : walk.query(query, inner),
    );
  }
  return ctes;
}

function recursive(walk: Walk, name: string, node: AstNode, renamed: string[], at: QueryPlace): OutputColumn[] {
  const { analysis } = walk;
  onlyFields(analysis, 'A recursive query', node, RECURSIVE_FIELDS);
  if (asList(asNode(node['cte_map'])['map']).length > 0) analysis.construct('WITH inside a recursive part');
  const columns = walk.query(asNode(node['left']), at);
  const arm = asNode(node['right']);
  const bounded = arm['where_clause'] || arm['having'] || arm['qualify'] || arm['type'] !== 'SELECT_NODE';
  const from = asNode(arm['from_table']);
  const itself = analysis.same(asText(from['table_name']), name);
  if (!bounded && (itself || from['type'] === 'SUBQUERY')) refuseEndless(analysis, name);
  walk.query(arm, { ...at, ctes: at.ctes.with(analysis.fold(name), renameColumns(columns, renamed)) });
  return columns;
}
