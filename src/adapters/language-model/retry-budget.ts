// Retries may add a tenth to the calls, so that they don't burden an endpoint in trouble (SECURITY F08).
const SHARE = 0.1;
const MAX_BUDGET = 5;

export class RetryBudget {
  #tokens = MAX_BUDGET;

  called(): void {
    this.#tokens = Math.min(MAX_BUDGET, this.#tokens + SHARE);
  }

  /** Takes one retry from the budget, if there is one. */
  take(): boolean {
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
