// Contains everything that a name can refer to at one place in a statement: the sources in FROM, the outputs of the
// SELECT, and the enclosing scopes.
import type { Expression } from '../../dialects/tree.ts';
import type { GovernedRelation } from '../guarded-sql.ts';

export interface OutputColumn {
  name: string;
  /** `dataset.field` if the values are hidden. */
  masked: string | null;
  /** The number of nodes in the column's expression, or 1 if unknown. */
  size?: number;
}

export interface ScopeSource {
  alias: string;
  /** The schema, if the table has no alias and `schema.table.column` is therefore valid. */
  schema: string | null;
  columns: OutputColumn[];
  /** True if the columns include unnamed expressions. The guard then accepts names that aren't identifiers (DuckDB). */
  open: boolean;
  relation: GovernedRelation | null;
  /** Key conditions that the guard can copy below the optimization barrier of the row policies. */
  lookupConditions: Expression[];
  /** `renamed` is true if the table's alias renames its columns by position. */
  uses: { raw: boolean; star: boolean; natural: boolean; renamed: boolean };
  /**
   * Keyed by each name that a column outside the lens could also have: a function that makes the name unambiguous, or
   * null if no function can.
   */
  disambiguators: (NameDisambiguator | null)[];
}
export type NameDisambiguator = () => void;

export const createSource = (
  alias: string,
  columns: OutputColumn[],
  overrides: Partial<ScopeSource> = {},
): ScopeSource => ({
  alias,
  columns,
  schema: null,
  open: false,
  relation: null,
  lookupConditions: [],
  uses: { raw: false, star: false, natural: false, renamed: false },
  disambiguators: [],
  ...overrides,
});

export class NameScope {
  readonly parent: NameScope | null;
  sources: ScopeSource[] = [];
  outputs: OutputColumn[] = [];
  /** Columns that USING and NATURAL merge. A table name can't qualify these columns. */
  readonly mergedColumns = new Set<string>();
  /** Names that an enclosing lambda binds. */
  locals: ReadonlySet<string> = new Set();

  constructor(parent: NameScope | null) {
    this.parent = parent;
  }

  *listLevels(): Generator<NameScope> {
    for (let scope: NameScope | null = this; scope !== null; scope = scope.parent) yield scope;
  }
}

/**
 * The CTEs that are visible at one place, by their keys. Inner CTEs hide outer CTEs with the same name.
 * `readCount`: the number of tables that each use of the CTE reads.
 */
export type CteScope = ReadonlyMap<string, { columns: OutputColumn[]; readCount: number }>;

/** The alias in `from (…) as t(a, b)` renames the first columns. The other columns keep their names. */
export const renameColumns = (columns: OutputColumn[], names: string[]): OutputColumn[] =>
  names.length === 0
    ? columns
    : [
        ...names.map((name, index) => ({ ...columns[index], name, masked: columns[index]?.masked ?? null })),
        ...columns.slice(names.length),
      ];
