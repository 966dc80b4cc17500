// Types of the values between the pipeline's steps. Each step takes the type that proves that the step before it ran.
import type {
  Check,
  Citation,
  Clarification,
  Column,
  Envelope,
  JsonValue,
  MetricsBody,
  Scope,
} from '../contract/ask.ts';
import type { PatchChange } from '../contract/mgmt/patches.ts';
import type { ServedLens } from '../domain/lenses/lens-repository.ts';
import type { Warehouse } from '../domain/ports.ts';
import type { GuardedSql } from '../guard/guarded-sql.ts';
import type { Caller, CertifiedEntry } from '../lens/model/lens.ts';
import type { LensPlan } from '../plan/lens-plan.ts';
import type { CompiledQuery } from '../plan/sql/compile-plan.ts';
import type { Plan as SaidPlan } from '../plan/write-plan.ts';
import type { Problem } from '../platform/problem.ts';
import type { WordUse } from '../reader/reading.ts';
import type { Refusal } from '../reader/refused/describe-refusal.ts';
import type { CachedNaming } from './read/values/named-values.ts';

/** Only resolveLens creates one: the lens exists and this caller may use it. */
export interface GrantedLens extends ServedLens {
  readonly granted: true;
  orgId: string;
  caller: Caller;
  warehouse: Warehouse;
  /** Set if the lens comes from a cache: `traced` is true once a trace has proven that it is still in service. */
  proof?: { traced: boolean };
}

/** null: not applicable. unknown: it couldn't be determined, so the grade can't be verified. */
export type Certainty = boolean | null | 'unknown';

/** The result of looking up the values that a plan names. */
export interface ProvenValues {
  known: Certainty;
  /** The reason why svc couldn't find out. */
  said: string | null;
  /** Values that count as stored without another query. */
  assumed: CachedNaming[];
}

/** Who interpreted the question; the checks judge it (prove/). */
export type ReadBy =
  | { by: 'approval'; said: string }
  | { by: 'reader'; asked: readonly string[]; words: readonly WordUse[]; doubt: string | null }
  /**
   * `asked`: the question and those that it continues. `meant`: the caller's meanings of undefined terms. `teaches`: a word
   * that svc needs to interpret the question without a model.
   */
  | {
      by: 'model';
      asked: readonly string[];
      proof: ReadingProof;
      meant: { term: string; meaning: string }[];
      teaches: PatchChange | null;
    }
  /** A statement that a model wrote, or a plan of a model before it is proven. */
  | { by: 'model'; asked: null }
  /** The caller sent metrics or SQL; `proof` is set if the caller sent the question with the plan. */
  | { by: 'caller'; asked?: readonly string[]; proof?: ReadingProof };

/** How the reader itself interprets a question that a model or a caller interpreted. */
export type ReadingProof =
  /**
   * The same statement. `omitted`: words that the reader ignored. `doubt`: why the rest may mean something else.
   * `open`: unexplained words that may restrict rows.
   */
  | { same: true; omitted: readonly string[]; words: readonly WordUse[]; doubt: string | null }
  | { same: false; why: string; open: readonly string[] };

/** Result of one check for an answer. */
export interface Verdict {
  outcome: Check['outcome'];
  detail: string;
  /** For the caller, in addition to the check. */
  warning?: string;
  /** Ids of the facts that are not confirmed. */
  facts?: string[];
}

interface Planned {
  granted: GrantedLens;
  read: ReadBy;
  values: ProvenValues;
  scope: Scope;
  citations: Citation[];
  warnings: string[];
  /** The lens was chosen by a language model. */
  routedByModel?: boolean;
  /** Asks the language model for another plan if its plan fails in the warehouse; null if it has none. */
  mend?: (fault: Problem) => Promise<Plan | null>;
}
export interface CertifiedPlan extends Planned {
  plan: 'certified';
  entry: CertifiedEntry;
  parameters: Record<string, JsonValue>;
  /** The unit of each column of the plan that equals the approved SQL. Empty if there is none. */
  units: readonly (string | null)[];
}
export interface CompiledPlan extends Planned {
  plan: 'compiled';
  lensPlan: LensPlan;
  compiled: CompiledQuery;
  /** Why the sums of the plan may not be additive. */
  unsummed: readonly string[];
  /** The plan that a statement equals. */
  equals?: SaidPlan;
  /** A caller's plan names no date for its period, so svc uses the default date. */
  usualDate?: true;
  /** The question for which a refusal proposed this plan, and the words that the plan ignores. */
  answers?: MetricsBody['answers'];
}
export interface WrittenPlan extends Planned {
  plan: 'model_sql' | 'caller_sql';
  sql: string;
  /** The reason why svc found no equal plan. */
  unlike?: string;
  /** The caller's own `limit` of /v1/sql, instead of the lens's row limit. */
  limit: number | null;
  /** A model wrote the SQL after seeing certified examples. */
  assisted: boolean;
}
export type Plan = CertifiedPlan | CompiledPlan | WrittenPlan;

/** Only guardPlan creates one, so a query that skipped the guard can't run. */
export interface GuardedPlan {
  plan: Plan;
  statement: GuardedSql;
}

export interface FetchedRows {
  plan: Plan;
  statement: GuardedSql;
  columns: Column[];
  /** At most FETCH_CAP rows, encoded for the wire, by column name. */
  rows: Record<string, JsonValue>[];
  /** The warehouse had more rows than svc fetched. */
  more: boolean;
  bytesCut: boolean;
  dataAsOf: string | null;
  warnings: string[];
  warehouseMs: number;
}

export interface Graded {
  checks: Check[];
  /** Doubts that the rows raised, for the caller. */
  warnings: string[];
  confidence: Envelope['confidence'];
  certification: Envelope['certification'];
  empty: Envelope['empty'];
}

/** An ask that ends before it has rows. These are expected results, not exceptions. */
export type EarlyEnd =
  | { end: 'clarification'; clarification: Clarification }
  | ({ end: 'refused' } & Refusal)
  /** Approved texts, for a question about what a term means. */
  | { end: 'defined'; lens: string; texts: { name: string; text: string }[] }
  | { end: 'uncovered'; message: string; suggestions: Envelope['suggestions'] }
  | { end: 'certified_failed'; certId: string; message: string };

/** The scope of a statement, which says nothing but this. */
export const scopeOfStatement = (sentence: string): Scope => ({
  filters: [],
  time: null,
  row_policies: [],
  joins: [],
  sentence,
});

export const isEarlyEnd = (value: Plan | EarlyEnd): value is EarlyEnd => 'end' in value;
