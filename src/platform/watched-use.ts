// Health of a component from its last use, or from a probe if it wasn't used recently.
export interface HealthState {
  status: 'ok' | 'failing';
  detail?: string;
}

export class WatchedUse {
  readonly #probe: () => Promise<void>;
  readonly #given: { believedMs: number; heldMs: number; detail: string };
  #succeededAt = -Infinity;
  #failedAt = -Infinity;

  /** A use counts for `believedMs`. A failed use counts as failing for `heldMs` regardless of probes, because a probe
   *  doesn't test what failed. */
  constructor(probe: () => Promise<void>, given: { believedMs: number; heldMs: number; detail: string }) {
    this.#probe = probe;
    this.#given = given;
  }

  ok(): void {
    this.#succeededAt = performance.now();
  }
  failed(): void {
    this.#failedAt = performance.now();
  }

  async state(): Promise<HealthState> {
    const { believedMs, heldMs, detail } = this.#given;
    const failing: HealthState = { status: 'failing', detail };
    const lastFailed = this.#failedAt > this.#succeededAt;
    if (lastFailed && performance.now() - this.#failedAt < heldMs) return failing;
    if (!lastFailed && performance.now() - this.#succeededAt < believedMs) return { status: 'ok' };
    try {
      await this.#probe();
      return { status: 'ok' };
    } catch {
      return failing;
    }
  }
}
