// Checks common table expressions (CTEs): which names WITH makes visible, and what each use costs.
import { nodesIn } from '../../dialects/nodes.ts';
import type { CommonTable, Query, Table, With } from '../../dialects/tree.ts';
import type { Analysis } from './analysis.ts';
import type { CteScope } from './cte-scope.ts';
import { makeSource, renameColumns, type Source } from './name-scope.ts';
import { type QueryPlace, queryPlaceIn, type Walk } from './walk.ts';

/** If a server setting decides whether names are case-sensitive, svc requires the exact spelling of a CTE's name. */
const keyOf = (analysis: Analysis, name: string): string =>
  analysis.dialect.folding.tablesByServer ? name : analysis.fold(name);

export function readWith(walk: Walk, clause: With, queryContext: QueryPlace): CteScope {
  let { ctes } = queryContext;
  for (const entry of clause.entries) ctes = readEntry(walk, entry, clause.recursive, { ...queryContext, ctes });
  return ctes;
}

/** Makes a CTE visible to later queries. Each use of the CTE counts as reading all of its tables. */
function readEntry(
  walk: Walk,
  { name, columns, query }: CommonTable,
  recursive: boolean,
  queryContext: QueryPlace,
): CteScope {
  const { analysis } = walk;
  for (const item of [name, ...columns]) analysis.checkIdentifier(item);
  analysis.cteNames.add(analysis.fold(name));
  const key = keyOf(analysis, name);
  const repeats = recursive && query.kind === 'set';
  if (repeats && isUnboundedRecursion(analysis, name, query.right)) {
    analysis.faults.add('endless', `The recursion in ${name} has no WHERE that ends it.`);
  }
  if (repeats && analysis.dialect.unstoppable) analysis.size.addGrowth();
  analysis.size.addCommonTable();
  const readsBefore = analysis.size.reads;
  const innerContext = {
    ...queryPlaceIn(queryContext, queryContext.parent),
    recursion: repeats ? { key, columns } : null,
  };
  const outputs = walk.query(query, innerContext);
  return queryContext.ctes.withTable(
    key,
    renameColumns(outputs, columns),
    Math.max(1, analysis.size.reads - readsBefore),
  );
}

/** A recursion without a condition in its recursive part never ends (G15). */
function isUnboundedRecursion(analysis: Analysis, name: string, part: Query): boolean {
  if (part.kind !== 'select' || part.where || part.having || part.qualify) return false;
  const [only, ...otherItems] = part.from;
  if (!only || otherItems.length > 0 || only.kind === 'join') return false;
  return [...nodesIn(only)].some((node) => node.kind === 'table' && analysis.sameName(node.name, name));
}

export function resolveCommonTable(
  analysis: Analysis,
  ctes: CteScope,
  { catalog, schema, name, alias }: Table,
): Source | null {
  if (catalog !== null || schema !== null) return null;
  const cte = ctes.find(keyOf(analysis, name));
  if (cte) {
    analysis.size.addReads(cte.reads);
    return makeSource(alias ?? name, cte.columns);
  }
  if (analysis.dialect.folding.tablesByServer && analysis.cteNames.has(analysis.fold(name))) {
    analysis.faults.add('cte_name', `Rename ${name} in WITH: the statement also uses it as a table.`);
  }
  return null;
}
