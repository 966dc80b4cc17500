// "sort first by price (in descending order), and then by name": several keys, each with its own way.
import type { Cursor } from './cursor.ts';
import { readBy } from './read-rank.ts';
import { attempt, peekField } from './read-things.ts';

const WAY = /(?:in (?:the |an? )?)?(?:ascending|descending|increasing|decreasing)(?: order)?|asc|desc/;
const BRACKETED = new RegExp(`\\( (?:${WAY.source}) \\)`);
const PLAIN = new RegExp(`(?:${WAY.source})`);

/** The way said behind a key; null: none. */
export const readWay = (c: Cursor): 'asc' | 'desc' | null => {
  const length = c.match(BRACKETED) || c.match(PLAIN);
  return length === 0 ? null : /desc|decreas/.test(c.accept(length, 'order').toLowerCase()) ? 'desc' : 'asc';
};

const THEN = /(?:, )?(?:and )?(?:then|second|secondly|finally)(?: by)?(?: (?:the|their|its))*/;
const AND = /(?:, and|,|and)(?: by)?(?: (?:the|their|its))*/;

/** Keys behind the first one. `told`: a way was said behind it; `first`: the way it has, which one in front gives to all. */
export const furtherOrders = (c: Cursor, told: boolean, first: 'asc' | 'desc'): void => {
  for (let before = told; ; ) {
    const found = attempt(c, () => {
      const { at } = c;
      const then = c.match(THEN);
      const joiner = then || c.match(AND);
      const field = joiner > 0 ? peekField(c, joiner) : null;
      if (!field) return null;
      const bare = then === 0 && !/ by\b/.test(c.textOf(c.at, joiner));
      c.accept(joiner, 'order');
      const by = readBy(c);
      if (!by || 'clause' in by) return null;
      const way = readWay(c);
      if (bare && way === null && (before || !/^[.?,]?$/.test(c.norm()))) return null;
      // "sorted by price and name descending": both, or the name alone?
      if (bare && way !== null && !before) c.draft.faults.push(c.textOf(at, c.at - at));
      c.draft.orders.push({ by, direction: way ?? (bare ? first : 'asc'), at });
      return { told: way !== null };
    });
    if (!found) return;
    before = found.told;
  }
};
