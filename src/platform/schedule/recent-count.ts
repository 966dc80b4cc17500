// Approximate number of events in the last `windowMs`, from two counters.
export class RecentCount {
  readonly #windowMs: number;
  #began = performance.now();
  #before = 0;
  #now = 0;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  add(): void {
    this.#turn();
    this.#now++;
  }

  get value(): number {
    this.#turn();
    return Math.max(this.#before, this.#now);
  }

  #turn(): void {
    const windows = Math.floor((performance.now() - this.#began) / this.#windowMs);
    if (windows === 0) return;
    this.#before = windows === 1 ? this.#now : 0;
    this.#now = 0;
    this.#began += windows * this.#windowMs;
  }
}
