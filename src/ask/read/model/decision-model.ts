// The state of typed decisions: off, ok, or degraded(<reason>) after three failures in a row. While degraded, svc tries
// the model at most every five seconds. The first success ends the state. Only errors of the provider count: transport,
// status and timeout. An unusable reply isn't a failure, because the model answered.
import { createFailedCallUsage, createSkippedCallUsage, isUnusableOutcome } from '../../../domain/model-fault.ts';
import type { LanguageModel, ModelUsage } from '../../../domain/ports.ts';

const MAX_FAILURES = 3;
const RETRY_INTERVAL_MS = 5_000;
const PROBE_TIMEOUT_MS = 5_000;

type DecisionRequest = Parameters<LanguageModel['decide']>[0];

export class DecisionModel {
  readonly #model: LanguageModel | null;
  #failuresInARow = 0;
  #reason: string | null = null;
  #triedAt = -Infinity;

  constructor(model: LanguageModel | null) {
    this.#model = model;
  }

  get status(): string {
    if (!this.#model) return 'off';
    return this.#reason === null ? 'ok' : `degraded(${this.#reason})`;
  }

  /**
   * Returns null if the model is off, fails, is degraded and not due for another try, or gives a reply that `accept`
   * rejects. The ask then continues without a model.
   */
  async decide<T>(
    request: DecisionRequest,
    accept: (value: unknown) => T | null,
    usage: ModelUsage[],
  ): Promise<T | null> {
    if (!this.#model) return null;
    if (this.#reason !== null && performance.now() - this.#triedAt < RETRY_INTERVAL_MS) {
      usage.push(createSkippedCallUsage(this.#model));
      return null;
    }
    this.#triedAt = performance.now();
    try {
      const reply = await this.#model.decide(request);
      const acceptedValue = accept(reply.value);
      usage.push(acceptedValue === null ? { ...reply.usage, outcome: 'unusable' } : reply.usage);
      this.#recordSuccess();
      return acceptedValue;
    } catch (fault) {
      const call = createFailedCallUsage(this.#model, fault, performance.now() - this.#triedAt);
      // A request that its caller cancels isn't a failure of the provider.
      if (request.signal?.aborted) {
        usage.push({ ...call, outcome: 'cancelled' });
        throw fault;
      }
      usage.push(call);
      if (isUnusableOutcome(call.outcome)) this.#recordSuccess();
      else this.#recordFailure(call.outcome);
      return null;
    }
  }

  /**
   * Sends a small request while degraded. Without this request the state would never end, because a server that isn't
   * ready receives no asks.
   */
  probeIfDegraded(): void {
    if (this.#reason === null) return;
    const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
    const request = {
      system: 'Answer {"ok": true}.',
      user: 'ok?',
      schemaName: 'probe',
      schema,
      deadlineMs: PROBE_TIMEOUT_MS,
    };
    const acceptObject = (value: unknown) => (typeof value === 'object' && value !== null ? value : null);
    void this.decide(request, acceptObject, []);
  }

  #recordSuccess(): void {
    this.#failuresInARow = 0;
    this.#reason = null;
  }

  #recordFailure(reason: string): void {
    this.#failuresInARow += 1;
    if (this.#failuresInARow >= MAX_FAILURES) this.#reason = reason;
  }
}
