// A cursor is an opaque position in an ordered list, and grants no access.
import { z } from 'zod';
import { isId } from '../../platform/ids.ts';
import { Problem } from '../../platform/problem.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';

export interface PageRequest {
  limit: number;
  cursor?: string | undefined;
}
interface ItemPage<Item> {
  items: Item[];
  next_cursor: string | null;
}

/** Distinguishes svc's cursors from other base64 text. */
const CURSOR_PREFIX = 'after ';

export const encodeCursor = (position: string): string =>
  Buffer.from(CURSOR_PREFIX + position, 'utf8').toString('base64url');

export function decodeCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const position = text.slice(CURSOR_PREFIX.length);
  if (!text.startsWith(CURSOR_PREFIX) || encodeCursor(position) !== cursor || position.includes('\u0000'))
    throw createUnusableCursorProblem();
  return position;
}

/** The cursor of a list that isn't ordered by a key is the number of items before the page. */
export function decodeOffset(cursor: string | undefined): number {
  const position = decodeCursor(cursor) ?? '0';
  if (!/^\d{1,9}$/.test(position)) throw createUnusableCursorProblem();
  return Number(position);
}

export const createUnusableCursorProblem = (): Problem =>
  new Problem('invalid', 'This cursor is not valid. Use next_cursor of the previous page, or no cursor.', {
    param: 'cursor',
    details: [{ path: 'cursor', code: 'cursor', message: 'Use next_cursor of the previous page, or no cursor.' }],
  });

export function selectPage<T>(allItems: readonly T[], { limit, cursor }: PageRequest): ItemPage<T> {
  const start = decodeOffset(cursor);
  const end = start + limit;
  return { items: allItems.slice(start, end), next_cursor: end < allItems.length ? encodeCursor(String(end)) : null };
}

/** Reads one extra row to know whether a next page exists. */
export async function readPageByOffset<Row, Item>(
  { limit, cursor }: PageRequest,
  readRows: (page: { limit: number; offset: number }) => Promise<Row[]>,
  view: (row: Row) => Item,
): Promise<ItemPage<Item>> {
  const offset = decodeOffset(cursor);
  const rows = await readRows({ limit: limit + 1, offset });
  return {
    items: rows.slice(0, limit).map(view),
    next_cursor: rows.length > limit ? encodeCursor(String(offset + limit)) : null,
  };
}

export interface PageOrder<Row, Key> {
  /** Returns undefined if the text isn't a key. */
  parseKey: (text: string) => Key | undefined;
  textOf(row: Row): string;
}

export const createTextOrder = <Name extends string>(member: Name): PageOrder<Record<Name, string>, string> => ({
  parseKey: (text) => text,
  textOf: (row) => row[member],
});
export const createIdOrder = <Name extends string>(member: Name): PageOrder<Record<Name, string>, string> => ({
  parseKey: (text) => (isId(text) ? text : undefined),
  textOf: (row) => row[member],
});
export const versionOrder: PageOrder<{ version: number }, number> = {
  parseKey: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
  textOf: ({ version }) => String(version),
};

const changePositionSchema = z.tuple([z.iso.datetime(), z.uuid()]);
export const lastChangeOrder: PageOrder<{ updated_at: string; id: string }, { at: string; id: string }> = {
  parseKey(text) {
    const [changedAt, id] = changePositionSchema.safeParse(text.split(' ')).data ?? [];
    return changedAt === undefined || id === undefined ? undefined : { at: changedAt, id };
  },
  textOf: ({ updated_at, id }) => `${updated_at} ${id}`,
};

/** Reads one extra row to know whether a next page exists. */
export async function readPageByKey<Row, Key, Item = Row>(
  pageOrder: PageOrder<Row, Key>,
  { limit, cursor }: PageRequest,
  readRows: (page: RowPage<Key>) => Promise<Row[]>,
  view?: (row: Row) => Item,
): Promise<ItemPage<Item>> {
  const position = decodeCursor(cursor);
  const lastKey = position === null ? null : pageOrder.parseKey(position);
  if (lastKey === undefined) throw createUnusableCursorProblem();
  const rows = await readRows({ limit: limit + 1, after: lastKey });
  const shownRows = rows.slice(0, limit);
  return {
    items: view ? shownRows.map(view) : (shownRows as unknown as Item[]),
    next_cursor: rows.length > limit ? encodeCursor(pageOrder.textOf(shownRows.at(-1)!)) : null,
  };
}
