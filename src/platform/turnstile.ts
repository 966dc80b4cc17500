// So many inside at once, whoever comes first; for what is held across several steps.
export class Turnstile {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** Whoever stops waiting, by the signal, gets no place and takes none. */
  async enter(signal?: AbortSignal): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    let inside = true;
    return () => {
      if (inside) this.#leave();
      inside = false;
    };
  }

  #wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        const at = this.#waiting.indexOf(enter);
        if (at !== -1) this.#waiting.splice(at, 1);
        reject(signal?.reason);
      };
      if (signal?.aborted) return giveUp();
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(enter);
    });
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}

/** One place at a turnstile for as long as a piece of work lasts: taken at most once, left when the work is over. */
export class Place {
  readonly #turnstile: Turnstile;
  #leave: (() => void) | undefined;
  #over = false;

  constructor(turnstile: Turnstile) {
    this.#turnstile = turnstile;
  }

  /** Comes too late, when the work was given up meanwhile: the place is left at once. */
  async take(signal: AbortSignal): Promise<void> {
    if (this.#leave) return;
    this.#leave = await this.#turnstile.enter(signal);
    if (this.#over) this.#leave();
  }

  leave(): void {
    this.#over = true;
    this.#leave?.();
  }
}
