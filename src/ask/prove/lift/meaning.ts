// What one SELECT means, in one form: two texts of one meaning have the same one. Its sources are named by the relationships
// that lead to them, so that aliases and the order of joins don't matter; an inner join to a key is a left join whose key
// is there.
import type { Dialect } from '../../../dialects/dialect.ts';
import type { Expression, Select } from '../../../dialects/tree.ts';
import type { Determined } from './determined.ts';
import type { ExpressionText } from './expression-text.ts';
import type { Source } from './scope.ts';

/** The periods of a date, by their first days. */
export interface Periods {
  key: string;
  days: string[];
  from: string;
  /** Exclusive. */
  to: string;
  /** The same ends as conditions of the rows. */
  ends: { text: string; value: Expression }[];
}

export interface Meaning {
  dialect: Dialect;
  select: Select;
  sources: Source[];
  home: Source;
  /** Conditions that every row meets, each by its text. */
  where: Map<string, Expression>;
  /** Null: rows are not grouped; of no keys: all rows are one group. What others of them tell is left out. */
  group: Map<string, Expression> | null;
  having: Map<string, Expression>;
  /** Conditions that hold after windows. */
  qualify: Map<string, Expression>;
  /** The groups are those of the rows of this source, also where the home has none. */
  every: Source | null;
  /** Every one of these is a group, also where the home has no rows in it. */
  periods: Periods | null;
  items: { text: string; value: Expression }[];
  /** How expressions over its sources read. */
  text: ExpressionText;
  /** Which values of its rows others tell. */
  known: Determined;
}

/** The same rows, grouped alike, show the same: in which order of columns, each of `b` by its place in `a`; else null. */
export function sameMeaning(a: Meaning, b: Meaning): number[] | null {
  const equal = (one: Iterable<string>, other: Iterable<string>): boolean =>
    [...one].sort().join('\n') === [...other].sort().join('\n');
  if (a.home.label !== b.home.label || (a.group === null) !== (b.group === null)) return null;
  if (JSON.stringify(a.periods?.days) !== JSON.stringify(b.periods?.days) || a.periods?.key !== b.periods?.key)
    return null;
  if (a.every?.label !== b.every?.label || !equal(a.qualify.keys(), b.qualify.keys())) return null;
  if (!equal(a.where.keys(), b.where.keys()) || !equal(a.having.keys(), b.having.keys())) return null;
  if (a.group && !equal(a.group.keys(), b.group!.keys())) return null;
  if (a.items.length !== b.items.length) return null;
  const free = a.items.map(({ text }) => text as string | null);
  const places = b.items.map(({ text }) => {
    const at = free.indexOf(text);
    if (at >= 0) free[at] = null;
    return at;
  });
  return places.includes(-1) ? null : places;
}
