// WITH of MySQL, recursive or not.
import { type AstNode, asList, asNode, asText, isNode } from '../ast.ts';
import { type CteScope, refuseEndless, withCommonTable } from '../common-tables.ts';
import { type OutputColumn, renameColumns } from '../name-scope.ts';
import { inside, type QueryPlace, type Walk } from '../walk.ts';
import { nameIn, onlyFieldsOf } from './fields.ts';
import { isEmpty } from './shapes.ts';

export function readWith(walk: Walk, clause: unknown, at: QueryPlace): CteScope {
  if (!isNode(clause)) return at.ctes;
  const { analysis } = walk;
  onlyFieldsOf(analysis, 'with', 'WITH', clause);
  let { ctes } = at;
  for (const cte of asList(clause['ctes']).map(asNode)) {
    onlyFieldsOf(analysis, 'cte', 'WITH', cte);
    const name = nameIn(analysis, cte['alias']);
    analysis.cteNames.add(analysis.fold(name));
    const renamed = asList(cte['columns']).map((column) => nameIn(analysis, column));
    const query = asNode(cte['this']);
    let seen = ctes;
    if (clause['recursive'] === true && 'union' in query) {
      const { left, right } = asNode(query['union']);
      if (isEndless(asNode(right))) refuseEndless(analysis, name);
      seen = ctes.with(name, renameColumns(firstColumns(asNode(left)), renamed));
    }
    const inner = inside({ ctes: seen, depth: at.depth }, at.parent);
    // Names of WITH have a case here: from.ts refuses those that a server could read in another way.
    ctes = withCommonTable(analysis, ctes, name, renamed, () => walk.query(query, inner));
  }
  return ctes;
}

function isEndless(arm: AstNode): boolean {
  const select = asNode(arm['select']);
  return 'select' in arm && isEmpty(select['where_clause']) && isEmpty(select['joins']);
}

/** The output names of the first part of a recursion, which is not resolved yet. */
function firstColumns(query: AstNode): OutputColumn[] {
  const inner = asNode(Object.values(query)[0]);
  if ('left' in inner) return firstColumns(asNode(inner['left']));
  if ('subquery' in query) return firstColumns(asNode(inner['this']));
  return asList(inner['expressions']).map((target) => {
    const { alias, column } = asNode(target);
    const named = asNode(isNode(alias) ? alias['alias'] : asNode(column)['name']);
    return { name: asText(named['name']), masked: null };
  });
}
