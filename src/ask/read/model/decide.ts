// Asks the fast entry how a question is to be answered.
import type { Models } from '../../ask-deps.ts';
import type { Journal } from '../../journal.ts';
import type { GrantedLens } from '../../outcome.ts';
import type { AskedQuestion } from '../plan-question.ts';
import type { ProbeLimits } from '../values/probe-values.ts';
import { DECISION_SCHEMA, type Decided, decisionOf } from './decision.ts';
import { framed, framedQuestion, type ModelContext, systemPrompt } from './shown.ts';

/** One question before a model: who is asked, what it is shown, and where its calls are written down. */
export interface ModelReader {
  models: Models;
  journal: Journal;
  granted: GrantedLens;
  asked: AskedQuestion;
  context: ModelContext;
  limits: ProbeLimits;
}

/** Null: the model is away, or said nothing that is a decision. `refusal`: what came of its last one. */
export function decide(reader: ModelReader, refusal: string | null = null): Promise<Decided | null> {
  const { models, journal, asked, context, limits } = reader;
  return models.decisions.decide(
    {
      ...decisionPrompt(context, asked, refusal),
      schemaName: 'decision',
      schema: DECISION_SCHEMA,
      deadlineMs: models.timeoutMs('fast'),
      signal: limits.signal,
    },
    decisionOf,
    journal.modelCalls,
  );
}

export const decisionPrompt = (context: ModelContext, asked: AskedQuestion, refusal: string | null = null) => ({
  system: systemPrompt(context),
  user: `Decide how the question is answered.${refused(refusal)}\n${framedQuestion(asked)}`,
});

/** Said back to a model beside the question, so that the next try is another one. */
export const refused = (refusal: string | null): string =>
  refusal === null ? '' : ` The last try was refused:\n${framed('refusal', refusal)}`;
