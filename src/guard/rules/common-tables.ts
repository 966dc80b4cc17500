// Checks common table expressions (CTEs): which names WITH makes visible, and what each use costs.
import { listNodes } from '../../dialects/nodes.ts';
import type { CommonTable, Query, Table, WithClause } from '../../dialects/tree.ts';
import { type CteScope, createSource, renameColumns, type ScopeSource } from './name-scope.ts';
import type { StatementAnalysis } from './statement-analysis.ts';
import { createNestedQueryContext, type QueryContext, type StatementWalk } from './statement-walk.ts';

/** If a server setting decides whether names are case-sensitive, svc requires the exact spelling of a CTE's name. */
const toCteKey = (analysis: StatementAnalysis, name: string): string =>
  analysis.dialect.folding.tablesByServer ? name : analysis.fold(name);

export function walkWithClause(walk: StatementWalk, clause: WithClause, queryContext: QueryContext): CteScope {
  let { ctes } = queryContext;
  for (const entry of clause.entries) ctes = walkCommonTable(walk, entry, clause.recursive, { ...queryContext, ctes });
  return ctes;
}

/** Makes a CTE visible to later queries. Each use of a CTE counts as another read of all its tables. */
function walkCommonTable(
  walk: StatementWalk,
  { name, columns, query }: CommonTable,
  recursive: boolean,
  queryContext: QueryContext,
): CteScope {
  const { analysis } = walk;
  for (const item of [name, ...columns]) analysis.checkIdentifier(item);
  analysis.cteNames.add(analysis.fold(name));
  const key = toCteKey(analysis, name);
  const isRecursive = recursive && query.kind === 'set';
  if (isRecursive && isUnboundedRecursion(analysis, name, query.right)) {
    analysis.faults.add('endless', `The recursion in ${name} has no WHERE that ends it.`);
  }
  if (isRecursive && analysis.dialect.unstoppable) analysis.size.addUnboundedValue();
  analysis.size.addCommonTable();
  const readsBefore = analysis.size.reads;
  const innerContext = {
    ...createNestedQueryContext(queryContext, queryContext.parent),
    recursion: isRecursive ? { key, columns } : null,
  };
  const outputs = walk.query(query, innerContext);
  const readCount = Math.max(1, analysis.size.reads - readsBefore);
  return new Map([...queryContext.ctes, [key, { columns: renameColumns(outputs, columns), readCount }]]);
}

/** A recursion without a condition in its recursive part never ends. */
function isUnboundedRecursion(analysis: StatementAnalysis, name: string, recursivePart: Query): boolean {
  if (recursivePart.kind !== 'select' || recursivePart.where || recursivePart.having || recursivePart.qualify)
    return false;
  const [firstItem, ...otherItems] = recursivePart.from;
  if (!firstItem || otherItems.length > 0 || firstItem.kind === 'join') return false;
  return [...listNodes(firstItem)].some((node) => node.kind === 'table' && analysis.isSameName(node.name, name));
}

export function resolveCommonTable(
  analysis: StatementAnalysis,
  ctes: CteScope,
  { catalog, schema, name, alias }: Table,
): ScopeSource | null {
  if (catalog !== null || schema !== null) return null;
  const cte = ctes.get(toCteKey(analysis, name));
  if (cte) {
    analysis.size.addReads(cte.readCount);
    return createSource(alias ?? name, cte.columns);
  }
  if (analysis.dialect.folding.tablesByServer && analysis.cteNames.has(analysis.fold(name))) {
    analysis.faults.add('cte_name', `Rename ${name} in WITH, because the statement also uses this name for a table.`);
  }
  return null;
}
