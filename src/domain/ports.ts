// What the outside must offer. Implemented in adapters/, wired in app.ts, replaceable by plugins.
import type { JsonValue } from '../contract/ask.ts';
import type { ConnectionConfig } from '../contract/files/connection-words.ts';
import type { Datatype, Dialect } from '../contract/warehouse.ts';
import type { GuardedSql } from '../guard/guarded-sql.ts';

/** A column as the warehouse declares it. */
export interface WarehouseColumn {
  name: string;
  datatype: Datatype;
}

/** Cells: null, boolean, string, or number (floats only). Integers and decimals arrive as exact strings of their digits;
 *  dates and times as ISO strings; NaN and infinities as the strings 'NaN', 'Infinity', '-Infinity' in float columns. */
export type Cell = null | boolean | number | string;

export interface FetchOptions {
  parameters?: { name: string; datatype: Datatype; value: JsonValue }[];
  /** Fetch at most this many rows; one more is read only to know that there is more, and is not returned. */
  maxRows: number;
  /** Stop when the cells read exceed this many bytes. */
  maxBytes: number;
  timeoutMs: number;
  signal?: AbortSignal;
  /** Who asks: statements of one never keep those of another from running. */
  caller?: string;
  /** Awaited once, when what was read exceeds LARGE_BYTES: how much of that is in memory at once is bounded. */
  beforeLarge?: () => Promise<void>;
}
export const LARGE_BYTES = 1_048_576;

export interface Fetched {
  columns: WarehouseColumn[];
  rows: Cell[][];
  /** There was at least one more row than maxRows. */
  more: boolean;
  /** maxBytes stopped the read before all rows were in. */
  bytesCut: boolean;
}

export interface CatalogColumn {
  name: string;
  datatype: Datatype | null;
  nativeType: string;
  nullable: boolean;
  comment: string | null;
}
/** What the comment of a column begins with whose text we read as a date or a number. */
export const READ_AS = 'Text of the file, read as ';

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
  /** Statistics' estimate; null when there is none. */
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
  /** Most frequent values first, at most as many as asked for; null when there are more distinct ones than that. */
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
  readonly dialect: Dialect;
  /** Throws Problem: unreachable (away), timeout, upstream (the statement failed). Messages name no host and no value. */
  fetch(statement: GuardedSql, options: FetchOptions): Promise<Fetched>;
  /** Output columns without running it. Same Problems; `upstream` carries the engine's reason in `detail`. */
  describe(
    statement: GuardedSql,
    options: { timeoutMs: number; parameters?: FetchOptions['parameters']; signal?: AbortSignal },
  ): Promise<WarehouseColumn[]>;
  estimate(statement: GuardedSql): Promise<{ rows: number | null; cost: number | null }>;
  catalog(options?: {
    signal?: AbortSignal;
    onProgress?: (done: number, total: number) => void;
  }): Promise<CatalogTable[]>;
  profile(
    table: { catalog?: string | null; schema: string | null; table: string },
    columns: string[],
    options: { maxValues: number; sampleRows: number; signal?: AbortSignal },
  ): Promise<ColumnProfile[]>;
  test(): Promise<WarehouseHealth>;
  /** Statements that were told to stop and still run; each keeps its place. */
  stuck?(): number;
  close(): Promise<void>;
}

/** The warehouse behind a connection of an organization. Throws Problem `unreachable` when it cannot be opened. */
export interface WarehouseDirectory {
  get(orgId: string, connection: string): Promise<Warehouse>;
  /** Stuck statements of a connection, as far as this process knows; without one, of all. */
  stuck(of?: { orgId: string; name: string }): number;
}

/** Opens a connection that need not be stored yet: at plan, apply, test. Whoever opens it closes it.
 *  `config` is as in svc.config.yaml with secrets in clear and ${NAME} unexpanded. Throws Problem: `not_found` when a
 *  warehouse file is absent, `invalid` for a configuration or address that is not allowed, `unreachable` when away. */
export interface WarehouseOpener {
  open(connection: {
    orgId: string;
    name: string;
    config: ConnectionConfig;
    fromOperator: boolean;
  }): Promise<Warehouse>;
  /** Stuck statements of a connection that is open here; without one, of all. */
  stuck?(of?: { orgId: string; name: string }): number;
  /** The connection is no more: closes what is open of it and removes what was built for it. */
  forget?(orgId: string, name: string): Promise<void>;
}

export interface ModelUsage {
  entry: 'fast' | 'smart' | 'embedder';
  model: string;
  tokensIn: number;
  tokensOut: number;
  /** USD; null without a configured price. */
  cost: number | null;
  ms: number;
  outcome: string;
}

/** One chat-completions endpoint with one model. Every output is data that the caller must check. */
export interface LanguageModel {
  readonly entry: 'fast' | 'smart';
  readonly provider: string;
  readonly model: string;
  /** JSON that was asked to fit `schema`; validated by the caller all the same. */
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
  /** It knows likeness of wording only: texts that share no word are never near. */
  readonly lexical?: boolean;
  /** Unit vectors, one for each text. */
  embed(texts: string[]): Promise<Float32Array[]>;
}
