// Lets the fast model decide how to answer a question, and compiles the model's plan. svc validates the plan and proves
// its values, as for any caller's plan.
import { bindPlan } from '../../../plan/bind/bind-plan.ts';
import { Problem } from '../../../platform/problem.ts';
import type { AskModels } from '../../ask-deps.ts';
import type { Journal } from '../../journal.ts';
import { type CompiledPlan, type EarlyEnd, type GrantedLens, isEarlyEnd } from '../../outcome.ts';
import { type AskedQuestion, resolvePlan } from '../plan-question.ts';
import type { ProbeLimits } from '../values/probe-values.ts';
import { DECISION_JSON_SCHEMA, type ModelDecision, parseDecision } from './decision.ts';
import { buildSystemPrompt, type ModelContext, markAsUntrusted, writeQuestionWithContext } from './model-context.ts';

/** A request to interpret one question with a model: the models, their input, and the journal of their calls. */
export interface ModelRequest {
  models: AskModels;
  journal: Journal;
  grantedLens: GrantedLens;
  asked: AskedQuestion;
  context: ModelContext;
  limits: ProbeLimits;
}

/**
 * Null if the model is unavailable or its reply isn't a decision. `refusal` is the reason why svc refused the model's
 * last decision.
 */
export function requestDecision(
  modelRequest: ModelRequest,
  refusal: string | null = null,
): Promise<ModelDecision | null> {
  const { models, journal, asked, context, limits } = modelRequest;
  return models.decisions.decide(
    {
      ...buildDecisionPrompt(context, asked, refusal),
      schemaName: 'decision',
      schema: DECISION_JSON_SCHEMA,
      deadlineMs: models.timeoutMs('fast'),
      signal: limits.signal,
    },
    parseDecision,
    journal.modelCalls,
  );
}

export const buildDecisionPrompt = (
  context: ModelContext,
  askedQuestion: AskedQuestion,
  refusal: string | null = null,
) => ({
  system: buildSystemPrompt(context),
  user: `Decide how to answer the question.${describeRefusal(refusal)}\n${writeQuestionWithContext(askedQuestion)}`,
});

/** Text for the model's next attempt, with the reason why svc refused the previous decision. */
export const describeRefusal = (refusal: string | null): string =>
  refusal === null ? '' : ` svc refused the last attempt:\n${markAsUntrusted('refusal', refusal)}`;

/** A model's plan can use words from any turn of the conversation. */
export const listTurns = ({ asked: { question, context = [] } }: Pick<ModelRequest, 'asked'>): string[] => [
  ...context,
  question,
];

const READ_BY_MODEL_WARNING =
  'A language model interpreted this question, because the words of the lens do not cover all of it. Check that the scope is what you meant.';

/**
 * Compiles the plan in the decision. Returns the reason if svc refuses the plan, and null if the decision isn't a plan.
 */
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
    if (fault instanceof Problem && REFUSAL_CODES.has(fault.code)) return findRefusalReason(fault);
    throw fault;
  }
}

const REFUSAL_CODES = new Set(['invalid', 'fan_out', 'not_found', 'guard_refused']);

/**
 * Includes the engine's message about a statement that hasn't run, because such a message can contain only names and
 * types.
 */
export const findRefusalReason = (fault: Problem): string =>
  fault.details.map(({ message }) => message).join('\n') ||
  [fault.message, fault.code === 'upstream' ? fault.detail : ''].filter(Boolean).join(' ');
