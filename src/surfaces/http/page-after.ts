// Reads one page of ordered rows after a position. Reads one extra row to know whether a next page exists.
import { z } from 'zod';
import { isId } from '../../platform/ids.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import { decodeCursor, encodeCursor, type Page, unusableCursor } from './page.ts';

/** The order of a list: its keys, and how cursors write them. */
interface Order<Row, Key> {
  /** Undefined for anything that isn't a key. */
  read: (text: string) => Key | undefined;
  textOf: (row: Row) => string;
}

export const byText = <Name extends string>(member: Name): Order<Record<Name, string>, string> => ({
  read: (text) => text,
  textOf: (row) => row[member],
});
export const byId = <Name extends string>(member: Name): Order<Record<Name, string>, string> => ({
  read: (text) => (isId(text) ? text : undefined),
  textOf: (row) => row[member],
});
export const byVersion: Order<{ version: number }, number> = {
  read: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
  textOf: ({ version }) => String(version),
};

const moment = z.tuple([z.iso.datetime(), z.uuid()]);
export const byLastChange: Order<{ updated_at: string; id: string }, { at: string; id: string }> = {
  read(text) {
    const [at, id] = moment.safeParse(text.split(' ')).data ?? [];
    return at === undefined || id === undefined ? undefined : { at, id };
  },
  textOf: ({ updated_at, id }) => `${updated_at} ${id}`,
};

export async function pageAfter<Row, Key, Item>(
  order: Order<Row, Key>,
  { limit, cursor }: Page,
  read: (page: RowPage<Key>) => Promise<Row[]>,
  view: (row: Row) => Item,
): Promise<{ items: Item[]; next_cursor: string | null }> {
  const place = decodeCursor(cursor);
  const after = place === null ? null : order.read(place);
  if (after === undefined) throw unusableCursor();
  const rows = await read({ limit: limit + 1, after });
  const shown = rows.slice(0, limit);
  return {
    items: shown.map(view),
    next_cursor: rows.length > shown.length ? encodeCursor(order.textOf(shown.at(-1)!)) : null,
  };
}

export const unchanged = <Row>(row: Row): Row => row;

/** A page of rows whose order has no key. The cursor counts rows. */
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
