// Describes an SQL statement as a plan: the equal plan, or the nearest one with its difference.
import type { Envelope } from '../../contract/ask.ts';
import type { Plan } from '../outcome.ts';
import type { EqualPlan } from '../prove/lift/equal-plan.ts';
import type { NoEqualPlan } from '../prove/lift/lift-statement.ts';

type Compared = Pick<Envelope, 'equals' | 'nearest'>;
type EnvelopePlan = NonNullable<NonNullable<Compared['equals']>['plan']>;

/** Returns nothing unless a caller or a model wrote the statement. */
export function comparedPlan({ plan }: Plan, found: EqualPlan | NoEqualPlan | null): Compared {
  if (plan !== 'caller_sql' && plan !== 'model_sql') return {};
  if (!found) return { equals: null, nearest: null };
  if ('why' in found) {
    const { why, nearest } = found;
    return { equals: null, nearest: nearest ? { plan: nearest as EnvelopePlan, differs: why } : null };
  }
  const { equals, scope } = found.plan;
  return { equals: equals ? { plan: equals as EnvelopePlan, sentence: scope.sentence } : null, nearest: null };
}
