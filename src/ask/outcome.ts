// Types of the values that pass between pipeline steps. Each step requires a type that only the previous step creates.
import type {
  Check,
  Citation,
  Clarification,
  Column,
  Envelope,
  JsonScalar,
  MetricsBody,
  Scope,
} from '../contract/ask.ts';
import type { PatchChange } from '../contract/mgmt/reviews.ts';
import type { LiveLens } from '../domain/lenses/lens-repository.ts';
import type { Warehouse } from '../domain/ports.ts';
import type { GuardedSql } from '../guard/guarded-sql.ts';
import type { Caller, CertifiedEntry } from '../lens/model/lens.ts';
import type { LensPlan } from '../plan/lens-plan.ts';
import type { CompiledQuery } from '../plan/sql/compile-plan.ts';
import type { RequestPlan } from '../plan/write-plan.ts';
import type { Problem } from '../platform/problem.ts';
import type { WordUse } from '../reader/reader-result.ts';
import type { Refusal } from '../reader/refused/describe-refusal.ts';
import type { CachedMention } from './read/values/named-values.ts';

/**
 * Only resolve-lens.ts and connection-scope.ts create values of this type, and only for a lens or connection that this
 * caller can use.
 */
export interface GrantedLens extends LiveLens {
  readonly granted: true;
  orgId: string;
  caller: Caller;
  warehouse: Warehouse;
  /** Set if the lens comes from a cache. `traced` is true when a trace has confirmed that the lens is still served. */
  proof?: { traced: boolean };
}

/**
 * `null` means not applicable. `unknown` means that svc couldn't determine the result, so the grade can't be
 * `verified`.
 */
export type Certainty = boolean | null | 'unknown';

export interface ProvenValues {
  certainty: Certainty;
  /** Details for the check, such as the reason why svc couldn't look up the values. */
  detail: string | null;
  /** Values that svc assumes to be stored, without querying the warehouse again. */
  assumedValues: CachedMention[];
}

/** Where an interpretation of a question comes from. The checks in prove/ depend on this origin. */
export type ReadingOrigin =
  | { by: 'approval'; detail: string }
  /**
   * `asked`: the question and the questions that it continues. `meant`: the meanings that the caller gave to undefined
   * terms.
   */
  | {
      by: 'reader';
      asked: readonly string[];
      words: readonly WordUse[];
      doubt: string | null;
      meant?: { term: string; meaning: string }[];
    }
  /** `teaches`: a word that svc needs to interpret the question without a model. */
  | {
      by: 'model';
      asked: readonly string[];
      proof: ReadingProof;
      meant: { term: string; meaning: string }[];
      teaches: PatchChange | null;
    }
  /** A model wrote the statement, or wrote a plan that svc hasn't proven yet. */
  | { by: 'model'; asked: null }
  /** The caller sent metrics or SQL. `proof` is set if the caller sent the question with the plan. */
  | { by: 'caller'; asked?: readonly string[]; proof?: ReadingProof };

/** The result of comparing svc's own interpretation of a question with the interpretation of a model or a caller. */
export type ReadingProof =
  /**
   * svc's own interpretation produces the same statement as the other one. `omitted`: words that svc ignored. `doubt`:
   * why the remaining words may have another meaning.
   */
  | { same: true; omitted: readonly string[]; words: readonly WordUse[]; doubt: string | null }
  | { same: false; reason: string; unaccountedWords: readonly string[] };

export interface Verdict {
  outcome: Check['outcome'];
  detail: string;
  /** A warning for the caller, in addition to the check. */
  warning?: string;
  /** The ids of unconfirmed facts. */
  facts?: string[];
}

interface PlanBase {
  grantedLens: GrantedLens;
  readingOrigin: ReadingOrigin;
  values: ProvenValues;
  scope: Scope;
  citations: Citation[];
  warnings: string[];
  routedByModel?: boolean;
  /**
   * Requests another plan from the language model if the plan fails in the warehouse. Null if a model didn't write the
   * plan.
   */
  repair?: (fault: Problem) => Promise<Plan | null>;
}
export interface CertifiedPlan extends PlanBase {
  plan: 'certified';
  entry: CertifiedEntry;
  parameters: Record<string, JsonScalar>;
  /**
   * The unit of each column in the plan that is equivalent to the approved SQL. Empty if no plan is equivalent to that
   * SQL.
   */
  units: readonly (string | null)[];
}
export interface CompiledPlan extends PlanBase {
  plan: 'compiled';
  lensPlan: LensPlan;
  compiledQuery: CompiledQuery;
  /** The reasons why the plan's sums might not be additive. */
  sumDoubts: readonly string[];
  equals?: RequestPlan;
  /** Set if svc uses the default date, because the caller's plan names no date for its period. */
  usualDate?: true;
  /** Set if svc proposed this plan when it refused a question: that question, and the words that the plan ignores. */
  answers?: MetricsBody['answers'];
}
/** A plan that svc made from a question without a model. */
export interface QuestionPlan extends CompiledPlan {
  readingOrigin: Extract<ReadingOrigin, { by: 'reader' }>;
}
export interface SqlPlan extends PlanBase {
  plan: 'model_sql' | 'caller_sql';
  sql: string;
  /** The reason why svc found no equivalent plan. */
  unlike?: string;
  /** The caller's `limit` of /v1/sql, which replaces the lens's row limit. */
  limit: number | null;
  /** True if a model wrote the SQL after seeing certified examples. */
  usedExamples: boolean;
}
export type Plan = CertifiedPlan | CompiledPlan | SqlPlan;
export const isSqlPlan = (plan: Plan): plan is SqlPlan => plan.plan === 'caller_sql' || plan.plan === 'model_sql';

/** Only guardPlan creates values of this type, so a query that skips the guard can't run. */
export interface GuardedPlan {
  plan: Plan;
  statement: GuardedSql;
}

export interface FetchedRows {
  plan: Plan;
  statement: GuardedSql;
  columns: Column[];
  /** At most MAX_FETCHED_ROWS rows in the API's encoding, with cells keyed by column name. */
  rows: Record<string, JsonScalar>[];
  /** Whether the warehouse had more rows than svc fetched. */
  more: boolean;
  bytesCut: boolean;
  dataAsOf: string | null;
  warnings: string[];
  warehouseMs: number;
}

export interface Grading {
  checks: Check[];
  /** Doubts about the rows, for the caller. */
  warnings: string[];
  confidence: Envelope['confidence'];
  certification: Envelope['certification'];
  empty: Envelope['empty'];
}

/**
 * The result of an ask that ends before it has rows. svc returns this result as a value instead of throwing an
 * exception.
 */
export type EarlyEnd =
  | { end: 'clarification'; clarification: Clarification }
  /** `clarifyWord` asks what an unknown word means. svc calls it if no model can read the question. */
  | ({ end: 'refused'; clarifyWord?: () => Promise<Clarification | null> } & Refusal)
  /** Approved definitions, for a question about the meaning of a term. */
  | { end: 'defined'; lens: string; texts: { name: string; text: string }[] }
  | { end: 'uncovered'; message: string; suggestions: Envelope['suggestions'] }
  | { end: 'certified_failed'; certId: string; message: string };

/** The scope of an answer without a plan. It consists of one sentence. */
export const createStatementScope = (sentence: string): Scope => ({
  filters: [],
  time: null,
  row_policies: [],
  joins: [],
  sentence,
});

export const isEarlyEnd = (value: Plan | EarlyEnd): value is EarlyEnd => 'end' in value;
