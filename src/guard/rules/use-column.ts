// Records uses of columns and enforces masks. A statement can show a hidden value only as null, and can count hidden
// values.

import type { OutputColumn, ScopeSource } from './name-scope.ts';
import type { StatementAnalysis } from './statement-analysis.ts';

/**
 * `shown` means a plain output column of the outermost SELECT. `counted` means the only argument of count(distinct …).
 */
export type ColumnUsage = 'shown' | 'counted' | 'used';

export interface ColumnUse {
  masked: string | null;
  /**
   * The path that the guard writes instead of the column reference. If null, the guard leaves the reference unchanged.
   */
  parts: string[] | null;
}

interface ColumnInScope {
  source: ScopeSource | null;
  column: OutputColumn;
  /** The number of scopes between the name and its source. */
  level: number;
}

export function useColumn(
  analysis: StatementAnalysis,
  { source, column, level }: ColumnInScope,
  position: ColumnUsage,
  parts: string[] | null = null,
): ColumnUse {
  analysis.size.addNodes(column.size);
  const relation = source?.relation ?? null;
  if (!relation) analysis.size.addCreatedValue();
  if (relation?.columns.some((name) => analysis.isSameName(name, column.name))) {
    analysis.columns.add(`${relation.dataset}.${column.name}`);
    if (!relation.plain?.some((name) => analysis.isSameName(name, column.name)))
      analysis.writtenNames.objections.add(`${relation.dataset}.${column.name} is computed or masked`);
  }
  if (column.masked === null || position === 'shown') return { masked: column.masked, parts };
  const raw = relation?.raw?.columns[column.masked.slice(relation.dataset.length + 1)];
  if (position === 'counted' && source !== null && raw !== undefined && level === 0) {
    source.uses.raw = true;
    return { masked: null, parts: [source.alias, raw] };
  }
  analysis.faults.add(
    'masked',
    `The field ${column.masked} is masked. You can only list it by itself in the outermost SELECT, as null, or count it with count(distinct …) directly over its dataset.`,
  );
  return { masked: null, parts };
}

/** Finds the column with the given name. If several columns have this name, prefers a masked one. */
export function findColumnByName(
  analysis: StatementAnalysis,
  columns: OutputColumn[],
  name: string,
): OutputColumn | undefined {
  const sameNamed = columns.filter((column) => analysis.isSameName(column.name, name));
  return sameNamed.find(({ masked }) => masked !== null) ?? sameNamed[0];
}

export function findColumnInSources(
  analysis: StatementAnalysis,
  sources: ScopeSource[],
  name: string,
): { source: ScopeSource; column: OutputColumn } | null {
  let hit: { source: ScopeSource; column: OutputColumn } | null = null;
  for (const source of sources) {
    const column = findColumnByName(analysis, source.columns, name);
    if (column && (hit === null || column.masked !== null)) hit = { source, column };
  }
  const openSource = sources.find((source) => source.open);
  if (hit === null && openSource && isExpressionText(name))
    return { source: openSource, column: { name, masked: null } };
  return hit;
}

/** Returns true if a name isn't an identifier. Some engines use the SQL of an expression as its name. */
export const isExpressionText = (name: string): boolean => !/^\w+$/.test(name);
