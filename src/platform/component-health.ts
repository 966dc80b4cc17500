export interface HealthState {
  status: 'ok' | 'failing';
  detail?: string;
}

export class ComponentHealth {
  readonly #probe: () => Promise<void>;
  readonly #options: { validMs: number; failingMs: number; detail: string };
  #succeededAt = -Infinity;
  #failedAt = -Infinity;

  /** For `validMs` after a success and `failingMs` after a failure, svc reports that result without a probe. */
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
    const isFailing = this.#failedAt > this.#succeededAt;
    if (isFailing && performance.now() - this.#failedAt < failingMs) return failingState;
    if (!isFailing && performance.now() - this.#succeededAt < validMs) return { status: 'ok' };
    try {
      await this.#probe();
      return { status: 'ok' };
    } catch {
      return failingState;
    }
  }
}
