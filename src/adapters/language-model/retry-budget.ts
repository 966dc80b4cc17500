// Retries may add a tenth to the calls, so that they don't burden an endpoint in trouble (SECURITY F08).
const SHARE = 0.1;
const AT_MOST = 5;

export class RetryBudget {
  #tokens = AT_MOST;

  called(): void {
    this.#tokens = Math.min(AT_MOST, this.#tokens + SHARE);
  }

  /** Takes one retry from the budget, if there is one. */
  take(): boolean {
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
