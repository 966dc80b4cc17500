// The branded statement: fetching takes nothing else, and only guard-sql.ts can make one.
import type { Dialect } from '../contract/warehouse.ts';

declare const guarded: unique symbol;
export interface GuardedSql {
  readonly [guarded]: true;
  readonly dialect: Dialect;
  /** The text the envelope shows and the receipt hashes. */
  readonly sql: string;
  /** What the engine is given: `sql` itself, or its governed, re-limited form. */
  readonly runs: string;
  /** Parameter names in the order of $1, $2, … in `runs`. */
  readonly parameters: readonly string[];
  readonly report: GuardReport;
}

export interface GuardReport {
  verdict: 'allowed';
  relations: string[];
  functions: string[];
  columns: string[];
  /** Row policies and masks that the rewriting applied. */
  policies: string[];
  masks: string[];
  /** The outermost level has an ORDER BY. */
  ordered: boolean;
}

/** One relation that a statement may name, and the governed subquery that stands in for it. */
export interface GovernedRelation {
  source: { catalog: string | null; schema: string | null; table: string };
  /** Lens dataset name, for messages. */
  dataset: string;
  columns: string[];
  masked: string[];
  /** A SELECT over the source exposing `columns` only (masked ones as null), row policies applied. */
  body: string;
  /** Raw expression of each masked column, for count(distinct …). */
  policies: string[];
}

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
  /** Literals the compiler wrote, each of which must parse as exactly one literal of that value. */
  literals?: { text: string; value: string | number | boolean }[];
  /** What the envelope and the receipt show: 'approved' keeps the input text (certified), 'runs' shows what ran. */
  shown?: 'approved' | 'runs';
}
