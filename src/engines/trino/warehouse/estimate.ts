// Reads the estimated rows from `explained`, the output of EXPLAIN (TYPE IO). Returns null if the catalogs have no
// statistics.
export function parseEstimatedRows(explained: string): number | null {
  let tables: { estimate?: { outputRowCount?: unknown } }[];
  try {
    tables = (JSON.parse(explained) as { inputTableColumnInfos?: typeof tables }).inputTableColumnInfos ?? [];
  } catch {
    return null;
  }
  const counts = tables.map(({ estimate }) => estimate?.outputRowCount);
  const knownCounts = counts.filter((count): count is number => typeof count === 'number');
  return knownCounts.length > 0 && knownCounts.length === counts.length
    ? knownCounts.reduce((sum, count) => sum + count, 0)
    : null;
}
