// Reads one page of ordered rows after a position. Reads one extra row to know whether a next page exists.
import { z } from 'zod';
import { isId } from '../../platform/ids.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import { decodeCursor, encodeCursor, type Page, unusableCursorProblem } from './page.ts';

/** Describes a list ordered by key: how a row's key is written to a cursor, and how it is parsed. */
interface PageOrder<Row, Key> {
  /** Returns undefined if the text isn't a key. */
  parseKey: (text: string) => Key | undefined;
  textOf: (row: Row) => string;
}

export const byText = <Name extends string>(member: Name): PageOrder<Record<Name, string>, string> => ({
  parseKey: (text) => text,
  textOf: (row) => row[member],
});
export const byId = <Name extends string>(member: Name): PageOrder<Record<Name, string>, string> => ({
  parseKey: (text) => (isId(text) ? text : undefined),
  textOf: (row) => row[member],
});
export const byVersion: PageOrder<{ version: number }, number> = {
  parseKey: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
  textOf: ({ version }) => String(version),
};

const changePosition = z.tuple([z.iso.datetime(), z.uuid()]);
export const byLastChange: PageOrder<{ updated_at: string; id: string }, { at: string; id: string }> = {
  parseKey(text) {
    const [changedAt, id] = changePosition.safeParse(text.split(' ')).data ?? [];
    return changedAt === undefined || id === undefined ? undefined : { at: changedAt, id };
  },
  textOf: ({ updated_at, id }) => `${updated_at} ${id}`,
};

export async function pageByKey<Row, Key, Item>(
  pageOrder: PageOrder<Row, Key>,
  { limit, cursor }: Page,
  readRows: (page: RowPage<Key>) => Promise<Row[]>,
  view: (row: Row) => Item,
): Promise<{ items: Item[]; next_cursor: string | null }> {
  const position = decodeCursor(cursor);
  const lastKey = position === null ? null : pageOrder.parseKey(position);
  if (lastKey === undefined) throw unusableCursorProblem();
  const rows = await readRows({ limit: limit + 1, after: lastKey });
  const shownRows = rows.slice(0, limit);
  return {
    items: shownRows.map(view),
    next_cursor: rows.length > shownRows.length ? encodeCursor(pageOrder.textOf(shownRows.at(-1)!)) : null,
  };
}

export const identity = <Row>(row: Row): Row => row;

/** Reads a page of a list that isn't ordered by a key. The cursor is the number of rows before the page. */
export async function pageByOffset<Row, Item>(
  { limit, cursor }: Page,
  readRows: (page: { limit: number; offset: number }) => Promise<Row[]>,
  view: (row: Row) => Item,
): Promise<{ items: Item[]; next_cursor: string | null }> {
  const offset = Number(decodeCursor(cursor) ?? '0');
  if (!Number.isSafeInteger(offset) || offset < 0) throw unusableCursorProblem();
  const rows = await readRows({ limit: limit + 1, offset });
  return {
    items: rows.slice(0, limit).map(view),
    next_cursor: rows.length > limit ? encodeCursor(String(offset + limit)) : null,
  };
}
