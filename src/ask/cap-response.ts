// The caps on what is returned, and the words for it: truncation is always stated, never inferred (SPEC behaviour 5).
import type { Envelope, JsonValue } from '../contract/ask.ts';
import type { FetchedRows } from './outcome.ts';

export interface Capped {
  data: Record<string, JsonValue>[];
  truncated: Envelope['truncated'];
}

export function capResponse(fetched: FetchedRows): Capped {
  const { plan, rows, more, bytesCut } = fetched;
  const limit = 'limit' in plan ? plan.limit : null;
  const most = limit ?? plan.granted.lens.maxRowsToReturn;
  const data = rows.slice(0, most);
  if (!more && !bytesCut && data.length === rows.length) return { data, truncated: undefined };
  return { data, truncated: { returned: data.length, total: more || bytesCut ? null : rows.length } };
}
