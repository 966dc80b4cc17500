// The failure of a language model call, with the token usage: the trace must show the cost of failed attempts.
import type { ProblemCode } from '../contract/problem-codes.ts';
import { Problem, type ProblemOptions } from '../platform/problem.ts';
import type { LanguageModel, ModelUsage } from './ports.ts';

export class ModelFault extends Problem {
  readonly usage: ModelUsage;

  constructor(code: ProblemCode, message: string, usage: ModelUsage, options: ProblemOptions = {}) {
    super(code, message, options);
    this.usage = usage;
  }
}

/** Unusable output doesn't mean that the endpoint is down. */
export const isUnusableOutcome = (outcome: string): boolean =>
  ['truncated', 'invalid_json', 'unusable'].includes(outcome);

/** The trace entry for a model call that svc skipped because the model failed recently. */
export const createSkippedCallUsage = ({ entry, model }: Pick<LanguageModel, 'entry' | 'model'>): ModelUsage => ({
  ...{ entry, model, tokensIn: 0, tokensOut: 0, cost: null, ms: 0, outcome: 'resting' },
});

export function createFailedCallUsage(
  model: Pick<LanguageModel, 'entry' | 'model'>,
  fault: unknown,
  ms: number,
): ModelUsage {
  if (fault instanceof ModelFault) return fault.usage;
  const outcome = fault instanceof Problem ? fault.code : 'internal';
  return { entry: model.entry, model: model.model, tokensIn: 0, tokensOut: 0, cost: null, ms: Math.round(ms), outcome };
}
