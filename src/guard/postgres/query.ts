// One query of Postgres: WITH, then a SELECT, a set operation or VALUES, then what orders and cuts its rows.
import { type AstNode, asList, asNode, isNode } from '../ast.ts';
import { NameScope, type OutputColumn } from '../name-scope.ts';
import { expandStar, useByPosition } from '../unnamed-columns.ts';
import { isTooDeep, onlyFields, type Place, type QueryPlace, type Walk, words } from '../walk.ts';
import { readWith } from './common-tables.ts';
import { useColumnRef } from './expression.ts';
import { walkFrom } from './from.ts';
import { noteLookups } from './lookups.ts';
import { columnPath, constantOf, outputName, stringsOf, unwrap } from './nodes.ts';

const SELECT_FIELDS = words(
  `distinctClause targetList fromClause whereClause groupClause groupDistinct havingClause windowClause valuesLists
   sortClause limitOffset limitCount limitOption withClause op all larg rarg intoClause lockingClause`,
);

/** The output columns, and whether a `*` is among them, so that positions are not known. */
interface Listed {
  outputs: OutputColumn[];
  starred: boolean;
}

export function walkQuery(walk: Walk, stmt: AstNode, at: QueryPlace): OutputColumn[] {
  const { analysis } = walk;
  if (isTooDeep(walk, at.depth)) return [];
  onlyFields(analysis, 'SELECT', stmt, SELECT_FIELDS);
  if (stmt['intoClause'] !== undefined) {
    analysis.faults.add('into', 'SELECT … INTO writes a table and is not allowed.');
  }
  if (stmt['lockingClause'] !== undefined) {
    analysis.faults.add('locking', 'FOR UPDATE and FOR SHARE are not allowed.');
  }
  const ctes = isNode(stmt['withClause']) ? readWith(walk, stmt['withClause'], at) : at.ctes;
  const scope = new NameScope(at.parent);
  const place: Place = { scope, ctes, position: 'used', outputs: 'no', depth: at.depth + 1 };
  const listed = list(walk, stmt, { ...at, ctes, depth: at.depth + 1 }, place);
  scope.outputs = listed.outputs;
  filterAndGroup(walk, stmt, place, listed);
  orderAndCut(walk, stmt, place, listed);
  return listed.outputs;
}

function list(walk: Walk, stmt: AstNode, at: QueryPlace, place: Place): Listed {
  if (stmt['op'] !== undefined && stmt['op'] !== 'SETOP_NONE') {
    const outputs = walkQuery(walk, asNode(stmt['larg']), at);
    const right = walkQuery(walk, asNode(stmt['rarg']), at);
    walk.analysis.noMasked([...outputs, ...right], 'in a set operation');
    return { outputs, starred: false };
  }
  if (asList(stmt['valuesLists']).length > 0) {
    const rows = asList(stmt['valuesLists']);
    for (const row of rows) walk.visit(row, place);
    const first = asList(unwrap(rows[0]).data['items']);
    return { outputs: first.map((_, index) => ({ name: `column${index + 1}`, masked: null })), starred: false };
  }
  const before = walk.analysis.size.reads;
  for (const item of asList(stmt['fromClause'])) walkFrom(walk, item, place);
  walk.analysis.size.joined(before);
  const targets = asList(stmt['targetList']);
  if (targets.length === 0) walk.analysis.construct('A SELECT without columns');
  const shown = at.outermost && stmt['distinctClause'] === undefined;
  return {
    outputs: targets.flatMap((one) => target(walk, one, place, shown)),
    starred: targets.some((one) => columnPath(unwrap(one).data['val'])?.star),
  };
}

function target(walk: Walk, wrapped: unknown, place: Place, shown: boolean): OutputColumn[] {
  const { kind, data } = unwrap(wrapped);
  if (kind !== 'ResTarget' || data['indirection'] !== undefined) {
    walk.analysis.construct(kind || 'An empty output column');
    return [];
  }
  const path = columnPath(data['val']);
  if (path?.star) return expandStar(walk.analysis, place.scope, path.parts);
  if (path) {
    const columnRef = unwrap(data['val']).data;
    const masked = useColumnRef(walk.analysis, columnRef, { ...place, position: shown ? 'shown' : 'used' });
    return [{ name: outputName(wrapped), masked }];
  }
  walk.visit(data['val'], place);
  return [{ name: outputName(wrapped), masked: null }];
}

function filterAndGroup(walk: Walk, stmt: AstNode, place: Place, listed: Listed): void {
  walk.visit(stmt['whereClause'], place);
  noteLookups(stmt['whereClause'], place.scope);
  for (const group of asList(stmt['groupClause'])) visitKey(walk, group, { ...place, outputs: 'also' }, listed);
  walk.visit(stmt['havingClause'], place);
  walk.visit(stmt['windowClause'], place);
}

function orderAndCut(walk: Walk, stmt: AstNode, place: Place, listed: Listed): void {
  const keyed: Place = { ...place, outputs: 'first' };
  for (const key of asList(stmt['distinctClause'])) {
    if (isNode(key) && Object.keys(key).length > 0) visitKey(walk, key, keyed, listed);
  }
  if (stmt['distinctClause'] !== undefined) walk.analysis.noMasked(listed.outputs, 'in SELECT DISTINCT');
  for (const sort of asList(stmt['sortClause'])) {
    const { kind, data } = unwrap(sort);
    if (kind !== 'SortBy' || data['useOp'] !== undefined) walk.analysis.construct('ORDER BY … USING');
    visitKey(walk, data['node'], keyed, listed);
  }
  walk.visit(stmt['limitOffset'], place);
  walk.visit(stmt['limitCount'], place);
}

/** ORDER BY, GROUP BY and DISTINCT ON know positions and output names besides expressions. */
function visitKey(walk: Walk, wrapped: unknown, place: Place, listed: Listed): void {
  const { kind, data } = unwrap(wrapped);
  const grouping = place.outputs === 'also';
  const call = kind === 'FuncCall' ? stringsOf(data['funcname']).at(-1) : null;
  if (grouping && (kind === 'GroupingSet' || call === 'rollup' || call === 'cube')) {
    const parts = asList(kind === 'GroupingSet' ? data['content'] : data['args']);
    for (const part of parts) visitKey(walk, part, place, listed);
  }
  const constant = constantOf(wrapped);
  if (typeof constant === 'number') useByPosition(walk.analysis, listed.outputs, constant, listed.starred);
  walk.visit(wrapped, { ...place, outputs: columnPath(wrapped) || grouping ? place.outputs : 'no' });
}
