// Finds functional dependencies. A key determines its row and all rows that are joined to this row many to one. A group
// key that other group keys determine can be left out without changing the groups.
import { listNodes } from '../../../dialects/nodes.ts';
import type { Expression } from '../../../dialects/tree.ts';
import type { ExpressionRenderer } from './expression-renderer.ts';
import type { Source } from './scope.ts';

export class FunctionalDependencies {
  /** Datasets whose primary key was used to identify a row. */
  readonly keyedDatasets = new Set<string>();
  readonly #text: ExpressionRenderer;

  constructor(text: ExpressionRenderer) {
    this.#text = text;
  }

  /** Leaves out keys that other keys determine, starting with the table furthest from the main source. */
  findMinimalKeys(keys: readonly Expression[]): Map<string, Expression> {
    const keysByText = new Map(keys.map((key) => [this.#text.render(key), key]));
    const deepestFirst = [...keysByText].sort(([a], [b]) => countPathSteps(b) - countPathSteps(a) || (a < b ? 1 : -1));
    for (const [text, key] of deepestFirst) {
      const otherKeys = [...keysByText].flatMap(([other, value]) => (other === text ? [] : [value]));
      if (otherKeys.length > 0 && this.findKnownColumns(otherKeys).has(key)) keysByText.delete(text);
    }
    return keysByText;
  }

  determinesRow(keys: readonly Expression[], source: Source): boolean {
    return this.findKnownColumns(keys).knownSources.has(source);
  }

  findKnownColumns(keys: readonly Expression[]): KnownColumns {
    const texts = new Set(keys.map((key) => this.#text.render(key)));
    const rows = new Set<Source>();
    for (let hasChanged = true; hasChanged; ) {
      hasChanged = false;
      for (const source of this.#text.scope.sources) {
        if (rows.has(source) || !this.#determines(texts, rows, source)) continue;
        rows.add(source);
        hasChanged = true;
      }
    }
    const isKnown = (key: Expression): boolean =>
      texts.has(this.#text.render(key)) || this.#usesOnlyKnownColumns(key, rows);
    return { knownSources: rows, has: isKnown };
  }

  #determines(texts: ReadonlySet<string>, rows: ReadonlySet<Source>, source: Source): boolean {
    const { primaryKey, name } = source.dataset;
    if (primaryKey.length > 0 && primaryKey.every((column) => texts.has(`${source.label}.${column}`))) {
      this.keyedDatasets.add(name);
      return true;
    }
    const step = source.steps.at(-1);
    if (!step) return false;
    if (step.to.columns.every((column) => texts.has(`${source.label}.${column}`))) return true;
    const parent = this.#text.scope.sources.find((item) => isParentSource(item, source));
    return (
      parent !== undefined &&
      (rows.has(parent) || step.from.columns.every((column) => texts.has(`${parent.label}.${column}`)))
    );
  }

  /** Whether the expression uses only columns of `rows` and contains no query or window function. */
  #usesOnlyKnownColumns(key: Expression, rows: ReadonlySet<Source>): boolean {
    const nodes = [...listNodes(key)];
    if (nodes.some((node) => node.kind === 'select' || (node.kind === 'call' && node.over))) return false;
    const columns = nodes.filter((node) => node.kind === 'column');
    return (
      columns.length > 0 &&
      columns.every(({ path }) => {
        const scopedColumn = this.#text.scope.find(path);
        return scopedColumn !== null && rows.has(scopedColumn.source);
      })
    );
  }
}

export interface KnownColumns {
  knownSources: ReadonlySet<Source>;
  has(key: Expression): boolean;
}

const isParentSource = (source: Source, child: Source): boolean =>
  source.steps.length === child.steps.length - 1 && child.label.slice(0, child.label.lastIndexOf('/')) === source.label;
const countPathSteps = (text: string): number => text.split('/').length;
