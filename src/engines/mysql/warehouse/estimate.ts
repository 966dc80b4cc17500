// Estimates a statement from EXPLAIN FORMAT=JSON: the largest number of rows of one table, and the cost.

export function mysqlEstimate(json: string): { rows: number | null; cost: number | null } {
  const found: { rows: number | null; cost: number | null } = { rows: null, cost: null };
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (value !== null && typeof value === 'object') {
      for (const [key, inner] of Object.entries(value)) {
        const number = Number(inner);
        const isNumber = (typeof inner === 'number' || typeof inner === 'string') && Number.isFinite(number);
        if (isNumber && /^(?:rows|rows_examined_per_scan)$/.test(key)) found.rows = Math.max(found.rows ?? 0, number);
        if (isNumber && /^(?:query_cost|cost)$/.test(key)) found.cost = Math.max(found.cost ?? 0, number);
        visit(inner);
      }
    }
  };
  visit(JSON.parse(json));
  return found;
}
