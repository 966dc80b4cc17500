// Expressions of MySQL: every kind of node is known, by a rule here or by its shape, or it is refused.
import type { Analysis } from '../analysis.ts';
import { type AstNode, asList, asNode, asText, isNode } from '../ast.ts';
import { resolveColumn } from '../resolve-column.ts';
import { expandStar } from '../unnamed-columns.ts';
import { inside, isTooDeep, type Place, type Walk } from '../walk.ts';
import { walkCall } from './calls.ts';
import { isKnownKind, nameIn, onlyFieldsOf, onlyThese, SET_OPERATIONS, take } from './fields.ts';
import { spoken } from './nodes.ts';
import { castType, INTERVAL_UNITS, isEmpty, MYSQL_SHAPES, type MysqlShape } from './shapes.ts';
import { visitOrders, walkWindow } from './windows.ts';

const LITERALS = ['string', 'number', 'date', 'time', 'timestamp'];

/** Expressions, one or many. */
export function visitMysql(walk: Walk, node: unknown, place: Place): void {
  if (isEmpty(node)) return;
  if (Array.isArray(node)) {
    for (const one of node) visitMysql(walk, one, place);
    return;
  }
  const { analysis } = walk;
  if (isTooDeep(walk, place.depth)) return;
  const [kind, data] = take(analysis, asNode(node));
  const below: Place = { ...place, depth: place.depth + 1, position: 'used' };
  const shape = Object.hasOwn(MYSQL_SHAPES, kind) ? MYSQL_SHAPES[kind] : undefined;
  if (shape) visitShape(walk, kind, data, shape, below);
  else if (kind === 'null') return;
  else if (kind === 'raw') analysis.faults.add('construct', 'Write x NOT LIKE y, or put brackets after NOT.');
  else if (kind === 'select' || SET_OPERATIONS.includes(kind)) subquery(walk, asNode(node), below);
  else if (!isKnownKind(kind)) analysis.construct(spoken(kind));
  else {
    onlyFieldsOf(analysis, kind, spoken(kind), data);
    visitKind(walk, kind, data, { ...below, position: place.position });
  }
}

function visitShape(walk: Walk, kind: string, data: AstNode, shape: MysqlShape, place: Place): void {
  const fields = new Set(shape.fields);
  onlyThese(walk.analysis, spoken(kind), data, fields);
  for (const field of fields) {
    const value = data[field];
    if (kind === 'exists') walkInner(walk, asNode(value), place);
    else if (isNode(value)) walk.visit(value, place);
    else if (!isEmpty(value) && value !== true) walk.analysis.construct(`${spoken(kind)} with ${field}`);
  }
}

function visitKind(walk: Walk, kind: string, data: AstNode, place: Place): void {
  const { analysis } = walk;
  const used: Place = { ...place, position: 'used' };
  switch (kind) {
    case 'column':
      useColumnRef(analysis, data, place);
      return;
    case 'star':
      analysis.noMasked(expandStar(analysis, place.scope, []), 'through *');
      analysis.faults.add('star', 'The * may only stand for output columns; list the columns here.');
      return;
    case 'literal':
      if (!LITERALS.includes(asText(data['literal_type']))) {
        analysis.construct(`A literal of type ${asText(data['literal_type'])}`);
      }
      return;
    case 'boolean':
      return;
    case 'placeholder':
      analysis.placeholders++;
      return;
    case 'subquery':
      if (!isEmpty(data['alias'])) analysis.construct('An alias on this subquery');
      subquery(walk, asNode(data['this']), used);
      return;
    case 'function':
      walkCall(walk, data, place);
      return;
    case 'like':
    case 'tuple':
      walk.visit([data['left'], data['right'], data['escape'], data['expressions']].flat(), used);
      return;
    case 'in':
      walk.visit(data['this'], used);
      if (isNode(data['query'])) subquery(walk, data['query'], used);
      walk.visit(data['expressions'], used);
      return;
    case 'case':
      walk.visit([data['operand'], ...asList(data['whens']).flatMap(asList), data['else_']], used);
      return;
    case 'cast':
      if (castType(asNode(data['to'])) === null) {
        const message = 'A cast must be to signed, unsigned, decimal, double, char, date, datetime or time.';
        analysis.faults.add('type', message);
      }
      walk.visit(data['this'], used);
      return;
    case 'collation':
      if (!/^(?:utf8mb[34]_\w+|binary)$/.test(asText(data['collation']))) analysis.construct('This collation');
      walk.visit(data['this'], used);
      return;
    case 'extract':
      if (!INTERVAL_UNITS.has(asText(data['field']).toUpperCase())) analysis.construct('This unit of EXTRACT');
      walk.visit(data['this'], used);
      return;
    case 'interval': {
      const unit = asNode(data['unit']);
      onlyFieldsOf(analysis, 'unit', 'INTERVAL', unit);
      const known = unit['type'] === 'simple' && INTERVAL_UNITS.has(asText(unit['unit']).toUpperCase());
      if (!known) analysis.construct('This unit of INTERVAL');
      walk.visit(data['this'], used);
      return;
    }
    case 'group_concat':
      analysis.call('group_concat');
      walk.visit([data['this'], data['separator']], used);
      visitOrders(walk, data['order_by'], used);
      return;
    case 'window_function':
      analysis.windows = true;
      if (!('function' in asNode(data['this']))) analysis.construct('OVER on this expression');
      walk.visit(data['this'], used);
      walkWindow(walk, asNode(data['over']), used);
      return;
    default:
      analysis.construct(spoken(kind));
  }
}

/** A subquery whose values are used. */
function subquery(walk: Walk, query: AstNode, place: Place): void {
  walk.analysis.noMasked(walkInner(walk, query, place), 'in a subquery');
}

function walkInner(walk: Walk, query: AstNode, place: Place) {
  walk.analysis.subqueries = true;
  return walk.query(query, inside(place, place.scope));
}

/** `dataset.field` when the values are hidden; the reference is rewritten where it reads another column. */
export function useColumnRef(analysis: Analysis, data: AstNode, place: Place): string | null {
  onlyFieldsOf(analysis, 'column', 'A column', data);
  const path = [data['schema'], data['table'], data['name']].filter(isNode).map((part) => nameIn(analysis, part));
  const use = resolveColumn(analysis, place.scope, path, place.position, place.outputs);
  if (use.parts) {
    const [table, name] = use.parts.slice(-2);
    data['schema'] = null;
    data['table'] = { name: table };
    data['name'] = { name };
  }
  return use.masked;
}
