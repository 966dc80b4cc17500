// What must hold of an answer before it is repeated. Each check is one file of checks/: what it asks of the plan, with
// small governed reads where it needs them, and what it makes of the rows. prove.ts lists them; grades only fold them.
import type { CheckName } from '../../contract/ask.ts';
import type { FetchedRows, Plan, Verdict } from '../outcome.ts';
import type { Probes } from './probes.ts';

/** Null: the check has nothing to say of this answer and is not listed. */
export type Said = Verdict | null | Promise<Verdict | null>;

export interface ProvenBy {
  readonly name: CheckName;
  /** Without it there is no trust in the answer at all. */
  readonly critical: boolean;
  /** Asked side by side with the others, while the rows are fetched. */
  ofPlan(plan: Plan, probes: Probes): Said;
  /** `said` of the plan, as the rows bear it out. */
  ofRows?(fetched: FetchedRows, said: Verdict | null, probes: Probes): Said;
}

export const passed = (detail: string): Verdict => ({ outcome: 'pass', detail });
export const failed = (detail: string): Verdict => ({ outcome: 'fail', detail });
export const untold = (detail: string): Verdict => ({ outcome: 'unknown', detail });
export const notApplicable = (detail: string): Verdict => ({ outcome: 'not_applicable', detail });
/** What the caller is told besides. */
export const doubted = (detail: string): Verdict => ({ outcome: 'fail', detail, warning: detail });
