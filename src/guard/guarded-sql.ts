// Input and output of the guard. Fetching accepts only a GuardedSql, and only guard-here.ts creates one.
import type { Dialect } from '../contract/warehouse.ts';
import type { WorkOwner } from '../platform/schedule/places.ts';

declare const guarded: unique symbol;
export interface GuardedSql {
  readonly [guarded]: true;
  readonly dialect: Dialect;
  /** The text that the envelope shows and the receipt hashes. */
  readonly sql: string;
  /** The text that the engine runs: `sql` itself, or its governed form with svc's LIMIT. */
  readonly runs: string;
  /** The approved text and the conditions under which it may run unchanged. Null in all other modes. */
  readonly asWritten: AsWritten | null;
  /** Values of its literals. */
  readonly constants: readonly (string | number | boolean | null)[];
  /** Parameter names in the order of $1, $2, … in `runs`; for MySQL, one per `?`. */
  readonly parameters: readonly string[];
  /** Number of output columns. */
  readonly columns: number;
  /** True if the engine runs in svc's own threads and might not stop, so the statement needs a separate process. */
  readonly apart: boolean;
  readonly report: GuardReport;
}

/** A table that a statement reads, and the names that none of its unlisted columns may have. */
export interface Reach {
  relation: GovernedRelation;
  names: readonly string[];
}
export interface AsWritten {
  text: string;
  /** Reasons against running it unchanged that don't depend on the tables' columns. */
  never: readonly string[];
  reaches: readonly Reach[];
}

export interface GuardReport {
  verdict: 'allowed';
  relations: string[];
  functions: string[];
  columns: string[];
  /** Row policies and masks that the guard applied. */
  policies: string[];
  masks: string[];
  /** Why an approved text didn't run unchanged. Empty if it did; null for other statements. */
  beneath: string[] | null;
  /** The outermost query has an ORDER BY. */
  ordered: boolean;
}

/**
 * A relation that a statement may name, and the governed subquery that replaces it. The author of `body`
 * guarantees: it is one SELECT in the scope's dialect over qualified tables; its outputs are exactly
 * `columns`, in order and by name, with field expressions computed and each column in `masked` as a typed
 * null; row policies are its WHERE clause, with the caller's attributes written by `literal()`; it has no
 * parameters and no `*`. `raw` exists for count(distinct masked): the same SELECT followed by the real value
 * of each masked column, under the names in `raw.columns`. No statement may write these names; the guard
 * reads them only inside count(distinct …).
 */
export interface GovernedRelation {
  source: { catalog: string | null; schema: string | null; table: string };
  /** The lens dataset's name; FROM accepts it like the table's own name when the guard governs a statement. */
  dataset: string;
  columns: string[];
  /** The columns with hidden values. */
  masked: string[];
  body: string;
  /** Without it, masked columns of this relation can't be counted. */
  raw?: { body: string; columns: Record<string, string> };
  /** Names of the row policies in `body`. */
  policies: string[];
  /** Columns that `body` passes through unchanged under the same name. Absent: none. */
  plain?: string[];
  /** The whole primary key, if all of it is in `plain`. */
  key?: string[];
  /** True if the caller may see the whole table: no policy, and every column and field is in `plain`. */
  whole?: boolean;
  /** Primary key columns in `plain` with their datatypes, for relations with policies. */
  lookups?: Record<string, 'integer' | 'string'>;
}

/** The full name of a relation's table, as in reports and messages. */
export const qualified = ({ source }: Pick<GovernedRelation, 'source'>): string =>
  [source.catalog, source.schema, source.table].filter((part) => part !== null).join('.');

export interface GuardScope {
  dialect: Dialect;
  relations: GovernedRelation[];
  /**
   * `govern`: replaces each relation with its body and sets svc's limit, for SQL of callers, models and
   * certified entries. `verify`: checks the compiler's own SQL without changing it, and allows the physical
   * columns in `extraColumns`.
   */
  mode: 'govern' | 'verify';
  extraColumns?: string[];
  /** The most rows. `govern` sets the outermost LIMIT to one more. Null keeps the statement's own limit. */
  maxRows: number | null;
  /** Certified parameters by name, written as `:name` in the SQL. */
  parameters?: string[];
  onBehalf?: WorkOwner;
  /** What the envelope and the receipt show: `approved` is the certified text, `runs` is the text that ran. */
  shown?: 'approved' | 'runs';
}
