// Expressions of Postgres: every kind of node is known, by a rule here or by its shape, or it is refused.
import type { Analysis } from '../analysis.ts';
import { type AstNode, asList, asNode, asText, isNode, isPlain } from '../ast.ts';
import { checkBoundedCall } from '../bounded-calls.ts';
import { resolveColumn } from '../resolve-column.ts';
import { expandStar } from '../unnamed-columns.ts';
import { inside, isTooDeep, onlyFields, type Place, type Walk, words } from '../walk.ts';
import { POSTGRES_OPERATORS, POSTGRES_VALUE_FUNCTIONS } from './builtins.ts';
import { checkParameter, checkType, takeConstant } from './leaves.ts';
import { columnPath, constantOf, stringsOf, unwrap } from './nodes.ts';
import { POSTGRES_SHAPES } from './shapes.ts';

const CALL_FIELDS = words(
  `funcname args agg_order agg_filter over agg_within_group agg_star agg_distinct func_variadic funcformat location`,
);
const OPERATION_FIELDS = words('kind name lexpr rexpr location rexpr_list_start rexpr_list_end');
const SUBSCRIPT_FIELDS = words('arg indirection');
const SUBQUERY_FIELDS = words('subLinkType subLinkId testexpr operName subselect location');

/** Wrapped nodes `{Kind: {…}}`, one or many. */
export function visitPostgres(walk: Walk, value: unknown, place: Place): void {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) {
    for (const one of value) visitPostgres(walk, one, place);
    return;
  }
  const { kind, data } = unwrap(value);
  visitNode(walk, kind, data, { ...place, depth: place.depth + 1 });
}

function visitNode(walk: Walk, kind: string, data: AstNode, place: Place): void {
  const { analysis } = walk;
  if (isTooDeep(walk, place.depth)) return;
  switch (kind) {
    case 'ColumnRef':
      useColumnRef(analysis, data, place);
      return;
    case 'FuncCall':
      call(walk, data, { ...place, position: 'used' });
      return;
    case 'TypeName':
      checkType(analysis, data);
      return;
    case 'A_Const':
      takeConstant(analysis, data);
      return;
    case 'ParamRef':
      checkParameter(walk, data);
      return;
    case 'A_Expr':
      operation(walk, data, place);
      return;
    case 'A_Indirection':
      subscript(walk, data, place);
      return;
    case 'SubLink':
      subquery(walk, data, place);
      return;
    case 'SortBy':
      if (data['useOp'] !== undefined) analysis.construct('ORDER BY … USING');
      walk.visit(data['node'], place);
      return;
    case 'CollateClause': {
      const collation = stringsOf(data['collname']);
      if (collation.length > 1 && collation[0] !== 'pg_catalog') analysis.construct('A collation with a schema');
      walk.visit(data['arg'], place);
      return;
    }
    case 'SQLValueFunction': {
      const name = POSTGRES_VALUE_FUNCTIONS.get(asText(data['op']));
      const shown = asText(data['op']).replace('SVFOP_', '').toLowerCase();
      if (name) analysis.functions.add(name);
      else analysis.faults.add('function', `${shown} is not allowed.`);
      return;
    }
    case 'WindowDef':
      analysis.windows = true;
      break;
  }
  visitShape(walk, kind, data, place);
}

function visitShape(walk: Walk, kind: string, data: AstNode, place: Place): void {
  const { analysis } = walk;
  const shape = Object.hasOwn(POSTGRES_SHAPES, kind) ? POSTGRES_SHAPES[kind] : undefined;
  if (!shape) {
    analysis.construct(kind || 'This construct');
    return;
  }
  for (const [field, value] of Object.entries(data)) {
    const expected = Object.hasOwn(shape, field) ? shape[field] : undefined;
    if (expected === undefined) analysis.construct(`${kind}.${field}`);
    else if (expected === 'plain') {
      if (!isPlain(value)) analysis.construct(`${kind}.${field}`);
    } else if (expected === 'node') walk.visit(value, place);
    else visitNode(walk, expected, asNode(value), { ...place, depth: place.depth + 1 });
  }
}

