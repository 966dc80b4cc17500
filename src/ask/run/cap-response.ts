// Limits the size of a response and always reports truncation.
import type { Envelope, JsonScalar } from '../../contract/ask.ts';
import { estimateSize } from '../../platform/http/write-json.ts';
import type { AskContext } from '../entry-points.ts';
import type { FetchedRows } from '../outcome.ts';

const MAX_CELLS = 250_000;
/**
 * The limit for the rows in a tool's reply, measured as JSON. The reply repeats the rows as text, and its total size is
 * at most 1 MB.
 */
const MAX_TOOL_ROW_BYTES = 458_752;

export interface CappedResponse {
  data: Record<string, JsonScalar>[];
  truncated: Envelope['truncated'];
  warnings: string[];
}

export function capResponse(fetchedRows: FetchedRows, surface: AskContext['surface']): CappedResponse {
  const { plan, columns, rows, more, bytesCut } = fetchedRows;
  const limit = 'limit' in plan ? plan.limit : null;
  const maxRows = Math.min(
    limit ?? plan.grantedLens.lens.maxRowsToReturn,
    Math.floor(MAX_CELLS / Math.max(1, columns.length)),
  );
  const returnedRows = rows.slice(0, maxRows);
  const fittingCount = surface === 'mcp' ? countFittingRows(returnedRows, MAX_TOOL_ROW_BYTES) : returnedRows.length;
  const data = returnedRows.slice(0, fittingCount);
  const warnings = fittingCount < returnedRows.length ? [describeToolLimit(fittingCount, returnedRows.length)] : [];
  if (!more && !bytesCut && data.length === rows.length) return { data, truncated: undefined, warnings };
  return { data, truncated: { returned: data.length, total: more || bytesCut ? null : rows.length }, warnings };
}

const describeToolLimit = (fittingCount: number, rows: number): string =>
  `A tool reply has at most 1 MB, so it contains only ${fittingCount} of these ${rows} rows. Ask for fewer columns, shorter strings or fewer rows.`;

function countFittingRows(rows: readonly object[], bytes: number): number {
  if (estimateSize(rows, bytes) <= bytes) return rows.length;
  let sum = 0;
  const end = rows.findIndex((row) => {
    sum += Buffer.byteLength(JSON.stringify(row)) + 1;
    return sum > bytes;
  });
  return end === -1 ? rows.length : end;
}
