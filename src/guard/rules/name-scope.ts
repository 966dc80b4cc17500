// What a name can mean at one place of a statement: sources of one FROM, output names of its SELECT, and
// enclosing scopes.
import type { Expression } from '../../dialects/tree.ts';
import type { GovernedRelation } from '../guarded-sql.ts';

export interface OutputColumn {
  name: string;
  /** `dataset.field` if the values are hidden. */
  masked: string | null;
  /** Number of nodes in the expression behind it; 1 if unknown. */
  size?: number;
}

export interface Source {
  alias: string;
  /** The schema, if `schema.table.column` is valid because the table has no alias. */
  schema: string | null;
  columns: OutputColumn[];
  /** The columns include unnamed expressions, so names that aren't identifiers are let through (DuckDB). */
  open: boolean;
  relation: GovernedRelation | null;
  /** Conditions that may also be applied below its policies. */
  lookups: Expression[];
  /** `renamed`: its columns are addressed by position. */
  uses: { raw: boolean; star: boolean; natural: boolean; renamed: boolean };
  /**
   * For each name that an unlisted column could take over: how to write it unambiguously, or null if there is no way.
   */
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
  /** Columns merged by USING and NATURAL, which can't be qualified. */
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

/** `from (…) as t(a, b)` renames the first columns; the others keep their names. */
export const renameColumns = (columns: OutputColumn[], names: string[]): OutputColumn[] =>
  names.length === 0
    ? columns
    : [
        ...names.map((name, index) => ({ ...columns[index], name, masked: columns[index]?.masked ?? null })),
        ...columns.slice(names.length),
      ];
