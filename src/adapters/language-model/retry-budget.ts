// Retries may add a tenth to the calls made, no more: an endpoint in trouble is not hit harder for it (SECURITY F08).
const SHARE = 0.1;
const AT_MOST = 5;

export class RetryBudget {
  #tokens = AT_MOST;

  called(): void {
    this.#tokens = Math.min(AT_MOST, this.#tokens + SHARE);
  }

  /** Whether one more retry may be made; takes it. */
  take(): boolean {
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
