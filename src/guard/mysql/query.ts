// One query of MySQL: WITH, then a SELECT or a set operation, then what orders and cuts its rows.
import { type AstNode, asList, asNode, asText, isNode } from '../ast.ts';
import { NameScope, type OutputColumn } from '../name-scope.ts';
import type { Outputs } from '../resolve-column.ts';
import { expandStar, useByPosition } from '../unnamed-columns.ts';
import { isTooDeep, type Place, type QueryPlace, type Walk } from '../walk.ts';
import { readWith } from './common-tables.ts';
import { useColumnRef } from './expression.ts';
import { nameIn, onlyFieldsOf, SET_OPERATIONS, take } from './fields.ts';
import { walkFromClause } from './from.ts';
import { spoken } from './nodes.ts';
import { isEmpty } from './shapes.ts';
import { walkWindow } from './windows.ts';

export function walkQuery(walk: Walk, node: AstNode, at: QueryPlace): OutputColumn[] {
  const { analysis } = walk;
  const [kind, data] = take(analysis, node);
  if (isTooDeep(walk, at.depth)) return [];
  const inner = { ...at, depth: at.depth + 1 };
  if (kind === 'select') return select(walk, data, inner);
  if (kind === 'subquery') {
    onlyFieldsOf(analysis, 'subquery', 'A query in brackets', data);
    if (!isEmpty(data['alias'])) analysis.construct('An alias on this query');
    return walkQuery(walk, asNode(data['this']), inner);
  }
  if (SET_OPERATIONS.includes(kind)) return setOperation(walk, kind, data, inner);
  analysis.faults.add('not_select', `${spoken(kind)} is not a SELECT; only reading is allowed.`);
  return [];
}

function setOperation(walk: Walk, kind: string, data: AstNode, at: QueryPlace): OutputColumn[] {
  const { analysis } = walk;
  onlyFieldsOf(analysis, 'set', spoken(kind), data);
  const ctes = readWith(walk, data['with'], at);
  const below = { ...at, ctes, outermost: false };
  const [left, right] = [asNode(data['left']), asNode(data['right'])];
  // INTERSECT binds closer than UNION in some versions and not in others.
  const mixed = SET_OPERATIONS.some(
    (other) => other in right || (other in left && other !== kind) || (other in left && kind !== 'union'),
  );
  if (mixed) analysis.faults.add('brackets', 'Put brackets around the parts of this set operation.');
  const outputs = walkQuery(walk, left, below);
  analysis.noMasked([...outputs, ...walkQuery(walk, right, below)], 'in a set operation');
  const scope = new NameScope(at.parent);
  scope.outputs = outputs;
  orderAndCut(walk, data, { scope, ctes, position: 'used', outputs: 'no', depth: at.depth }, false);
  return outputs;
}

function select(walk: Walk, data: AstNode, at: QueryPlace): OutputColumn[] {
  const { analysis } = walk;
  onlyFieldsOf(analysis, 'select', 'SELECT', data);
  const ctes = readWith(walk, data['with'], at);
  const scope = new NameScope(at.parent);
  const place: Place = { scope, ctes, position: 'used', outputs: 'no', depth: at.depth + 1 };
  walkFromClause(walk, data, place);
  const distinct = data['distinct'] === true;
  const targets = asList(data['expressions']);
  const starred = targets.some((one) => isNode(one) && 'star' in one);
  const outputs = targets.flatMap((one) => target(walk, one, place, at.outermost && !distinct));
  if (targets.length === 0) analysis.construct('A SELECT without columns');
  scope.outputs = outputs;
  condition(walk, data['where_clause'], place);
  if (isNode(data['group_by'])) group(walk, data['group_by'], place, starred);
  condition(walk, data['having'], { ...place, outputs: 'also' });
  for (const one of asList(data['windows']).map(asNode)) {
    onlyFieldsOf(analysis, 'window', 'WINDOW', one);
    walkWindow(walk, asNode(one['spec']), place);
  }
  if (distinct) analysis.noMasked(outputs, 'in SELECT DISTINCT');
  orderAndCut(walk, data, place, starred);
  return outputs;
}

function target(walk: Walk, node: unknown, place: Place, shown: boolean): OutputColumn[] {
  const { analysis } = walk;
  const [kind, data] = take(analysis, asNode(node));
  if (kind === 'star') {
    onlyFieldsOf(analysis, 'star', '*', data);
    return expandStar(analysis, place.scope, isNode(data['table']) ? [nameIn(analysis, data['table'])] : []);
  }
  if (kind === 'alias') {
    onlyFieldsOf(analysis, 'alias', 'AS', data);
    const [output] = target(walk, data['this'], place, shown);
    if (isNode(data['this']) && 'star' in data['this']) analysis.construct('* AS');
    return [{ name: nameIn(analysis, data['alias']), masked: output?.masked ?? null }];
  }
  if (kind === 'column') {
    const masked = useColumnRef(analysis, data, { ...place, position: shown ? 'shown' : 'used' });
    return [{ name: asText(asNode(data['name'])['name']), masked }];
  }
  walk.visit(node, place);
  return [{ name: '', masked: null }];
}

function condition(walk: Walk, clause: unknown, place: Place): void {
  if (!isNode(clause)) return;
  onlyFieldsOf(walk.analysis, 'condition', 'A condition', clause);
  walk.visit(clause['this'], place);
}

function group(walk: Walk, clause: AstNode, place: Place, starred: boolean): void {
  onlyFieldsOf(walk.analysis, 'group_by', 'GROUP BY', clause);
  for (const key of asList(clause['expressions'])) {
    if (!isNode(key) || !('rollup' in key)) visitKey(walk, key, place, starred);
    else if (!isEmpty(asNode(key['rollup'])['expressions'])) walk.analysis.construct('ROLLUP (…)');
  }
}

function orderAndCut(walk: Walk, data: AstNode, place: Place, starred: boolean): void {
  const { analysis } = walk;
  if (isNode(data['order_by'])) {
    onlyFieldsOf(analysis, 'order', 'ORDER BY', data['order_by']);
    for (const key of asList(data['order_by']['expressions']).map(asNode)) {
      onlyFieldsOf(analysis, 'ordered', 'ORDER BY', key);
      visitKey(walk, key['this'], place, starred);
    }
  }
  for (const key of ['limit', 'offset']) {
    const given = data[key];
    if (!isNode(given)) continue;
    const value = 'this' in given ? given['this'] : given;
    const [kind] = take(analysis, asNode(value));
    if (kind !== 'literal' && kind !== 'placeholder') analysis.construct(`A computed ${key.toUpperCase()}`);
    walk.visit(value, place);
  }
}

/** ORDER BY and GROUP BY know positions and output names besides columns; MySQL looks for both inside expressions too. */
function visitKey(walk: Walk, node: unknown, place: Place, starred: boolean): void {
  const [kind, data] = take(walk.analysis, asNode(node));
  if (kind === 'literal') useByPosition(walk.analysis, place.scope.outputs, Number(data['value']), starred);
  const outputs: Outputs = kind === 'column' && place.scope.sources.length === 0 ? 'first' : 'also';
  walk.visit(node, { ...place, outputs });
}
