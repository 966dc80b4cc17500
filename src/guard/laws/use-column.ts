// Taking note of a column that is used, and the one rule of masks: a hidden value may be shown as null or counted, no more.
import type { Analysis } from './analysis.ts';
import type { OutputColumn, Source } from './name-scope.ts';

/** shown: a bare output column of the outermost SELECT. counted: the one argument of count(distinct …). */
export type Position = 'shown' | 'counted' | 'used';

export interface ColumnUse {
  masked: string | null;
  /** The reference to write instead. */
  parts: string[] | null;
}

interface Found {
  source: Source | null;
  column: OutputColumn;
  /** How many scopes further out than where it is named. */
  level: number;
}

export function useColumn(
  analysis: Analysis,
  { source, column, level }: Found,
  position: Position,
  parts: string[] | null = null,
): ColumnUse {
  analysis.size.expand(column.size);
  const relation = source?.relation ?? null;
  if (!relation) analysis.size.makes();
  if (relation?.columns.some((name) => analysis.same(name, column.name))) {
    analysis.columns.add(`${relation.dataset}.${column.name}`);
    if (!relation.plain?.some((name) => analysis.same(name, column.name)))
      analysis.written.never.add(`${relation.dataset}.${column.name} is computed or masked`);
  }
  if (column.masked === null || position === 'shown') return { masked: column.masked, parts };
  const raw = relation?.raw?.columns[column.masked.slice(relation.dataset.length + 1)];
  if (position === 'counted' && source !== null && raw !== undefined && level === 0) {
    source.uses.raw = true;
    return { masked: null, parts: [source.alias, raw] };
  }
  analysis.faults.add(
    'masked',
    `The field ${column.masked} is masked: it may only be listed by itself in the outermost SELECT, where it is null, or counted with count(distinct …) directly over its dataset.`,
  );
  return { masked: null, parts };
}

/** Of several columns of that name the masked one, in doubt. */
export function columnCalled(analysis: Analysis, columns: OutputColumn[], name: string): OutputColumn | undefined {
  const same = columns.filter((column) => analysis.same(column.name, name));
  return same.find(({ masked }) => masked !== null) ?? same[0];
}

export function columnAmong(
  analysis: Analysis,
  sources: Source[],
  name: string,
): { source: Source; column: OutputColumn } | null {
  let hit: { source: Source; column: OutputColumn } | null = null;
  for (const source of sources) {
    const column = columnCalled(analysis, source.columns, name);
    if (column && (hit === null || column.masked !== null)) hit = { source, column };
  }
  const open = sources.find((source) => source.open);
  if (hit === null && open && isTextOfExpression(name)) return { source: open, column: { name, masked: null } };
  return hit;
}

/** No identifier, so perhaps the text by which an unnamed expression of an open source is called. */
export const isTextOfExpression = (name: string): boolean => !/^\w+$/.test(name);
