import type { OutputColumn } from './name-scope.ts';

interface Known {
  columns: OutputColumn[];
  /** Number of tables that each use reads. */
  reads: number;
}

/** The CTEs that are visible at one place. Inner ones hide outer ones, and entries never change (G11). */
export class CteScope {
  readonly #names: ReadonlyMap<string, Known>;
  constructor(names: ReadonlyMap<string, Known> = new Map()) {
    this.#names = names;
  }
  with(name: string, columns: OutputColumn[], reads = 1): CteScope {
    return new CteScope(new Map([...this.#names, [name, { columns, reads }]]));
  }
  find(name: string): Known | undefined {
    return this.#names.get(name);
  }
}
