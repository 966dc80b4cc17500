// Common table expressions: what WITH makes visible, and what each use of it costs.
import type { Analysis } from './analysis.ts';
import { makeSource, type OutputColumn, renameColumns, type Source } from './name-scope.ts';

interface CommonTable {
  columns: OutputColumn[];
  /** Tables read when it is put in where it is named. */
  reads: number;
}

/** Common table expressions visible at one place; inner ones hide outer ones, the past is never changed (G11). */
export class CteScope {
  readonly #names: ReadonlyMap<string, CommonTable>;
  constructor(names: ReadonlyMap<string, CommonTable> = new Map()) {
    this.#names = names;
  }
  with(name: string, columns: OutputColumn[], reads = 1): CteScope {
    return new CteScope(new Map([...this.#names, [name, { columns, reads }]]));
  }
  find(name: string): CommonTable | undefined {
    return this.#names.get(name);
  }
}

/** Reads the query of one entry of WITH; what follows sees its columns, and pays for its tables at each use. */
export function withCommonTable(
  { size }: Analysis,
  ctes: CteScope,
  name: string,
  renamed: string[],
  read: () => OutputColumn[],
): CteScope {
  size.commonTable();
  const before = size.reads;
  const columns = read();
  return ctes.with(name, renameColumns(columns, renamed), Math.max(1, size.reads - before));
}

/** Without a condition in the recursive part the recursion has no end of its own (G15). */
export function refuseEndless({ faults }: Analysis, name: string): void {
  faults.add('endless', `The recursion in ${name} has no WHERE that ends it.`);
}

/** The entry of WITH that a bare table name stands for, if any. */
export function commonTable({ size }: Analysis, ctes: CteScope, name: string, alias: string): Source | null {
  const cte = ctes.find(name);
  if (!cte) return null;
  size.read(cte.reads);
  return makeSource(alias, cte.columns);
}