/** `dataset.field` when the values are hidden; the reference is rewritten where it reads another column. */
export function useColumnRef(analysis: Analysis, data: AstNode, place: Place): string | null {
  const path = columnPath({ ColumnRef: data });
  if (!path || path.star) {
    if (path) analysis.noMasked(expandStar(analysis, place.scope, path.parts), 'through *');
    analysis.faults.add('star', 'The * may only stand for output columns; list the columns here.');
    return null;
  }
  const use = resolveColumn(analysis, place.scope, path.parts, place.position, place.outputs);
  if (use.parts) data['fields'] = use.parts.map((sval) => ({ String: { sval } }));
  return use.masked;
}

function call(walk: Walk, data: AstNode, place: Place): void {
  const { analysis } = walk;
  onlyFields(analysis, 'A function call', data, CALL_FIELDS);
  const path = stringsOf(data['funcname']);
  const name = path.at(-1) ?? '';
  if (path.length > 1 && (path.length > 2 || path[0] !== 'pg_catalog')) {
    analysis.faults.add('function', `The function ${path.join('.')} is not allowed: only built-in ones are.`);
  }
  // rollup(…) and cube(…) inside GROUPING SETS arrive as calls.
  if (name !== 'rollup' && name !== 'cube') analysis.call(name);
  const args = asList(data['args']);
  checkBoundedCall(name, args, args.map(constantOf), analysis.faults);
  const counted = name === 'count' && data['agg_distinct'] === true && args.length === 1 && columnPath(args[0]);
  walk.visit(args, { ...place, position: counted ? 'counted' : 'used' });
  walk.visit(data['agg_order'], place);
  walk.visit(data['agg_filter'], place);
  if (isNode(data['over'])) visitNode(walk, 'WindowDef', data['over'], place);
}

function operation(walk: Walk, data: AstNode, place: Place): void {
  const { analysis } = walk;
  onlyFields(analysis, 'An operator', data, OPERATION_FIELDS);
  const path = stringsOf(data['name']);
  const name = path.at(-1) ?? '';
  const word = /^[A-Z ]+$/.test(name);
  if (path.length > 1 || !(POSTGRES_OPERATORS.has(name) || word)) {
    analysis.faults.add('operator', `The operator ${path.join('.')} is not allowed.`);
  }
  if (name === '^') checkBoundedCall('power', [], [null, constantOf(data['rexpr'])], analysis.faults);
  walk.visit(data['lexpr'], place);
  walk.visit(data['rexpr'], place);
}

/** `(x).name` calls the function `name` when x has no such field, so fields of values can't be taken (G13). */
function subscript(walk: Walk, data: AstNode, place: Place): void {
  onlyFields(walk.analysis, 'A subscript', data, SUBSCRIPT_FIELDS);
  const steps = asList(data['indirection']);
  const indices = steps.filter((step) => unwrap(step).kind === 'A_Indices');
  if (indices.length < steps.length) {
    const message = 'A field of an expression, (x).y, is not allowed; name the column.';
    walk.analysis.faults.add('field_access', message);
  }
  walk.visit(data['arg'], place);
  walk.visit(indices, place);
}

function subquery(walk: Walk, data: AstNode, place: Place): void {
  const { analysis } = walk;
  onlyFields(analysis, 'A subquery', data, SUBQUERY_FIELDS);
  analysis.subqueries = true;
  const operator = stringsOf(data['operName']);
  if (operator.length > 1 || (operator.length === 1 && !POSTGRES_OPERATORS.has(operator[0]!))) {
    analysis.faults.add('operator', `The operator ${operator.join('.')} is not allowed.`);
  }
  walk.visit(data['testexpr'], { ...place, position: 'used' });
  const query = unwrap(data['subselect']);
  if (query.kind !== 'SelectStmt') {
    analysis.construct(query.kind || 'This subquery');
    return;
  }
  const columns = walk.query(query.data, inside(place, place.scope));
  if (data['subLinkType'] !== 'EXISTS_SUBLINK') analysis.noMasked(columns, 'in a subquery');
}
