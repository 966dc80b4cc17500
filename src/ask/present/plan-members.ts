// The members of an envelope that contain a plan: the plan of the answer, and the equivalent or most similar plan of a
// statement.
import { type Envelope, metricsBodySchema } from '../../contract/ask.ts';
import { bindPlan } from '../../plan/bind/bind-plan.ts';
import { compilePlan } from '../../plan/sql/compile-plan.ts';
import { type RequestPlan, writePlan } from '../../plan/write-plan.ts';
import { Problem } from '../../platform/problem.ts';
import type { CompiledPlan, Plan } from '../outcome.ts';
import type { EqualPlan } from '../prove/lift/equal-plan.ts';
import type { NoEqualPlan } from '../prove/lift/lift-statement.ts';
import { MAX_FETCHED_ROWS } from '../run/fetch-rows.ts';

/** Leaves out the plan if the request form of the plan compiles to a different statement. */
export async function resolveRequestedPlan(
  compiledPlan: CompiledPlan | null,
  now: Date,
): Promise<Pick<Envelope, 'plan'> | Record<never, never>> {
  if (!compiledPlan) return {};
  const plan = writePlan(compiledPlan.lensPlan);
  if (!(await compilesToSameStatement(plan, compiledPlan, now))) return {};
  return { plan: compiledPlan.answers ? { ...plan, answers: compiledPlan.answers } : plan };
}

async function compilesToSameStatement(
  plan: RequestPlan,
  { grantedLens: { lens, caller }, compiledQuery }: CompiledPlan,
  now: Date,
): Promise<boolean> {
  const { data: body } = metricsBodySchema.safeParse(plan);
  if (!body) return false;
  try {
    const lensPlan = bindPlan(lens, body, now);
    return (await compilePlan(lens, lensPlan, caller, { maxRows: MAX_FETCHED_ROWS })).sql === compiledQuery.sql;
  } catch (fault) {
    if (fault instanceof Problem) return false;
    throw fault;
  }
}

type PlanComparison = Pick<Envelope, 'equals' | 'nearest'>;
type EnvelopePlan = NonNullable<NonNullable<PlanComparison['equals']>['plan']>;

/** Returns an empty object unless a caller or a model wrote the statement. */
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
