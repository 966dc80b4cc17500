// WITH of Postgres, recursive or not.
import { type AstNode, asList, asNode, asText, isNode } from '../ast.ts';
import { type CteScope, refuseEndless, withCommonTable } from '../common-tables.ts';
import { type OutputColumn, renameColumns } from '../name-scope.ts';
import { inside, onlyFields, type QueryPlace, type Walk, words } from '../walk.ts';
import { outputName, stringsOf, unwrap } from './nodes.ts';

const CLAUSE_FIELDS = words('ctes recursive location');
const ENTRY_FIELDS = words('ctename aliascolnames ctematerialized ctequery location cterefcount');

export function readWith(walk: Walk, clause: AstNode, at: QueryPlace): CteScope {
  onlyFields(walk.analysis, 'WITH', clause, CLAUSE_FIELDS);
  let { ctes } = at;
  for (const wrapped of asList(clause['ctes'])) {
    ctes = readEntry(walk, unwrap(wrapped).data, clause['recursive'] === true, { ...at, ctes });
  }
  return ctes;
}

function readEntry(walk: Walk, entry: AstNode, recursive: boolean, at: QueryPlace): CteScope {
  const { analysis } = walk;
  onlyFields(analysis, 'WITH', entry, ENTRY_FIELDS);
  const name = asText(entry['ctename']);
  analysis.identifier(name);
  analysis.cteNames.add(name);
  const renamed = stringsOf(entry['aliascolnames']);
  const { kind, data: query } = unwrap(entry['ctequery']);
  if (kind !== 'SelectStmt') {
    analysis.faults.add('not_select', `WITH ${name} holds ${kind || 'something'} that is not a SELECT.`);
    return at.ctes;
  }
  let seen = at.ctes;
  if (recursive && query['larg'] !== undefined) {
    if (query['op'] === 'SETOP_UNION' && isEndless(name, asNode(query['rarg']))) refuseEndless(analysis, name);
    seen = seen.with(name, renameColumns(firstColumns(query), renamed));
  }
  const inner = inside({ ctes: seen, depth: at.depth }, at.parent);
  return withCommonTable(analysis, at.ctes, name, renamed, () => walk.query(query, inner));
}

/** The output names of the first part of a recursion, which is not resolved yet. */
function firstColumns(query: AstNode): OutputColumn[] {
  let first = query;
  while (isNode(first['larg'])) first = first['larg'];
  const values = unwrap(asList(first['valuesLists'])[0]);
  const names =
    values.kind === 'List'
      ? asList(values.data['items']).map((_, index) => `column${index + 1}`)
      : asList(first['targetList']).map((target) => outputName(target));
  return names.map((name) => ({ name, masked: null }));
}

function isEndless(name: string, arm: AstNode): boolean {
  const bounded = ['whereClause', 'larg', 'havingClause'].some((key) => arm[key] !== undefined);
  const from = asList(arm['fromClause']);
  const joins = from.length > 1 || unwrap(from[0]).kind === 'JoinExpr';
  const namesItself = JSON.stringify(arm['fromClause'] ?? '').includes(`"${name}"`);
  return !bounded && !joins && arm['op'] === 'SETOP_NONE' && namesItself;
}
