import type { OutputColumn } from './name-scope.ts';

interface VisibleCte {
  columns: OutputColumn[];
  /** The number of tables that each use of the CTE reads. */
  readCount: number;
}

/**
 * The CTEs that are visible at one place. Inner CTEs hide outer CTEs with the same name, and entries never change
 * (G11).
 */
export class CteScope {
  readonly #names: ReadonlyMap<string, VisibleCte>;
  constructor(names: ReadonlyMap<string, VisibleCte> = new Map()) {
    this.#names = names;
  }
  withTable(name: string, columns: OutputColumn[], reads = 1): CteScope {
    return new CteScope(new Map([...this.#names, [name, { columns, readCount: reads }]]));
  }
  find(name: string): VisibleCte | undefined {
    return this.#names.get(name);
  }
}
