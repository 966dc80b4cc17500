// What a name means at one place of a statement: the sources of one FROM, the output names of its SELECT, its outside.
import type { Expression } from '../../dialects/tree.ts';
import type { GovernedRelation } from '../guarded-sql.ts';

export interface OutputColumn {
  name: string;
  /** `dataset.field` when the values are hidden. */
  masked: string | null;
  /** Nodes of the expression that it represents; 1 unless known. */
  size?: number;
}

export interface Source {
  alias: string;
  /** The table's own schema when it may be named `schema.table.column`, that is when it has no alias. */
  schema: string | null;
  columns: OutputColumn[];
  /** Unnamed expressions among the columns: names that no identifier rule explains are let through (DuckDB). */
  open: boolean;
  relation: GovernedRelation | null;
  /** Conditions that may stand beneath its policies too. */
  lookups: Expression[];
  /** `renamed`: its columns are reached by their order. */
  uses: { raw: boolean; star: boolean; natural: boolean; renamed: boolean };
  /** For each name that a column which the lens does not list could come to take: how to write it so that none can; null
   *  where that is not known. */
  taken: (Settle | null)[];
}
export type Settle = () => void;

export const makeSource = (alias: string, columns: OutputColumn[], more: Partial<Source> = {}): Source => ({
  alias,
  columns,
  schema: null,
  open: false,
  relation: null,
  lookups: [],
  uses: { raw: false, star: false, natural: false, renamed: false },
  taken: [],
  ...more,
});

export class NameScope {
  readonly parent: NameScope | null;
  sources: Source[] = [];
  outputs: OutputColumn[] = [];
  /** What USING and NATURAL made one column of two, which no table's name stands before. */
  readonly merged = new Set<string>();
  /** Names bound by an enclosing lambda. */
  locals: ReadonlySet<string> = new Set();

  constructor(parent: NameScope | null) {
    this.parent = parent;
  }

  *levels(): Generator<NameScope> {
    for (let scope: NameScope | null = this; scope !== null; scope = scope.parent) yield scope;
  }
}

/** `from (…) as t(a, b)`: the first columns get new names, the others keep theirs. */
export const renameColumns = (columns: OutputColumn[], names: string[]): OutputColumn[] =>
  names.length === 0
    ? columns
    : [
        ...names.map((name, index) => ({ ...columns[index], name, masked: columns[index]?.masked ?? null })),
        ...columns.slice(names.length),
      ];
