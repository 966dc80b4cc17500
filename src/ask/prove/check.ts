// A check that an answer must pass. Each file in checks/ has one check, which judges the plan, the rows or
// both, and may make small governed reads. prove.ts lists the checks; the grade follows from them.
import type { CheckName } from '../../contract/ask.ts';
import type { FetchedRows, Plan, Verdict } from '../outcome.ts';
import type { Probes } from './probes.ts';

/** Null: the check doesn't apply to this answer and isn't listed. */
export type CheckVerdict = Verdict | null | Promise<Verdict | null>;

export interface AnswerCheck {
  readonly name: CheckName;
  /** If a critical check fails, the answer is unverified. */
  readonly critical: boolean;
  /** Runs in parallel with the other checks while the rows are fetched. */
  ofPlan(plan: Plan, probes: Probes): CheckVerdict;
  /** Revises `said`, the verdict on the plan, after the rows were fetched. */
  ofRows?(fetched: FetchedRows, verdict: Verdict | null, probes: Probes): CheckVerdict;
}

export const passed = (detail: string): Verdict => ({ outcome: 'pass', detail });
export const failed = (detail: string): Verdict => ({ outcome: 'fail', detail });
export const undetermined = (detail: string): Verdict => ({ outcome: 'unknown', detail });
export const notApplicable = (detail: string): Verdict => ({ outcome: 'not_applicable', detail });
/** A failed check that also adds a warning to the answer. */
export const failedWithWarning = (detail: string): Verdict => ({ outcome: 'fail', detail, warning: detail });
