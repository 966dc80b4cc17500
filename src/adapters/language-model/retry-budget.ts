// Limits retries to a tenth of the calls, because more retries could overload an endpoint that already fails.
const RETRY_SHARE = 0.1;
const MAX_BUDGET = 5;

export class RetryBudget {
  #tokens = MAX_BUDGET;

  recordCall(): void {
    this.#tokens = Math.min(MAX_BUDGET, this.#tokens + RETRY_SHARE);
  }

  /** Takes a retry from the budget. False if the budget is empty. */
  tryTake(): boolean {
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
