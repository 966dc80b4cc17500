// Compiles a model's plan. svc validates the plan and proves its values, as for any caller's plan.
import { bindPlan } from '../../../plan/bind/bind-plan.ts';
import { Problem } from '../../../platform/problem.ts';
import { type CompiledPlan, type EarlyEnd, isEarlyEnd } from '../../outcome.ts';
import { resolvePlan } from '../plan-question.ts';
import type { ModelRequest } from './decide.ts';
import type { ModelDecision } from './decision.ts';
import { reasonOf } from './write-sql.ts';

/** A model's plan can use words from any turn of the conversation. */
export const turnsOf = ({ asked: { question, context = [] } }: Pick<ModelRequest, 'asked'>): string[] => [
  ...context,
  question,
];

const READ_BY_MODEL_WARNING =
  'A language model interpreted this question, because the words of the lens do not cover all of it. Check that the scope is what you meant.';

/** Returns the reason if svc refuses the plan, and null if the decision isn't a plan. */
export async function compileDecision(
  { grantedLens, asked, limits }: ModelRequest,
  decision: ModelDecision,
): Promise<CompiledPlan | EarlyEnd | string | null> {
  if (decision.kind === 'malformed') return decision.reason;
  if (decision.kind !== 'plan') return null;
  try {
    const lensPlan = bindPlan(grantedLens.lens, decision.body, limits.now);
    const plan = await resolvePlan(grantedLens, lensPlan, asked.choices, limits);
    if (isEarlyEnd(plan)) return plan;
    return {
      ...plan,
      readingOrigin: { by: 'model', asked: null },
      warnings: [...plan.warnings, READ_BY_MODEL_WARNING],
    };
  } catch (fault) {
    if (fault instanceof Problem && REFUSAL_CODES.has(fault.code)) return reasonOf(fault);
    throw fault;
  }
}

const REFUSAL_CODES = new Set(['invalid', 'fan_out', 'not_found', 'guard_refused']);
