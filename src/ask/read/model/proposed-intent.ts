// What a model takes a question for: an intent over the lens's own names, which is then checked like anybody's.
import { z } from 'zod';
import { type MetricsBody, metricsBody } from '../../../contract/ask.ts';
import type { Intent } from '../../../lens/intent.ts';
import { intentFromMetricsBody } from '../../../lens/intent-from-metrics.ts';
import { Problem } from '../../../platform/problem.ts';
import type { Models } from '../../ask-deps.ts';
import type { Journal } from '../../journal.ts';
import type { GrantedLens } from '../../outcome.ts';
import type { AskedQuestion } from '../plan-question.ts';
import type { ProbeLimits } from '../probe-values.ts';
import { framedQuestion, type ModelContext, systemPrompt } from './shown.ts';

const DECISION_MS = 5_000;

const decision = z.object({
  answerable: z.boolean(),
  intent: metricsBody.omit({ format: true, choices: true, dry_run: true, receipt: true }).nullable(),
});
const DECISION_SCHEMA = z.toJSONSchema(decision, { unrepresentable: 'any' }) as Record<string, unknown>;

/** Null when the model is away, or proposes what the lens does not hold. */
export async function proposedIntent(
  models: Models,
  journal: Journal,
  granted: GrantedLens,
  asked: AskedQuestion,
  context: ModelContext,
  limits: ProbeLimits,
): Promise<Intent | 'unanswerable' | null> {
  const decided = await models.decisions.decide(
    {
      system: systemPrompt(context),
      user: `Map the question to a structured intent. Set answerable to false when the lens cannot answer every part of it.\n${framedQuestion(asked)}`,
      schemaName: 'decision',
      schema: DECISION_SCHEMA,
      deadlineMs: DECISION_MS,
      signal: limits.signal,
    },
    (value) => decision.safeParse(value).data ?? null,
    journal.modelCalls,
  );
  if (decided === null) return null;
  if (!decided.answerable) return 'unanswerable';
  if (!decided.intent) return null;
  try {
    return intentFromMetricsBody(granted.lens, decided.intent as MetricsBody, limits.now);
  } catch (fault) {
    if (fault instanceof Problem && fault.code === 'invalid') return null;
    throw fault;
  }
}
