// Pauses a model for five seconds after three failures in a row, so that asks don't wait for a model that fails.
import { createSkippedCallUsage, isUnusableOutcome, ModelFault } from '../../domain/model-fault.ts';
import type { LanguageModel } from '../../domain/ports.ts';

const MAX_FAILURES = 3;
const FAILURE_PAUSE_MS = 5_000;

const isModelFailure = (fault: unknown): boolean =>
  fault instanceof ModelFault && isUnusableOutcome(fault.usage.outcome);

export function withFailurePause(model: LanguageModel): LanguageModel {
  let failures = 0;
  let pausedUntil = 0;
  async function callUnlessPaused<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    if (performance.now() < pausedUntil)
      throw new ModelFault('unreachable', 'The language model did not answer.', createSkippedCallUsage(model));
    try {
      const answer = await work();
      failures = 0;
      return answer;
    } catch (fault) {
      if (!signal?.aborted && !isModelFailure(fault) && ++failures >= MAX_FAILURES)
        pausedUntil = performance.now() + FAILURE_PAUSE_MS;
      throw fault;
    }
  }
  return {
    entry: model.entry,
    provider: model.provider,
    model: model.model,
    decide: (request) => callUnlessPaused(request.signal, () => model.decide(request)),
    write: (request) => callUnlessPaused(request.signal, () => model.write(request)),
  };
}
