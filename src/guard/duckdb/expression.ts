// Expressions of DuckDB: every class of node is known, by a rule here or by its shape, or it is refused.
import { type AstNode, asNode, asText, isPlain } from '../ast.ts';
import { inside, isTooDeep, onlyFields, type Place, type Walk, words } from '../walk.ts';
import { walkCall, walkWindow } from './calls.ts';
import { useColumnRef, walkStar } from './columns.ts';
import { checkParameter, checkType, takeConstant } from './leaves.ts';
import { DUCKDB_OPERATOR_TYPES, DUCKDB_SHAPES } from './shapes.ts';

const CAST_FIELDS = words('class type alias query_location child cast_type try_cast');
const ARROW_FIELDS = words('class type alias query_location lhs expr syntax_type');
const CASE_FIELDS = words('when_expr then_expr');
const SUBQUERY_FIELDS = words('class type alias query_location subquery_type subquery child comparison_type');

/** Expressions, one or many. */
export function visitDuckdb(walk: Walk, value: unknown, place: Place): void {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) {
    for (const one of value) visitDuckdb(walk, one, place);
    return;
  }
  const { analysis } = walk;
  const node = asNode(value);
  // ORDER BY means an output column by its bare name only.
  const outputs = place.outputs === 'first' ? 'also' : place.outputs;
  const deeper: Place = { ...place, outputs, depth: place.depth + 1 };
  if (isTooDeep(walk, deeper.depth)) return;
  switch (node['class']) {
    case 'COLUMN_REF':
      useColumnRef(analysis, node, place);
      return;
    case 'FUNCTION':
      walkCall(walk, node, { ...deeper, position: 'used' });
      return;
    case 'WINDOW':
      walkWindow(walk, node, { ...deeper, position: 'used' });
      return;
    case 'CONSTANT':
      takeConstant(analysis, node);
      return;
    case 'CAST':
      onlyFields(analysis, 'A cast', node, CAST_FIELDS);
      checkType(analysis, node['cast_type']);
      walk.visit(node['child'], deeper);
      return;
    case 'SUBQUERY':
      subquery(walk, node, deeper);
      return;
    case 'PARAMETER':
      checkParameter(walk, node);
      return;
    case 'LAMBDA':
      // Outside the list functions the arrow takes something out of JSON.
      onlyFields(analysis, '->', node, ARROW_FIELDS);
      walk.visit(node['lhs'], deeper);
      walk.visit(node['expr'], deeper);
      return;
    case 'STAR':
      if (node['columns'] === true) analysis.noMasked(walkStar(walk, node, deeper), 'through COLUMNS(…)');
      else analysis.faults.add('star', 'The * may only stand for output columns; list the columns here.');
      return;
    case 'OPERATOR':
      if (!DUCKDB_OPERATOR_TYPES.has(asText(node['type']))) analysis.construct(asText(node['type']));
      break;
    case undefined:
      if (node['when_expr'] !== undefined || node['then_expr'] !== undefined) {
        onlyFields(analysis, 'CASE', node, CASE_FIELDS);
        walk.visit(node['when_expr'], deeper);
        walk.visit(node['then_expr'], deeper);
        return;
      }
  }
  visitShape(walk, node, deeper);
}

function visitShape(walk: Walk, node: AstNode, place: Place): void {
  const kind = asText(node['class']);
  const shape = Object.hasOwn(DUCKDB_SHAPES, kind) ? DUCKDB_SHAPES[kind] : undefined;
  if (!shape) {
    walk.analysis.construct(kind || 'This construct');
    return;
  }
  for (const [field, value] of Object.entries(node)) {
    const expected = Object.hasOwn(shape, field) ? shape[field] : undefined;
    if (expected === undefined || (expected === 'plain' && !isPlain(value))) {
      walk.analysis.construct(`${kind}.${field}`);
    } else if (expected === 'node') walk.visit(value, place);
  }
}

function subquery(walk: Walk, node: AstNode, place: Place): void {
  const { analysis } = walk;
  onlyFields(analysis, 'A subquery', node, SUBQUERY_FIELDS);
  analysis.subqueries = true;
  walk.visit(node['child'], { ...place, position: 'used' });
  const columns = walk.query(asNode(asNode(node['subquery'])['node']), inside(place, place.scope));
  if (!asText(node['subquery_type']).includes('EXISTS')) analysis.noMasked(columns, 'in a subquery');
}
