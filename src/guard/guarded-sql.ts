// What the guard is asked and what it answers: fetching takes nothing but a GuardedSql, and only guard-here.ts makes one.
import type { Dialect } from '../contract/warehouse.ts';
import type { OnBehalf } from '../platform/schedule/fair-queue.ts';

declare const guarded: unique symbol;
export interface GuardedSql {
  readonly [guarded]: true;
  readonly dialect: Dialect;
  /** The text the envelope shows and the receipt hashes. */
  readonly sql: string;
  /** What the engine is given: `sql` itself, or its governed, re-limited form. */
  readonly runs: string;
  /** The approved text, and under what conditions it may run as it stands; null in every other mode. */
  readonly asWritten: AsWritten | null;
  /** The values of its literals. */
  readonly constants: readonly (string | number | boolean | null)[];
  /** Parameter names in the order of $1, $2, … in `runs`; for MySQL, of each `?`. */
  readonly parameters: readonly string[];
  /** How many columns it gives. */
  readonly columns: number;
  /** Its engine runs among our own threads and might not let go of this one: it runs in a process of its own. */
  readonly apart: boolean;
  readonly report: GuardReport;
}

/** A table that a statement reads, and the names that no unlisted column of it may have. */
export interface Reach {
  relation: GovernedRelation;
  names: readonly string[];
}
export interface AsWritten {
  text: string;
  /** What stands in the way, whatever columns the tables have. */
  never: readonly string[];
  reaches: readonly Reach[];
}

export interface GuardReport {
  verdict: 'allowed';
  relations: string[];
  functions: string[];
  columns: string[];
  /** Row policies and masks that the rewriting applied. */
  policies: string[];
  masks: string[];
  /** Why an approved text did not run as it stands; empty when it did, null for every other statement. */
  beneath: string[] | null;
  /** The outermost level has an ORDER BY. */
  ordered: boolean;
}

/** One relation that a statement may name, and the governed subquery that stands in for it.
 *
 *  Whoever writes `body` promises: it is one SELECT in the scope's dialect over qualified tables; its output columns are
 *  exactly `columns`, in that order, by those names (field expressions computed, each column in `masked` as a typed null);
 *  row policies are its WHERE clause, with the asker's attributes already written by `literal()`; no parameters, no `*`.
 *  `raw` exists for count(distinct masked): the same SELECT with the real value of every masked column after `columns`,
 *  under the names of `raw.columns`, which nobody may write; the guard reads them inside count(distinct …) only. */
export interface GovernedRelation {
  source: { catalog: string | null; schema: string | null; table: string };
  /** Lens dataset name; govern mode accepts it in FROM like the table's own name. */
  dataset: string;
  columns: string[];
  /** The subset of `columns` whose values are hidden. */
  masked: string[];
  body: string;
  /** Absent: masked columns of this relation can't be counted. */
  raw?: { body: string; columns: Record<string, string> };
  /** Names of the row policies that `body` applies. */
  policies: string[];
  /** Columns that `body` shows as the table itself has them, by the same name; absent: none. */
  plain?: string[];
  /** Of `plain` the primary key, whole. */
  key?: string[];
  /** The asker may see all of its table as it is: no policy, and `plain` has each column and each field. */
  whole?: boolean;
  /** Of `plain` those of the primary key, with their datatypes; where policies apply. */
  lookups?: Record<string, 'integer' | 'string'>;
}

/** The full name of a relation's table, as reports and messages write it. */
export const qualified = ({ source }: Pick<GovernedRelation, 'source'>): string =>
  [source.catalog, source.schema, source.table].filter((part) => part !== null).join('.');

export interface GuardScope {
  dialect: Dialect;
  relations: GovernedRelation[];
  /** `govern`: replace each relation by its body and set our limit (caller, model and certified SQL).
   *  `verify`: the text is our compiler's; check everything, change nothing. Physical columns in `extraColumns` are allowed. */
  mode: 'govern' | 'verify';
  extraColumns?: string[];
  /** Rows at most; govern mode rewrites or adds the outermost LIMIT to it + 1. Null: leave the text's own limit. */
  maxRows: number | null;
  /** Certified parameters by name, written `:name` in the SQL. */
  parameters?: string[];
  onBehalf?: OnBehalf;
  /** What the envelope and the receipt show: 'approved' keeps the input text (certified), 'runs' shows what ran. */
  shown?: 'approved' | 'runs';
}
