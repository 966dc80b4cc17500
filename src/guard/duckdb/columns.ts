// A column reference of DuckDB, and `*` with all that may stand behind it.
import type { Analysis } from '../analysis.ts';
import { type AstNode, asList, asNode, asText } from '../ast.ts';
import type { OutputColumn } from '../name-scope.ts';
import { resolveColumn } from '../resolve-column.ts';
import { expandStar } from '../unnamed-columns.ts';
import { onlyFields, type Place, type Walk, words } from '../walk.ts';
import { pathOf } from './nodes.ts';
import { DUCKDB_VALUE_NAMES } from './shapes.ts';

const STAR_FIELDS = words(
  `class type alias query_location relation_name exclude_list replace_list columns expr qualified_exclude_list rename_list
   unpacked`,
);

/** `dataset.field` when the values are hidden; the reference is rewritten where it reads another column. */
export function useColumnRef(analysis: Analysis, node: AstNode, place: Place): string | null {
  const path = pathOf(node) ?? [];
  const [first] = path;
  if (path.length === 1 && first !== undefined && DUCKDB_VALUE_NAMES.has(first.toLowerCase())) {
    analysis.functions.add(first.toLowerCase());
    return null;
  }
  const use = resolveColumn(analysis, place.scope, path, place.position, place.outputs);
  if (use.parts) node['column_names'] = use.parts;
  return use.masked;
}

export function walkStar(walk: Walk, node: AstNode, place: Place): OutputColumn[] {
  const { analysis } = walk;
  onlyFields(analysis, '*', node, STAR_FIELDS);
  if (asList(node['qualified_exclude_list']).length > 0) analysis.construct('EXCLUDE of a qualified column');
  const replaced = asList(node['replace_list']).map(asNode);
  for (const entry of replaced) walk.visit(entry['value'], place);
  walk.visit(node['expr'], place);
  const relation = asText(node['relation_name']);
  const names = replaced.map((entry) => asText(entry['key']));
  const without = [...asList(node['exclude_list']).map(asText), ...names];
  const columns = expandStar(analysis, place.scope, relation === '' ? [] : [relation], without);
  if (asList(node['rename_list']).length > 0) analysis.construct('* RENAME');
  return [...columns, ...names.map((name) => ({ name, masked: null }))];
}
