// Finds the plan that is equivalent to a statement. The form of the statement suggests a plan. svc accepts the plan
// only if its compiled SQL has the same meaning (read-meaning.ts).
import { findDialect } from '../../../dialects/dialects.ts';
import type { Query } from '../../../dialects/tree.ts';
import type { Lens } from '../../../lens/model/lens.ts';
import type { LensPlan } from '../../../plan/lens-plan.ts';
import { type RequestPlan, writePlan } from '../../../plan/write-plan.ts';
import { matchColumns } from './meaning.ts';
import { explainNoPlan } from './no-plan-reason.ts';
import { toPlainColumnLens } from './plain-lens.ts';
import { describeDifference } from './plan-difference.ts';
import { PlanReader } from './plan-reader.ts';
import { readMeaning } from './read-meaning.ts';
import { nullIfUnreadable } from './scope.ts';
import { resolveToday } from './time/today.ts';
import { withUniqueNames } from './with-unique-names.ts';

export interface LiftedPlan {
  lensPlan: LensPlan;
  written: RequestPlan;
  /** For each column of the plan, the index of the statement's column. */
  columns: number[];
  /** Datasets whose primary key must never be null for the comparison to be correct. */
  keyedDatasets: string[];
}

/** The reason why no plan is equivalent: a plan can't express the statement, or this lens doesn't allow such a plan. */
export interface NoEqualPlan {
  why: string;
  nearest?: RequestPlan;
}

export async function liftStatement(lens: Lens, query: Query, now: Date): Promise<LiftedPlan | NoEqualPlan> {
  try {
    return await liftQuery(lens, query, now);
  } catch (fault) {
    const why = explainNoPlan(findDialect(lens.dialect), fault);
    if (why === null) throw fault;
    return { why };
  }
}

async function liftQuery(lens: Lens, query: Query, now: Date): Promise<LiftedPlan | NoEqualPlan> {
  const dialect = findDialect(lens.dialect);
  const reader = new PlanReader(lens, dialect);
  const plainLens = toPlainColumnLens(lens);
  const meaning = readMeaning(plainLens, dialect, withUniqueNames(plainLens, dialect, resolveToday(lens, query, now)));
  const lensPlan = await reader.suggestPlan(meaning);
  const writtenPlan = writePlan(lensPlan);
  const planMeaning = await reader.readMeaningOfPlan(lensPlan).catch(nullIfUnreadable);
  // svc can't read the compiled SQL of every plan. An example is a join of separately grouped queries.
  if (!planMeaning)
    return { why: 'svc can’t compare the SQL of the nearest plan with the statement.', nearest: writtenPlan };
  const columns = matchColumns(meaning, planMeaning);
  if (!columns) return { why: describeDifference(meaning, planMeaning), nearest: writtenPlan };
  return {
    lensPlan,
    written: writtenPlan,
    columns,
    keyedDatasets: [...meaning.dependencies.keyedDatasets, ...planMeaning.dependencies.keyedDatasets],
  };
}
