// The names of WITH at one place.
import type { OutputColumn } from './name-scope.ts';

interface Known {
  columns: OutputColumn[];
  /** Tables read when it is put in where it is named. */
  reads: number;
}

/** Common table expressions visible at one place; inner ones hide outer ones, the past is never changed (G11). */
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
