// A semaphore with a limit per tenant, for resources that are held across several steps.
interface Waiting {
  tenant: string;
  enter: () => void;
}

export class Semaphore {
  readonly #places: number;
  readonly #perTenant: number;
  readonly #inside = new Map<string, number>();
  readonly #waiting: Waiting[] = [];

  constructor(places: number, perTenant = places) {
    this.#places = places;
    this.#perTenant = perTenant;
  }

  /** Waiting ends without a place if the signal aborts. */
  async enter(signal?: AbortSignal, tenant = ''): Promise<() => void> {
    if (this.#mayEnter(tenant)) this.#count(tenant, 1);
    else await this.#wait(tenant, signal);
    let inside = true;
    return () => {
      if (inside) this.#leave(tenant);
      inside = false;
    };
  }

  #mayEnter(tenant: string): boolean {
    const all = [...this.#inside.values()].reduce((sum, count) => sum + count, 0);
    return all < this.#places && (this.#inside.get(tenant) ?? 0) < this.#perTenant;
  }

  #count(tenant: string, by: 1 | -1): void {
    const count = (this.#inside.get(tenant) ?? 0) + by;
    if (count > 0) this.#inside.set(tenant, count);
    else this.#inside.delete(tenant);
  }

  #wait(tenant: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        const at = this.#waiting.findIndex((one) => one.enter === enter);
        if (at !== -1) this.#waiting.splice(at, 1);
        reject(signal?.reason);
      };
      if (signal?.aborted) return giveUp();
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push({ tenant, enter });
    });
  }

  #leave(tenant: string): void {
    this.#count(tenant, -1);
    const at = this.#waiting.findIndex((one) => this.#mayEnter(one.tenant));
    if (at === -1) return;
    const [next] = this.#waiting.splice(at, 1);
    this.#count(next!.tenant, 1);
    next!.enter();
  }
}

/** One place at a semaphore for one piece of work: taken at most once, released when the work ends. */
export class Permit {
  readonly #semaphore: Semaphore;
  readonly #tenant: string;
  #leave: (() => void) | undefined;
  #over = false;

  constructor(semaphore: Semaphore, tenant: string) {
    this.#semaphore = semaphore;
    this.#tenant = tenant;
  }

  /** If the work was cancelled while it waited, the place is released immediately. */
  async take(signal: AbortSignal): Promise<void> {
    if (this.#leave) return;
    this.#leave = await this.#semaphore.enter(signal, this.#tenant);
    if (this.#over) this.#leave();
  }

  leave(): void {
    this.#over = true;
    this.#leave?.();
  }
}
