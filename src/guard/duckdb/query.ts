// One query of DuckDB: WITH, then a SELECT or a set operation, then the modifiers: DISTINCT, ORDER BY, LIMIT.
import { type AstNode, asList, asNode, asText, isNode } from '../ast.ts';
import { NameScope, type OutputColumn } from '../name-scope.ts';
import { useByPosition } from '../unnamed-columns.ts';
import { isTooDeep, onlyFields, type Place, type QueryPlace, type Walk, words } from '../walk.ts';
import { readWith } from './common-tables.ts';
import { walkFrom } from './from.ts';
import { constantOf } from './nodes.ts';
import { walkOutputs } from './outputs.ts';

const SELECT_FIELDS = words(
  `type modifiers cte_map select_list from_table where_clause group_expressions group_sets aggregate_handling having sample
   qualify`,
);
const SET_FIELDS = words('type modifiers cte_map setop_type left right setop_all children');
const ORDER_FIELDS = words('type orders');
const LIMIT_FIELDS = words('type limit offset');
const DISTINCT_FIELDS = words('type distinct_on_targets');

export function walkQuery(walk: Walk, node: AstNode, at: QueryPlace): OutputColumn[] {
  const { analysis } = walk;
  if (isTooDeep(walk, at.depth)) return [];
  const ctes = readWith(walk, asNode(node['cte_map']), at);
  const scope = new NameScope(at.parent);
  const place: Place = { scope, ctes, position: 'used', outputs: 'also', depth: at.depth + 1 };
  const modifiers = asList(node['modifiers']).map(asNode);
  const distinct = modifiers.some((modifier) => modifier['type'] === 'DISTINCT_MODIFIER');
  let outputs: OutputColumn[] = [];
  if (node['type'] === 'SELECT_NODE') outputs = select(walk, node, place, at.outermost && !distinct);
  else if (node['type'] === 'SET_OPERATION_NODE') {
    outputs = setOperation(walk, node, { ...at, ctes, depth: at.depth + 1 });
  } else analysis.construct(asText(node['type']) || 'This query');
  scope.outputs = outputs;
  if (distinct) analysis.noMasked(outputs, 'in SELECT DISTINCT');
  for (const modifier of modifiers) modify(walk, modifier, place);
  return outputs;
}

function setOperation(walk: Walk, node: AstNode, at: QueryPlace): OutputColumn[] {
  onlyFields(walk.analysis, 'A set operation', node, SET_FIELDS);
  const arms = [node['left'], node['right'], ...asList(node['children'])].filter(isNode);
  const found = arms.map((arm) => walkQuery(walk, arm, at));
  for (const columns of found) walk.analysis.noMasked(columns, 'in a set operation');
  return asText(node['setop_type']).includes('BY_NAME') ? found.flat() : (found[0] ?? []);
}

function select(walk: Walk, node: AstNode, place: Place, shown: boolean): OutputColumn[] {
  const { analysis } = walk;
  onlyFields(analysis, 'SELECT', node, SELECT_FIELDS);
  if (node['sample']) analysis.construct('USING SAMPLE');
  const before = analysis.size.reads;
  walkFrom(walk, node['from_table'], place);
  analysis.size.joined(before);
  const outputs = walkOutputs(walk, asList(node['select_list']).map(asNode), place, shown);
  place.scope.outputs = outputs;
  walk.visit(node['where_clause'], place);
  for (const key of asList(node['group_expressions'])) visitKey(walk, key, place);
  if (node['aggregate_handling'] === 'FORCE_AGGREGATES') analysis.noMasked(outputs, 'in GROUP BY ALL');
  walk.visit(node['having'], place);
  walk.visit(node['qualify'], place);
  return outputs;
}

function modify(walk: Walk, modifier: AstNode, place: Place): void {
  const { analysis } = walk;
  const type = modifier['type'];
  if (type === 'ORDER_MODIFIER') {
    onlyFields(analysis, 'ORDER BY', modifier, ORDER_FIELDS);
    for (const order of asList(modifier['orders']).map(asNode)) {
      const key = asNode(order['expression']);
      if (key['class'] === 'STAR') orderByAll(walk, key, place);
      else visitKey(walk, key, { ...place, outputs: 'first' });
    }
  } else if (type === 'LIMIT_MODIFIER') {
    onlyFields(analysis, 'LIMIT', modifier, LIMIT_FIELDS);
    walk.visit(modifier['limit'], place);
    walk.visit(modifier['offset'], place);
  } else if (type === 'DISTINCT_MODIFIER') {
    onlyFields(analysis, 'DISTINCT', modifier, DISTINCT_FIELDS);
    walk.visit(modifier['distinct_on_targets'], place);
  } else {
    analysis.construct(type === 'LIMIT_PERCENT_MODIFIER' ? 'LIMIT in percent' : String(type));
  }
}

/** GROUP BY and ORDER BY know positions besides expressions. */
function visitKey(walk: Walk, key: unknown, place: Place): void {
  const constant = constantOf(key);
  if (typeof constant === 'number') useByPosition(walk.analysis, place.scope.outputs, constant, false);
  walk.visit(key, place);
}

function orderByAll({ analysis }: Walk, star: AstNode, { scope }: Place): void {
  analysis.noMasked(scope.outputs, 'in ORDER BY ALL');
  if (asText(star['relation_name']) !== '' || star['expr']) analysis.construct('ORDER BY COLUMNS(…)');
}
