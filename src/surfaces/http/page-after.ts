// One page of rows that are read in order after a position. Reads one extra row, to know whether there is a
// next page.
import { z } from 'zod';
import { isId } from '../../platform/ids.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import { decodeCursor, encodeCursor, type Page, unusableCursor } from './page.ts';

const IS_PLACE = {
  ids: isId,
  names: () => true,
  numbers: (place: string) => /^\d{1,9}$/.test(place),
  moments: (place: string) => moment.safeParse(place.split(' ')).success,
};
const moment = z.tuple([z.iso.datetime(), z.uuid()]);

/** The position in a list sorted by time and id, which `moments` writes as text. */
export function momentIn(place: string | null): { at: string; id: string } | null {
  if (place === null) return null;
  const [at, id] = moment.parse(place.split(' '));
  return { at, id };
}
export const momentOf = ({ updated_at, id }: { updated_at: string; id: string }): string => `${updated_at} ${id}`;

export async function pageAfter<Row, Item>(
  page: Page,
  read: (page: RowPage) => Promise<Row[]>,
  placeOf: (row: Row) => string,
  view: (row: Row) => Item,
  places: keyof typeof IS_PLACE = 'ids',
): Promise<{ items: Item[]; next_cursor: string | null }> {
  const after = decodeCursor(page.cursor);
  if (after !== null && !IS_PLACE[places](after)) throw unusableCursor();
  const rows = await read({ limit: page.limit + 1, after });
  const shown = rows.slice(0, page.limit);
  return {
    items: shown.map(view),
    next_cursor: rows.length > shown.length ? encodeCursor(placeOf(shown.at(-1)!)) : null,
  };
}

/** A page of rows whose order has no key for a position: the cursor counts them. */
export async function pageByOffset<Row, Item>(
  { limit, cursor }: Page,
  read: (page: { limit: number; offset: number }) => Promise<Row[]>,
  view: (row: Row) => Item,
): Promise<{ items: Item[]; next_cursor: string | null }> {
  const offset = Number(decodeCursor(cursor) ?? '0');
  if (!Number.isSafeInteger(offset) || offset < 0) throw unusableCursor();
  const rows = await read({ limit: limit + 1, offset });
  return {
    items: rows.slice(0, limit).map(view),
    next_cursor: rows.length > limit ? encodeCursor(String(offset + limit)) : null,
  };
}
