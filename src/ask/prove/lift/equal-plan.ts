// Finds the plan that is equivalent to a statement of a caller or model, and compiles the plan for this caller. Checks
// that pass for the plan also hold for the statement.
import type { Lens } from '../../../lens/model/lens.ts';
import { memoizeAsync } from '../../../platform/memoize.ts';
import { Problem } from '../../../platform/problem.ts';
import { type CompiledPlan, type FetchedRows, isEarlyEnd, isSqlPlan, type Plan } from '../../outcome.ts';
import { resolvePlan } from '../../read/plan-question.ts';
import type { ProbeLimits } from '../../read/values/probe-values.ts';
import type { Probes } from '../probes.ts';
import { type LiftedPlan, liftStatement, type NoEqualPlan } from './lift-statement.ts';

export interface EqualPlan extends LiftedPlan {
  plan: CompiledPlan;
}
/** Cached by statement and day, because the result doesn't depend on the caller. */
const memoizeLift = memoizeAsync<Lens, LiftedPlan | NoEqualPlan>(200);

export async function findEqualPlan(
  plan: Plan,
  probes: Probes,
  limits: ProbeLimits,
): Promise<EqualPlan | NoEqualPlan | null> {
  if (!isSqlPlan(plan)) return null;
  const { grantedLens } = plan;
  if (grantedLens.name === '') return null;
  const day = probes.now.toISOString().slice(0, 10);
  const liftedPlan = await memoizeLift(grantedLens.lens, `${day} ${plan.sql}`, async () => {
    const query = await probes.parseTree(plan);
    return query ? liftStatement(grantedLens.lens, query, probes.now) : { why: probes.unread };
  });
  if ('why' in liftedPlan) return liftedPlan;
  try {
    const resolvedPlan = await resolvePlan(grantedLens, liftedPlan.lensPlan, {}, limits);
    // If planning changes a value's spelling or an aggregation, the plan is no longer equivalent to the statement.
    if (isEarlyEnd(resolvedPlan)) return { why: 'The equivalent plan needs a clarification before svc can run it.' };
    if (JSON.stringify(resolvedPlan.lensPlan) !== JSON.stringify(liftedPlan.lensPlan)) return null;
    const keysUsed = [...new Set([...resolvedPlan.compiledQuery.keysUsed, ...liftedPlan.keyedDatasets])];
    const compiledQuery = { ...resolvedPlan.compiledQuery, keysUsed };
    return {
      ...liftedPlan,
      plan: {
        ...resolvedPlan,
        compiledQuery,
        equals: liftedPlan.written,
        readingOrigin: plan.readingOrigin,
        routedByModel: plan.routedByModel,
      },
    };
  } catch (fault) {
    if (fault instanceof Problem && fault.code === 'invalid') return { why: fault.message };
    throw fault;
  }
}

/** The statement's rows with the plan's columns in the plan's order, for the checks. */
export const withPlanColumns = ({ plan, columns }: EqualPlan, fetchedRows: FetchedRows): FetchedRows => ({
  ...fetchedRows,
  plan,
  columns: columns.map((columnIndex) => fetchedRows.columns[columnIndex]!),
});
