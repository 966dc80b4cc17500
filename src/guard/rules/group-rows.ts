// Lets a statement that groups by a table's key show other columns of the table, as engines do. The engine can't see
// the key of a governed subquery, so the guard adds these columns to GROUP BY. The groups remain the same.
import { columnOf } from '../../dialects/make-nodes.ts';
import { isQuery, listChildren, toConstant } from '../../dialects/nodes.ts';
import type { Column } from '../../dialects/tree.ts';
import type { ScopeSource } from './name-scope.ts';
import type { GroupedSelect, StatementAnalysis } from './statement-analysis.ts';

export function addDependentColumns(analysis: StatementAnalysis, replacedSources: readonly ScopeSource[]): void {
  for (const groupedSelect of analysis.groupedSelects)
    for (const source of groupedSelect.scope.sources)
      if (replacedSources.includes(source)) addDependentColumnsFromSource(analysis, groupedSelect, source);
}

function addDependentColumnsFromSource(
  analysis: StatementAnalysis,
  { select, scope }: GroupedSelect,
  source: ScopeSource,
): void {
  const primaryKey = source.relation?.key ?? [];
  const { groupBy } = select;
  if (primaryKey.length === 0 || source.uses.renamed || !groupBy || groupBy.all || groupBy.distinct) return;
  const ownColumnName = ({ path }: Column): string | null => {
    const name = path.at(-1)!;
    const hasColumn = (source: ScopeSource): boolean =>
      source.columns.some((column) => analysis.isSameName(column.name, name));
    if (path.length > 2 || !hasColumn(source) || scope.mergedColumns.has(name)) return null;
    if (path.length === 2) return analysis.isSameName(path[0]!, source.alias) ? analysis.fold(name) : null;
    return scope.sources.filter(hasColumn).length === 1 ? analysis.fold(name) : null;
  };
  const keys = groupBy.keys.flatMap((key): string[] => {
    if (key.kind === 'grouping_set') return [];
    const position = toConstant(key);
    const value = typeof position === 'number' ? select.items[position - 1]?.value : key;
    const name = value?.kind === 'column' ? ownColumnName(value) : null;
    return name === null ? [] : [name];
  });
  if (groupBy.keys.some(({ kind }) => kind === 'grouping_set')) return;
  if (!primaryKey.every((name) => keys.includes(analysis.fold(name)))) return;
  const usedNames = [...findColumns(analysis, [select.items, select.having, select.orderBy])].flatMap(
    (column) => ownColumnName(column) ?? [],
  );
  for (const name of new Set(usedNames)) if (!keys.includes(name)) groupBy.keys.push(columnOf(source.alias, name));
}

/** Yields the columns outside aggregates and inner queries. */
function* findColumns(analysis: StatementAnalysis, clauses: unknown[]): Generator<Column> {
  for (const node of listChildren(clauses)) {
    if (node.kind === 'column') yield node;
    if (node.kind === 'column' || isQuery(node)) continue;
    const aggregate =
      node.kind === 'call' && node.over === null && analysis.dialect.functions.list.kind(node.name) === 'aggregate';
    if (!aggregate) yield* findColumns(analysis, [Object.values(node)]);
  }
}
