// A check that an answer must pass. Each file in checks/ has one check. A check judges the plan, the rows or both, and
// can run small governed queries. prove.ts lists the checks, whose results determine the grade.
import type { CheckName } from '../../contract/ask.ts';
import { Problem } from '../../platform/problem.ts';
import type { FetchedRows, Plan, SqlPlan, Verdict } from '../outcome.ts';
import type { Probes } from './probes.ts';
import type { StatementReader } from './statement/sources.ts';

/** Null if the check doesn't apply to this answer. The answer then omits the check. */
export type CheckVerdict = Verdict | null | Promise<Verdict | null>;

export interface AnswerCheck {
  readonly name: CheckName;
  /** If a critical check fails, the answer is unverified. */
  readonly critical: boolean;
  /** Runs in parallel with the other checks while svc fetches the rows. */
  checkPlan(plan: Plan, probes: Probes): CheckVerdict;
  /** Replaces `checkPlan` for a statement that a caller or a model wrote. */
  checkStatement?(reader: StatementReader, plan: SqlPlan, probes: Probes): CheckVerdict;
  /** Revises `verdict`, the result for the plan, when the rows are available. */
  checkRows?(fetchedRows: FetchedRows, verdict: Verdict | null, probes: Probes): CheckVerdict;
}

export const createPassVerdict = (detail: string): Verdict => ({ outcome: 'pass', detail });
export const createFailVerdict = (detail: string): Verdict => ({ outcome: 'fail', detail });
export const createUnknownVerdict = (detail: string): Verdict => ({ outcome: 'unknown', detail });
export const createInapplicableVerdict = (detail: string): Verdict => ({ outcome: 'not_applicable', detail });
/** A failed check that also adds a warning to the answer. */
export const createWarningVerdict = (detail: string): Verdict => ({ outcome: 'fail', detail, warning: detail });

/** Returns null if the error means that svc can't compile the probe. Throws any other error again. */
export const ignoreInvalidProbe = (fault: unknown): null => {
  if (fault instanceof Problem && fault.code === 'invalid') return null;
  throw fault;
};

export const findWorstVerdict = (verdicts: readonly (Verdict | null)[]): Verdict | null =>
  ['fail', 'unknown', 'pass']
    .map((outcome) => verdicts.find((verdict) => verdict?.outcome === outcome))
    .find(Boolean) ?? null;
