// Finds the plan equal to a statement of a caller or model, and compiles it for this caller. Checks that pass for the
// plan also hold for the statement.
import type { Lens } from '../../../lens/model/lens.ts';
import { memoizeAsync } from '../../../platform/memoize.ts';
import { Problem } from '../../../platform/problem.ts';
import { type CompiledPlan, type FetchedRows, isEarlyEnd, isWritten, type Plan } from '../../outcome.ts';
import { settlePlan } from '../../read/plan-question.ts';
import type { ProbeLimits } from '../../read/values/probe-values.ts';
import type { Probes } from '../probes.ts';
import { type Lifted, liftStatement, type NoEqualPlan } from './lift-statement.ts';

export interface EqualPlan extends Lifted {
  plan: CompiledPlan;
}
/** Cached by statement and day, because the result doesn't depend on the caller. */
const cachedLift = memoizeAsync<Lens, Lifted | NoEqualPlan>(200);

export async function equalPlan(
  plan: Plan,
  probes: Probes,
  limits: ProbeLimits,
): Promise<EqualPlan | NoEqualPlan | null> {
  if (!isWritten(plan)) return null;
  const { granted } = plan;
  if (granted.name === '') return null;
  const day = probes.now.toISOString().slice(0, 10);
  const lifted = await cachedLift(granted.lens, `${day} ${plan.sql}`, async () => {
    const query = await probes.tree(plan);
    return query ? liftStatement(granted.lens, query, probes.now) : { why: probes.unread };
  });
  if ('why' in lifted) return lifted;
  try {
    const settled = await settlePlan(granted, lifted.lensPlan, {}, limits);
    // If planning changes a value's spelling or an aggregation, the plan is no longer equal to the statement.
    if (isEarlyEnd(settled)) return { why: 'The equal plan needs a clarification before it can answer.' };
    if (JSON.stringify(settled.lensPlan) !== JSON.stringify(lifted.lensPlan)) return null;
    const keysUsed = [...new Set([...settled.compiled.keysUsed, ...lifted.keyed])];
    const compiled = { ...settled.compiled, keysUsed };
    return {
      ...lifted,
      plan: {
        ...settled,
        compiled,
        equals: lifted.written,
        read: plan.read,
        routedByModel: plan.routedByModel,
      },
    };
  } catch (fault) {
    if (fault instanceof Problem && fault.code === 'invalid') return { why: fault.message };
    throw fault;
  }
}

/** The statement's rows with the plan's columns in the plan's order, for the checks. */
export const asRowsOf = ({ plan, columns }: EqualPlan, fetched: FetchedRows): FetchedRows => ({
  ...fetched,
  plan,
  columns: columns.map((columnIndex) => fetched.columns[columnIndex]!),
});
