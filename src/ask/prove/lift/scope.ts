// Where a name of a statement means something: the sources of a SELECT and those around it.
import type { Dialect } from '../../../dialects/dialect.ts';
import type { Expression } from '../../../dialects/tree.ts';
import type { Lens, LensDataset, LensField, LensRelationship } from '../../../lens/model/lens.ts';
import { columnOf } from '../statement/sources.ts';

/** A table of FROM; `steps` lead to it from the home. */
export interface Source {
  alias: string;
  dataset: LensDataset;
  how: 'base' | 'left' | 'inner';
  on: Expression[];
  label: string;
  steps: LensRelationship[];
  /** Every row that is left leads to one of it. */
  present: boolean;
}
/** Thrown where a part of a statement is not known here: `of` is that part. */
export class Unread extends Error {
  override name = 'Unread';
  readonly of: Expression | null;

  constructor(message: string, of: Expression | null = null) {
    super(message);
    this.of = of;
  }
}

/** Of all texts of a statement together. A text within a text is quoted, and BETWEEN says its value twice: what nests would
 *  double at each level. No plan comes near. */
const MOST_SIGNS = 300_000;

/** Where a name means something: the sources of a SELECT and those around it. */
export class Scope {
  readonly lens: Lens;
  readonly dialect: Dialect;
  readonly sources: Source[] = [];
  readonly outer: Scope | null;
  readonly #written: { signs: number };

  constructor(lens: Lens, dialect: Dialect, outer: Scope | null) {
    this.lens = lens;
    this.dialect = dialect;
    this.outer = outer;
    this.#written = outer ? outer.#written : { signs: 0 };
  }

  /** Takes what was written of this statement, as long as there is room for it. */
  written(text: string): string {
    this.#written.signs += text.length;
    if (this.#written.signs > MOST_SIGNS) throw new Unread('too long');
    return text;
  }

  same(a: string, b: string): boolean {
    return sameName(this.dialect, a, b);
  }

  /** Null: no column of these sources is called so. */
  find(path: readonly string[]): Found | null {
    const name = path.at(-1)!;
    const alias = path.length > 1 ? path.at(-2)! : null;
    const named = alias === null ? this.sources : this.sources.filter((one) => this.same(one.alias, alias));
    const found = named.flatMap((source): Found[] => {
      const column = columnOfDataset(this.lens, this.dialect, source.dataset, name);
      return column ? [{ source, ...column }] : [];
    });
    if (found.length > 1) throw new Unread('several columns are called so');
    if (found[0]) return found[0];
    if (alias !== null && named.length > 0) throw new Unread('no such column');
    return this.outer?.find(path) ?? null;
  }

  get depth(): number {
    return this.outer ? this.outer.depth + 1 : 0;
  }
}
export interface Found {
  source: Source;
  field: LensField | null;
  column: string;
}

export const sameName = ({ folding }: Dialect, a: string, b: string): boolean =>
  folding.names.startsWith('read') ? a === b : a.toLowerCase() === b.toLowerCase();

/** A field, or a column that tables are joined by, which our own text names too. */
export function columnOfDataset(
  { relationships }: Lens,
  dialect: Dialect,
  { name: dataset, primaryKey, fields }: LensDataset,
  name: string,
): Pick<Found, 'field' | 'column'> | null {
  const field = fields.find((one) => sameName(dialect, one.name, name));
  if (field) return { field, column: columnOf(field) };
  const keys = relationships.flatMap(({ from, to }) => [
    ...(from.dataset === dataset ? from.columns : []),
    ...(to.dataset === dataset ? to.columns : []),
  ]);
  return [...primaryKey, ...keys].some((one) => sameName(dialect, one, name)) ? { field: null, column: name } : null;
}

export function datasetCalled({ datasets }: Lens, dialect: Dialect, schema: string | null, name: string): LensDataset {
  const called = datasets.filter(
    ({ source }) =>
      sameName(dialect, source.table, name) &&
      (schema === null || (source.schema !== null && sameName(dialect, source.schema, schema))),
  );
  const found =
    called.length === 1 ? called[0] : schema === null && datasets.find((one) => sameName(dialect, one.name, name));
  if (!found) throw new Unread('table');
  return found;
}
