/** mulberry32: random numbers from 0 to 1, determined by the seed. */
export const createRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
};

/** Random choices, determined by the seed. */
export class SeededChoices {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = createRandom(seed);
  }

  protected below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
  protected chance(share: number): boolean {
    return this.#random() < share;
  }
  protected pick<T>(all: readonly T[]): T {
    return all[this.below(all.length)]!;
  }
  protected some<T>(minCount: number, maxCount: number, make: () => T): T[] {
    return Array.from({ length: minCount + this.below(maxCount - minCount + 1) }, make);
  }
}
