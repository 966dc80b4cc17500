// Reads the estimate from EXPLAIN. `rows` is the largest number of rows that the plan reads from one table, and `cost`
// is the plan's cost.

export function parseMysqlEstimate(json: string): { rows: number | null; cost: number | null } {
  const estimate: { rows: number | null; cost: number | null } = { rows: null, cost: null };
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (value !== null && typeof value === 'object') {
      for (const [key, child] of Object.entries(value)) {
        const number = Number(child);
        const isNumber = (typeof child === 'number' || typeof child === 'string') && Number.isFinite(number);
        if (isNumber && /^(?:rows|rows_examined_per_scan)$/.test(key))
          estimate.rows = Math.max(estimate.rows ?? 0, number);
        if (isNumber && /^(?:query_cost|cost)$/.test(key)) estimate.cost = Math.max(estimate.cost ?? 0, number);
        visit(child);
      }
    }
  };
  visit(JSON.parse(json));
  return estimate;
}
