// Whether something works, as its last use told, and as a probe tells where it was not used lately.
export interface Watched {
  status: 'ok' | 'failing';
  detail?: string;
}

export class WatchedUse {
  readonly #probe: () => Promise<void>;
  readonly #given: { believedMs: number; heldMs: number; detail: string };
  #succeededAt = -Infinity;
  #failedAt = -Infinity;

  /** A use is believed for `believedMs`. A use that failed is held against it for `heldMs`, whatever a probe says: a
   *  probe is not the very thing that failed. */
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

  async state(): Promise<Watched> {
    const { believedMs, heldMs, detail } = this.#given;
    const failing: Watched = { status: 'failing', detail };
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
