// Keeps a table as written if the caller can see all of its rows and columns. The engine can then use the table's keys,
// for example in GROUP BY. The guard writes out `*` and qualifies ambiguous names.
import { columnOf } from '../../dialects/make-nodes.ts';
import type { SelectItem, Table } from '../../dialects/tree.ts';
import type { ScopeSource } from './name-scope.ts';
import { namesExactTable } from './resolve-table.ts';
import type { ReplaceableTable, StarUse, StatementAnalysis } from './statement-analysis.ts';

export function keepTables(analysis: StatementAnalysis): Set<ScopeSource> {
  const keepable = new Set(
    analysis.replaceableTables.filter((item) => canKeepTable(analysis, item)).map(({ source }) => source),
  );
  const expandableStars = analysis.stars.filter((starUse) => starUse.sources.some((source) => keepable.has(source)));
  for (const { sources } of expandableStars.filter((starUse) => !canExpandStar(analysis, starUse)))
    for (const source of sources) keepable.delete(source);
  for (const starUse of expandableStars)
    if (starUse.sources.some((source) => keepable.has(source))) expandStars(starUse);
  for (const { source, table } of analysis.replaceableTables) {
    if (!keepable.has(source)) continue;
    for (const disambiguate of source.disambiguators) disambiguate!();
    qualifyTable(analysis, source, table);
  }
  return keepable;
}

function canKeepTable(
  analysis: StatementAnalysis,
  { source: { relation, uses, disambiguators }, table }: ReplaceableTable,
): boolean {
  if (!relation?.whole || uses.natural || uses.renamed || disambiguators.includes(null)) return false;
  const isUnqualified = table.schema === null && relation.source.schema === null;
  return !(isUnqualified && analysis.cteNames.has(analysis.fold(table.name)));
}

/**
 * Returns true if all sources are governed tables with distinct names, so that svc can write out the `*` with qualified
 * columns.
 */
const canExpandStar = (analysis: StatementAnalysis, { sources, itemList }: StarUse): boolean =>
  itemList !== null &&
  sources.every(({ relation, alias }) => {
    const sameAlias = sources.filter((candidate) => analysis.isSameName(candidate.alias, alias));
    return relation !== null && alias !== '' && sameAlias.length === 1;
  });

function expandStars({ sources, itemList }: StarUse): void {
  const { items, star } = itemList!;
  const starIndex = items.findIndex(({ value }) => value === star);
  const columns = sources.flatMap(({ alias, columns }) =>
    columns.map(({ name }): SelectItem => ({ value: columnOf(alias, name), alias: null })),
  );
  items.splice(starIndex, 1, ...columns);
}

/** Qualifies a table and keeps the name that the statement uses for it. */
function qualifyTable(analysis: StatementAnalysis, { relation }: ScopeSource, table: Table): void {
  const { name } = table;
  if (namesExactTable(analysis, table, relation!) && !analysis.cteNames.has(analysis.fold(name))) return;
  const { source } = relation!;
  Object.assign(table, { catalog: source.catalog, schema: source.schema, name: source.table });
  table.alias ??= name === source.table ? null : name;
}
