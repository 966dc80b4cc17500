// The meaning of a SELECT in a canonical form, for comparing two spellings. Each source is identified by the
// relationships that join it, so aliases and the order of joins don't matter. An inner join to a key becomes a left
// join with the condition that the key exists.
import type { Dialect } from '../../../dialects/dialect.ts';
import type { Expression, Select } from '../../../dialects/tree.ts';
import type { ExpressionRenderer } from './expression-renderer.ts';
import type { FunctionalDependencies } from './functional-dependencies.ts';
import { type Source, UnreadablePartError } from './scope.ts';

/** A list of periods of a date, each represented by its first day. */
export interface PeriodList {
  key: string;
  days: string[];
  from: string;
  /** The exclusive end of the last period. */
  to: string;
  /** The conditions on the rows that are equivalent to the bounds `from` and `to`. */
  boundConditions: { text: string; value: Expression }[];
}

export interface Meaning {
  dialect: Dialect;
  select: Select;
  sources: Source[];
  mainSource: Source;
  /** Keyed by the canonical string of the condition. */
  where: Map<string, Expression>;
  /**
   * Null without grouping, and empty if all rows form one group. The list leaves out keys that other keys determine.
   */
  group: Map<string, Expression> | null;
  having: Map<string, Expression>;
  /** Conditions that apply after window functions. */
  qualify: Map<string, Expression>;
  /** If set, every row of this source has a group, even if no row of the main source refers to that row. */
  fullyGroupedSource: Source | null;
  /** If set, each of these periods has a group, even if the main source has no rows in that period. */
  periods: PeriodList | null;
  items: { text: string; value: Expression }[];
  text: ExpressionRenderer;
  dependencies: FunctionalDependencies;
}

/** Writes the canonical string of a nested query, which has no limit and no groups without rows. */
export function writeNestedQuery(
  { mainSource, where, group, having, qualify, fullyGroupedSource, periods, items, select }: Meaning,
  kind: 'exists' | 'scalar',
): string {
  const conditions = [...where.keys()].sort();
  if (kind === 'exists' && group?.size === 0) throw new UnreadablePartError('one row');
  if (select.limit || select.offset || qualify.size > 0 || fullyGroupedSource || periods)
    throw new UnreadablePartError('limit');
  if (kind === 'exists') {
    if (having.size > 0) throw new UnreadablePartError('exists');
    return `exists{${mainSource.label} where ${conditions.join(' ')}}`;
  }
  const groups = [group && [...group.keys()].sort(), [...having.keys()].sort()];
  return `scalar{${JSON.stringify([mainSource.label, conditions, ...groups, items.map(({ text }) => text)])}}`;
}

/** Returns the index in `a` of each column of `b` if the meanings are equal, otherwise null. */
export function matchColumns(a: Meaning, b: Meaning): number[] | null {
  const isEqual = (one: Iterable<string>, other: Iterable<string>): boolean =>
    [...one].sort().join('\n') === [...other].sort().join('\n');
  if (a.mainSource.label !== b.mainSource.label || (a.group === null) !== (b.group === null)) return null;
  if (JSON.stringify(a.periods?.days) !== JSON.stringify(b.periods?.days) || a.periods?.key !== b.periods?.key)
    return null;
  if (a.fullyGroupedSource?.label !== b.fullyGroupedSource?.label || !isEqual(a.qualify.keys(), b.qualify.keys()))
    return null;
  if (!isEqual(a.where.keys(), b.where.keys()) || !isEqual(a.having.keys(), b.having.keys())) return null;
  if (a.group && !isEqual(a.group.keys(), b.group!.keys())) return null;
  if (a.items.length !== b.items.length) return null;
  const unmatchedTexts = a.items.map(({ text }) => text as string | null);
  const positions = b.items.map(({ text }) => {
    const position = unmatchedTexts.indexOf(text);
    if (position >= 0) unmatchedTexts[position] = null;
    return position;
  });
  return positions.includes(-1) ? null : positions;
}
