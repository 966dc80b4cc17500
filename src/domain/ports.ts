// Interfaces of external systems, which adapters and plugins implement.
import type { JsonScalar } from '../contract/ask.ts';
import type { ConnectionConfig } from '../contract/files/connection-settings.ts';
import type { Datatype, DialectName } from '../contract/warehouse.ts';
import type { GuardedSql } from '../guard/guarded-sql.ts';

export interface WarehouseColumn {
  name: string;
  datatype: Datatype;
}

/**
 * Only floats are numbers. Integers and decimals are strings of their digits, and dates and times are ISO strings.
 * Float columns can contain the strings 'NaN', 'Infinity' and '-Infinity'.
 */
export type Cell = null | boolean | number | string;

export interface FetchOptions {
  parameters?: { name: string; datatype: Datatype; value: JsonScalar }[];
  /** The adapter reads one more row to detect whether there are more rows, but doesn't return it. */
  maxRows: number;
  maxBytes: number;
  timeoutMs: number;
  signal?: AbortSignal;
  /** Statements of one caller don't block statements of another. */
  caller?: string;
  /** Awaited once when the result exceeds LARGE_RESULT_BYTES, to limit the memory of all large results. */
  beforeLarge?: () => Promise<void>;
}
export const LARGE_RESULT_BYTES = 1_048_576;

export interface FetchResult {
  columns: WarehouseColumn[];
  rows: Cell[][];
  /** True if the result has more than maxRows rows. */
  more: boolean;
  bytesCut: boolean;
}

export interface CatalogColumn {
  name: string;
  datatype: Datatype | null;
  nativeType: string;
  nullable: boolean;
  /** True if `<` and `>` compare the column's values as text. Absent if svc doesn't know. */
  comparesAsText?: boolean;
  comment: string | null;
}
/** The prefix of the comment on a text column that svc reads as dates or numbers. */
export const CONVERSION_COMMENT_PREFIX = 'Text of the file, read as ';

export interface CatalogTable {
  catalog: string | null;
  schema: string | null;
  table: string;
  kind: 'table' | 'view';
  comment: string | null;
  columns: CatalogColumn[];
  primaryKey: string[];
  uniqueKeys: string[][];
  foreignKeys: { name: string; columns: string[]; to: { schema: string | null; table: string; columns: string[] } }[];
  /** The estimate from statistics, or null if there is none. */
  rowEstimate: number | null;
}

export interface ColumnProfile {
  table: string;
  column: string;
  rows: number;
  nulls: number;
  distinct: number | null;
  min: string | null;
  max: string | null;
  /** The most frequent values come first. Null if the column has more distinct values than requested. */
  values: string[] | null;
  sampled: boolean;
}

export interface WarehouseHealth {
  ok: boolean;
  latencyMs: number;
  serverVersion: string | null;
  readOnly: boolean;
  error?: string;
}

export interface Warehouse {
  readonly dialect: DialectName;
  /**
   * Throws a Problem: `unreachable`, `timeout`, or `upstream` if the statement failed. The messages contain no host and
   * no value.
   */
  fetch(statement: GuardedSql, options: FetchOptions): Promise<FetchResult>;
  /**
   * Returns the output columns without running the statement. Throws the same Problems. `upstream` has the engine's
   * reason in `detail`.
   */
  describe(
    statement: GuardedSql,
    options: { timeoutMs: number; parameters?: FetchOptions['parameters']; signal?: AbortSignal },
  ): Promise<WarehouseColumn[]>;
  estimate(statement: GuardedSql): Promise<{ rows: number | null; cost: number | null }>;
  catalog(options?: {
    signal?: AbortSignal;
    onProgress?: (doneCount: number, total: number) => void;
  }): Promise<CatalogTable[]>;
  profile(
    table: { catalog?: string | null; schema: string | null; table: string },
    columns: string[],
    options: { maxValues: number; sampleRows: number; signal?: AbortSignal },
  ): Promise<ColumnProfile[]>;
  test(): Promise<WarehouseHealth>;
  /** The number of canceled statements that are still running. They still count toward the limit. */
  stuck?(): number;
  close(): Promise<void>;
}

/** Throws Problem `unreachable` if svc can't open the warehouse. */
export interface WarehouseDirectory {
  get(orgId: string, connection: string): Promise<Warehouse>;
  /** The number of canceled statements that are still running in this process, for one connection or for all. */
  stuck(connection?: { orgId: string; name: string }): number;
}

/**
 * The caller closes the warehouse. `config` has decrypted secrets and unexpanded ${NAME}. Throws Problem: `not_found`
 * if a warehouse file is missing, `invalid` for a forbidden configuration or address, `unreachable`.
 */
export interface WarehouseOpener {
  open(connection: {
    orgId: string;
    name: string;
    config: ConnectionConfig;
    fromOperator: boolean;
  }): Promise<Warehouse>;
  /** The number of canceled statements that are still running, for one open connection or for all. */
  stuckCount?(of?: { orgId: string; name: string }): number;
  /** Closes a deleted connection and removes the files that were built for it. */
  forget?(orgId: string, name: string): Promise<void>;
}

export interface ModelUsage {
  entry: 'fast' | 'smart' | 'embedder';
  model: string;
  tokensIn: number;
  tokensOut: number;
  /** The cost in USD. Null if no price is configured. */
  cost: number | null;
  ms: number;
  outcome: string;
}

/** One chat-completions endpoint with one model. Callers must check every output. */
export interface LanguageModel {
  readonly entry: 'fast' | 'smart';
  readonly provider: string;
  readonly model: string;
  /** The caller must validate the JSON against `schema`. */
  decide(request: {
    system: string;
    user: string;
    schemaName: string;
    schema: Record<string, unknown>;
    deadlineMs: number;
    signal?: AbortSignal;
  }): Promise<{ value: unknown; usage: ModelUsage }>;
  write(request: {
    system: string;
    user: string;
    deadlineMs: number;
    signal?: AbortSignal;
  }): Promise<{ text: string; usage: ModelUsage }>;
}

export interface Embedder {
  readonly name: string;
  /** A lexical embedder compares only words, so inputs without a common word are never similar. */
  readonly lexical?: boolean;
  /** Unit vectors, one for each input. */
  embed(texts: string[]): Promise<Float32Array[]>;
}
