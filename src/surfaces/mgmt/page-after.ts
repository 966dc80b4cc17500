// One page of rows that are read in order after a place: one row more than asked for says whether there is a next page.
import { isId } from '../../platform/ids.ts';
import { decodeCursor, encodeCursor, type Page, unusableCursor } from '../http/page.ts';

export async function pageAfter<Row, Item>(
  page: Page,
  read: (page: { limit: number; after: string | null }) => Promise<Row[]>,
  placeOf: (row: Row) => string,
  view: (row: Row) => Item,
  places: 'ids' | 'names' = 'ids',
): Promise<{ items: Item[]; next_cursor: string | null }> {
  const after = decodeCursor(page.cursor);
  if (after !== null && places === 'ids' && !isId(after)) throw unusableCursor();
  const rows = await read({ limit: page.limit + 1, after });
  const shown = rows.slice(0, page.limit);
  return {
    items: shown.map(view),
    next_cursor: rows.length > shown.length ? encodeCursor(placeOf(shown.at(-1)!)) : null,
  };
}
