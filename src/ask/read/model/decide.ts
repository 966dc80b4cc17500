// Lets the fast model decide how to answer a question.
import type { Models } from '../../ask-deps.ts';
import type { Journal } from '../../journal.ts';
import type { GrantedLens } from '../../outcome.ts';
import type { AskedQuestion } from '../plan-question.ts';
import type { ProbeLimits } from '../values/probe-values.ts';
import { DECISION_SCHEMA, type ModelDecision, parseDecision } from './decision.ts';
import { frameQuestion, type ModelContext, systemPrompt, wrapInTags } from './model-context.ts';

/** A request that a model interpret one question: the models, their input, and the journal of their calls. */
export interface ModelRequest {
  models: Models;
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
export function decide(modelRequest: ModelRequest, refusal: string | null = null): Promise<ModelDecision | null> {
  const { models, journal, asked, context, limits } = modelRequest;
  return models.decisions.decide(
    {
      ...decisionPrompt(context, asked, refusal),
      schemaName: 'decision',
      schema: DECISION_SCHEMA,
      deadlineMs: models.timeoutMs('fast'),
      signal: limits.signal,
    },
    parseDecision,
    journal.modelCalls,
  );
}

export const decisionPrompt = (context: ModelContext, askedQuestion: AskedQuestion, refusal: string | null = null) => ({
  system: systemPrompt(context),
  user: `Decide how to answer the question.${refusalText(refusal)}\n${frameQuestion(askedQuestion)}`,
});

/** Text for the model's next attempt: why svc refused the previous decision. */
export const refusalText = (refusal: string | null): string =>
  refusal === null ? '' : ` svc refused the last attempt:\n${wrapInTags('refusal', refusal)}`;
