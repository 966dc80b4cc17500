// State of typed decisions (SPEC "States and transitions"): off, ok, or degraded(<reason>) after three failures in a row.
// While degraded a model is tried at most every five seconds; the first success ends it.
import type { LanguageModel, ModelUsage } from '../domain/ports.ts';
import { Problem } from '../platform/problem.ts';

const FAILURES = 3; // contract: Readiness
const RETRY_MS = 5_000;

export class TypedDecisions {
  readonly #model: LanguageModel | null;
  #failuresInARow = 0;
  #reason: string | null = null;
  #triedAt = 0;

  constructor(model: LanguageModel | null) {
    this.#model = model;
  }

  get status(): string {
    if (!this.#model) return 'off';
    return this.#reason === null ? 'ok' : `degraded(${this.#reason})`;
  }

  /** Null when off or, while degraded, not due for another try: the ask goes on without a model. */
  async decide(request: Parameters<LanguageModel['decide']>[0], usage: ModelUsage[]): Promise<unknown | null> {
    if (!this.#model || (this.#reason !== null && Date.now() - this.#triedAt < RETRY_MS)) return null;
    this.#triedAt = Date.now();
    try {
      const decided = await this.#model.decide(request);
      usage.push(decided.usage);
      this.#failuresInARow = 0;
      this.#reason = null;
      return decided.value;
    } catch (fault) {
      // The caller going away says nothing about the provider.
      if (request.signal?.aborted) throw fault;
      const reason = fault instanceof Problem ? fault.code : 'internal';
      usage.push({
        entry: 'fast',
        model: this.#model.model,
        tokensIn: 0,
        tokensOut: 0,
        cost: null,
        ms: Date.now() - this.#triedAt,
        outcome: reason,
      });
      this.#failuresInARow += 1;
      if (this.#failuresInARow >= FAILURES) this.#reason = reason;
      return null;
    }
  }
}
