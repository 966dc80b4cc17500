// Adds optional parts to an envelope after the trace, which stores the answer without them.
import { type Envelope, metricsBody } from '../../contract/ask.ts';
import { bindPlan } from '../../plan/bind/bind-plan.ts';
import { compilePlan } from '../../plan/sql/compile-plan.ts';
import { type Plan, writePlan } from '../../plan/write-plan.ts';
import { Problem } from '../../platform/problem.ts';
import type { CompiledPlan, FetchedRows } from '../outcome.ts';
import { FETCH_CAP } from '../run/fetch-rows.ts';
import { chooseChart } from './chart/choose-chart.ts';

export interface OptionalMembers {
  chart?: boolean | undefined;
  plan?: boolean | undefined;
}

export function optionalMembers(
  { chart }: OptionalMembers = {},
  fetchedRows: FetchedRows,
  { data, truncated }: Pick<Envelope, 'data' | 'truncated'>,
): Pick<Envelope, 'chart'> {
  return chart ? { chart: chooseChart(fetchedRows, { rows: data ?? [], truncated }) } : {};
}

/** Adds the compiled plan on request, unless the form of the plan in the response compiles to another statement. */
export async function resolveRequestedPlan(
  { plan: includePlan }: OptionalMembers = {},
  compiledPlan: CompiledPlan | null,
  now: Date,
): Promise<Pick<Envelope, 'plan'> | Record<never, never>> {
  if (!includePlan || !compiledPlan) return {};
  const plan = writePlan(compiledPlan.lensPlan);
  if (!(await compilesToSameStatement(plan, compiledPlan, now))) return {};
  return { plan: compiledPlan.answers ? { ...plan, answers: compiledPlan.answers } : plan };
}

async function compilesToSameStatement(
  plan: Plan,
  { grantedLens: { lens, caller }, compiledQuery }: CompiledPlan,
  now: Date,
): Promise<boolean> {
  const { data: body } = metricsBody.safeParse(plan);
  if (!body) return false;
  try {
    const lensPlan = bindPlan(lens, body, now);
    return (await compilePlan(lens, lensPlan, caller, { maxRows: FETCH_CAP })).sql === compiledQuery.sql;
  } catch (fault) {
    if (fault instanceof Problem) return false;
    throw fault;
  }
}
