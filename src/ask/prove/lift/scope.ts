// Resolves names of a statement, first in the sources of a SELECT, then in the sources of the outer queries.
import type { Dialect } from '../../../dialects/dialect.ts';
import type { Expression } from '../../../dialects/tree.ts';
import type { Lens, LensDataset, LensField, LensRelationship } from '../../../lens/model/lens.ts';
import { findColumnName, findDatasetOfTable, isSameName } from '../statement/sources.ts';

/** A table in a FROM clause. `steps` are the relationships that lead from the main source to it. */
export interface Source {
  alias: string;
  dataset: LensDataset;
  joinKind: 'base' | 'left' | 'inner';
  on: Expression[];
  label: string;
  steps: LensRelationship[];
  /** Whether every row of the main source that satisfies the conditions has a joined row of this source. */
  isPresent: boolean;
}
/** Thrown for the part of a statement that svc can't read. */
export class UnreadablePartError extends Error {
  override name = 'UnreadablePart';
  readonly of: Expression | null;

  constructor(message: string, expression: Expression | null = null) {
    super(message);
    this.of = expression;
  }
}

export function throwUnreadable(message: string, of: Expression | null = null): never {
  throw new UnreadablePartError(message, of);
}
export function nullIfUnreadable(fault: unknown): null {
  if (fault instanceof UnreadablePartError) return null;
  throw fault;
}

/**
 * The limit for the total length of a statement's canonical strings. The limit is needed because the string of a
 * BETWEEN contains its value twice, so the length can double at each level of nesting. No plan comes near the limit.
 */
const MAX_CANONICAL_LENGTH = 300_000;

export class Scope {
  readonly lens: Lens;
  readonly dialect: Dialect;
  readonly sources: Source[] = [];
  readonly outer: Scope | null;
  readonly #canonicalLength: { characters: number };

  constructor(lens: Lens, dialect: Dialect, outerScope: Scope | null) {
    this.lens = lens;
    this.dialect = dialect;
    this.outer = outerScope;
    this.#canonicalLength = outerScope ? outerScope.#canonicalLength : { characters: 0 };
  }

  /** Adds the string's length to the statement's total, and throws if the total exceeds the limit. */
  trackLength(text: string): string {
    this.#canonicalLength.characters += text.length;
    if (this.#canonicalLength.characters > MAX_CANONICAL_LENGTH) throw new UnreadablePartError('too long');
    return text;
  }

  isSameName(a: string, b: string): boolean {
    return isSameName(this.dialect, a, b);
  }

  /** Returns null if no source of this SELECT or of an outer query has the column. */
  find(path: readonly string[]): ScopedColumn | null {
    return this.findOwn(path) ?? this.outer?.find(path) ?? null;
  }

  /** Returns null if no source of this SELECT has the column. */
  findOwn(path: readonly string[]): ScopedColumn | null {
    const name = path.at(-1)!;
    const alias = path.length > 1 ? path.at(-2)! : null;
    const candidateSources =
      alias === null ? this.sources : this.sources.filter((source) => this.isSameName(source.alias, alias));
    const columns = candidateSources.flatMap((source): ScopedColumn[] => {
      const column = findColumnOfDataset(this.lens, this.dialect, source.dataset, name);
      return column ? [{ source, ...column }] : [];
    });
    if (columns.length > 1) throw new UnreadablePartError('several columns have this name');
    if (columns[0]) return columns[0];
    if (alias !== null && candidateSources.length > 0) throw new UnreadablePartError('no such column');
    return null;
  }

  get depth(): number {
    return this.outer ? this.outer.depth + 1 : 0;
  }
}
export interface ScopedColumn {
  source: Source;
  field: LensField | null;
  column: string;
}

/** Finds a field, or a relationship's key column, because compiled SQL also uses key columns that aren't fields. */
export function findColumnOfDataset(
  { relationships }: Lens,
  dialect: Dialect,
  { name: dataset, primaryKey, fields }: LensDataset,
  name: string,
): Pick<ScopedColumn, 'field' | 'column'> | null {
  const field = fields.find((field) => isSameName(dialect, field.name, name));
  if (field) return { field, column: findColumnName(field) };
  const keys = relationships.flatMap(({ from, to }) => [
    ...(from.dataset === dataset ? from.columns : []),
    ...(to.dataset === dataset ? to.columns : []),
  ]);
  return [...primaryKey, ...keys].some((item) => isSameName(dialect, item, name))
    ? { field: null, column: name }
    : null;
}

export function requireDataset(lens: Lens, dialect: Dialect, schema: string | null, name: string): LensDataset {
  const dataset = findDatasetOfTable(lens, dialect, schema, name);
  if (!dataset) throw new UnreadablePartError('table');
  return dataset;
}
