// The caps on what is returned, and the words for it: truncation is always stated, never inferred (SPEC behaviour 5).
import type { Envelope, JsonValue } from '../../contract/ask.ts';
import type { FetchedRows } from '../outcome.ts';

/** Cells of one response: it is written in one piece. */
const MOST_CELLS = 250_000;

export interface Capped {
  data: Record<string, JsonValue>[];
  truncated: Envelope['truncated'];
}

export function capResponse(fetched: FetchedRows): Capped {
  const { plan, columns, rows, more, bytesCut } = fetched;
  const limit = 'limit' in plan ? plan.limit : null;
  const most = Math.min(
    limit ?? plan.granted.lens.maxRowsToReturn,
    Math.floor(MOST_CELLS / Math.max(1, columns.length)),
  );
  const data = rows.slice(0, most);
  if (!more && !bytesCut && data.length === rows.length) return { data, truncated: undefined };
  return { data, truncated: { returned: data.length, total: more || bytesCut ? null : rows.length } };
}
