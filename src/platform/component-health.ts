// The health of a component, from its last use or, if that is too old, from a probe.
export interface HealthState {
  status: 'ok' | 'failing';
  detail?: string;
}

export class ComponentHealth {
  readonly #probe: () => Promise<void>;
  readonly #options: { validMs: number; failingMs: number; detail: string };
  #succeededAt = -Infinity;
  #failedAt = -Infinity;

  /**
   * For `validMs` after a successful use, the component is ok without a probe. For `failingMs` after a failed use, the
   * component is failing without a probe, because a probe might test something else.
   */
  constructor(probe: () => Promise<void>, options: { validMs: number; failingMs: number; detail: string }) {
    this.#probe = probe;
    this.#options = options;
  }

  recordSuccess(): void {
    this.#succeededAt = performance.now();
  }
  recordFailure(): void {
    this.#failedAt = performance.now();
  }

  async readState(): Promise<HealthState> {
    const { validMs, failingMs, detail } = this.#options;
    const failingState: HealthState = { status: 'failing', detail };
    const lastFailed = this.#failedAt > this.#succeededAt;
    if (lastFailed && performance.now() - this.#failedAt < failingMs) return failingState;
    if (!lastFailed && performance.now() - this.#succeededAt < validMs) return { status: 'ok' };
    try {
      await this.#probe();
      return { status: 'ok' };
    } catch {
      return failingState;
    }
  }
}
