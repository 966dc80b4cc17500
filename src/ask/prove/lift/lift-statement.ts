// Finds the plan equal to a statement. The form of the statement suggests a plan. svc accepts the plan only if its
// compiled SQL has the same meaning (read-meaning.ts).
import { dialectOf } from '../../../dialects/dialects.ts';
import type { Query } from '../../../dialects/tree.ts';
import type { Lens } from '../../../lens/model/lens.ts';
import type { LensPlan } from '../../../plan/lens-plan.ts';
import { type Plan as SaidPlan, writePlan } from '../../../plan/write-plan.ts';
import { sameMeaning } from './meaning.ts';
import { noPlanReason } from './no-plan-reason.ts';
import { lensOfPlainColumns } from './plain-lens.ts';
import { PlanReader } from './plan-reader.ts';
import { meaningOf } from './read-meaning.ts';
import { atTime } from './time/today.ts';
import { withUniqueNames } from './with-unique-names.ts';

export interface Lifted {
  lensPlan: LensPlan;
  written: SaidPlan;
  /** For each column of the plan, the index of the statement's column. */
  columns: number[];
  /** Datasets whose primary key the comparison assumes to be never null. */
  keyed: string[];
}

/** Why no plan is equal: a plan can't express the statement, or this lens doesn't allow it. */
export interface NoEqualPlan {
  why: string;
  nearest?: SaidPlan;
}

export async function liftStatement(lens: Lens, query: Query, now: Date): Promise<Lifted | NoEqualPlan> {
  try {
    return await lifted(lens, query, now);
  } catch (fault) {
    const why = noPlanReason(dialectOf(lens.dialect), fault);
    if (why === null) throw fault;
    return { why };
  }
}

async function lifted(lens: Lens, query: Query, now: Date): Promise<Lifted | NoEqualPlan> {
  const dialect = dialectOf(lens.dialect);
  const reader = new PlanReader(lens, dialect);
  const seen = lensOfPlainColumns(lens);
  const meaning = meaningOf(seen, dialect, withUniqueNames(seen, dialect, atTime(lens, query, now)));
  const lensPlan = await reader.planOf(meaning);
  const compiled = await reader.meaningOfPlan(lensPlan);
  const columns = compiled && sameMeaning(meaning, compiled);
  const written = writePlan(lensPlan);
  if (!columns) return { why: `The nearest plan means something else: ${JSON.stringify(written)}.`, nearest: written };
  return { lensPlan, written, columns, keyed: [...meaning.known.keyed, ...compiled.known.keyed] };
}
