// The guard's input and output. svc runs a statement only if it is a GuardedSql, and only guard-in-process.ts creates one.
import type { DialectName } from '../contract/warehouse.ts';
import type { WorkOwner } from '../platform/schedule/work-limiter.ts';

declare const guardedBrand: unique symbol;
export interface GuardedSql {
  readonly [guardedBrand]: true;
  readonly dialect: DialectName;
  /** The SQL that the envelope shows and that the receipt's hash covers. */
  readonly sql: string;
  /** The SQL that the engine runs: `sql` itself, or its governed form with svc's LIMIT. */
  readonly runs: string;
  /** The approved SQL, with the conditions under which svc can run it unchanged. Null for SQL that isn't approved. */
  readonly approvedSql: ApprovedSql | null;
  readonly constants: readonly (string | number | boolean | null)[];
  /** Parameter names in the order of $1, $2, … in `runs`. For MySQL, the list has one name for each `?`. */
  readonly parameters: readonly string[];
  readonly columnCount: number;
  /** True if the statement needs a separate process, because the engine runs on svc's threads and might not stop. */
  readonly needsOwnProcess: boolean;
  readonly report: GuardReport;
}

declare const sentBrand: unique symbol;
/** A guarded statement on its way to another svc process. Only a GuardedSql can be sent, and it arrives unchanged. */
export interface SentStatement extends Pick<GuardedSql, 'dialect' | 'runs' | 'parameters'> {
  readonly [sentBrand]: true;
}

export const toSentStatement = ({ dialect, runs, parameters }: GuardedSql): SentStatement =>
  ({ dialect, runs, parameters }) as unknown as SentStatement;

export const restoreGuardedSql = (statement: SentStatement): GuardedSql => statement as unknown as GuardedSql;

/**
 * A table that a statement reads, and the names with which the statement refers to columns. If the table has a column
 * outside the lens with one of these names, the engine could resolve the name differently from the guard.
 */
export interface AmbiguousTable {
  relation: GovernedRelation;
  names: readonly string[];
}
export interface ApprovedSql {
  text: string;
  /** The reasons why the SQL can't run unchanged, except reasons that depend on the columns of tables. */
  objections: readonly string[];
  ambiguousTables: readonly AmbiguousTable[];
}

export interface GuardReport {
  verdict: 'allowed';
  relations: string[];
  functions: string[];
  columns: string[];
  /** Row policies and masks that the guard applied. */
  policies: string[];
  masks: string[];
  /** The reasons why approved SQL didn't run unchanged. Empty if it ran unchanged, null for other statements. */
  beneath: string[] | null;
  /** True if the outermost query has an ORDER BY. */
  ordered: boolean;
}

/**
 * A relation that a statement can name, and the governed subquery that replaces it. The code that writes `body`
 * guarantees that `body` is one SELECT in the scope's dialect over qualified tables, without parameters or `*`. Its
 * outputs are exactly `columns`, in order and by name. It computes field expressions and returns each column in
 * `masked` as a typed null. Its WHERE clause contains the row policies, with the caller's attributes written by
 * `literal()`. `raw` is for count(distinct masked): the same SELECT with additional outputs, which hold the real values
 * of masked columns under the names in `raw.columns`. Statements can't write these names. The guard uses them only
 * inside count(distinct …).
 */
export interface GovernedRelation {
  source: { catalog: string | null; schema: string | null; table: string };
  /** The name of the lens's dataset. In a statement that the guard governs, FROM also accepts this name. */
  dataset: string;
  columns: string[];
  masked: string[];
  body: string;
  /** If absent, statements can't count distinct values of masked columns. */
  raw?: { body: string; columns: Record<string, string> };
  policies: string[];
  /** Columns that `body` returns unchanged under the same name. Default: none. */
  plain?: string[];
  /** The primary key, if all its columns are in `plain`. */
  key?: string[];
  /** True if the caller can see the whole table: no policy applies, and every column and field is in `plain`. */
  whole?: boolean;
  /** Primary key columns in `plain`, with their datatypes. Only for relations with policies. */
  lookups?: Record<string, 'integer' | 'string'>;
}

/** Writes the full name of a relation's table for reports and messages. */
export const toQualifiedName = ({ source }: Pick<GovernedRelation, 'source'>): string =>
  [source.catalog, source.schema, source.table].filter((part) => part !== null).join('.');

export interface GuardScope {
  dialect: DialectName;
  relations: GovernedRelation[];
  /**
   * `govern` is for SQL from callers, models and certified entries. The guard replaces each relation with its body and
   * sets svc's limit. `verify` is for SQL from the compiler. The guard changes nothing and allows the physical columns
   * in `extraColumns`.
   */
  mode: 'govern' | 'verify';
  extraColumns?: string[];
  /**
   * The largest number of rows. In the mode `govern`, the guard sets the outermost LIMIT to this number plus one. Null
   * keeps the statement's own limit.
   */
  maxRows: number | null;
  /** Names of certified parameters, which the SQL contains as `:name`. */
  parameters?: string[];
  onBehalf?: WorkOwner;
  /** The SQL in the envelope and the receipt: the certified SQL (`approved`), or the SQL that ran (`runs`). */
  shown?: 'approved' | 'runs';
}
