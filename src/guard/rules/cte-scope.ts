import type { OutputColumn } from './name-scope.ts';

interface KnownTable {
  columns: OutputColumn[];
  /** The number of tables that each use of the CTE reads. */
  reads: number;
}

/**
 * The CTEs that are visible at one place. Inner CTEs hide outer CTEs with the same name, and entries never change
 * (G11).
 */
export class CteScope {
  readonly #names: ReadonlyMap<string, KnownTable>;
  constructor(names: ReadonlyMap<string, KnownTable> = new Map()) {
    this.#names = names;
  }
  withTable(name: string, columns: OutputColumn[], reads = 1): CteScope {
    return new CteScope(new Map([...this.#names, [name, { columns, reads }]]));
  }
  find(name: string): KnownTable | undefined {
    return this.#names.get(name);
  }
}
