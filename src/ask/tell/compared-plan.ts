// Describes an SQL statement as a plan: the equal plan, or the nearest one with its difference.
import type { Envelope } from '../../contract/ask.ts';
import type { Plan } from '../outcome.ts';
import type { EqualPlan } from '../prove/lift/equal-plan.ts';
import type { NoEqualPlan } from '../prove/lift/lift-statement.ts';

type PlanComparison = Pick<Envelope, 'equals' | 'nearest'>;
type EnvelopePlan = NonNullable<NonNullable<PlanComparison['equals']>['plan']>;

/** Returns nothing unless a caller or a model wrote the statement. */
export function comparePlan({ plan }: Plan, liftResult: EqualPlan | NoEqualPlan | null): PlanComparison {
  if (plan !== 'caller_sql' && plan !== 'model_sql') return {};
  if (!liftResult) return { equals: null, nearest: null };
  if ('why' in liftResult) {
    const { why, nearest } = liftResult;
    return { equals: null, nearest: nearest ? { plan: nearest as EnvelopePlan, differs: why } : null };
  }
  const { equals: equalPlan, scope } = liftResult.plan;
  return { equals: equalPlan ? { plan: equalPlan as EnvelopePlan, sentence: scope.sentence } : null, nearest: null };
}
