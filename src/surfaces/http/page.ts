// Pages of lists: {items, next_cursor}. A cursor is an opaque position in an ordered list. It grants no access.
import { Problem } from '../../platform/problem.ts';

export interface Page {
  limit: number;
  cursor?: string | undefined;
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
    throw unusableCursorProblem();
  return position;
}

export const unusableCursorProblem = (): Problem =>
  new Problem('invalid', 'This cursor is not valid. Use next_cursor of the previous page, or no cursor.', {
    param: 'cursor',
    details: [{ path: 'cursor', code: 'cursor', message: 'Use next_cursor of the previous page, or no cursor.' }],
  });

/** One page of a list in memory. The cursor is a position. */
export function pageOf<T>(allItems: readonly T[], { limit, cursor }: Page): { items: T[]; next_cursor: string | null } {
  const position = decodeCursor(cursor) ?? '0';
  if (!/^\d{1,9}$/.test(position)) throw unusableCursorProblem();
  const start = Number(position);
  const end = start + limit;
  return { items: allItems.slice(start, end), next_cursor: end < allItems.length ? encodeCursor(String(end)) : null };
}
