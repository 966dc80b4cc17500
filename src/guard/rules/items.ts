// Checks select lists: the names of outputs, and which outputs show a masked field.
import { type Dialect, Unwritable } from '../../dialects/dialect.ts';
import type { Column, Item, Select, Star } from '../../dialects/tree.ts';
import type { Analysis } from './analysis.ts';
import type { OutputColumn } from './name-scope.ts';
import { isColumn, resolveColumn } from './resolve-column.ts';
import { expandStar } from './unnamed-columns.ts';
import type { Place, Walk } from './walk.ts';

/** Reads plain columns and `*` first, because computed items can use their names. */
export function walkItems(walk: Walk, { items }: Select, context: Place, isShown: boolean): OutputColumn[] {
  const { names } = walk.analysis.dialect;
  const outputs = names.outputs.items;
  const { scope } = context;
  if (outputs !== 'no') {
    scope.outputs = items.flatMap(({ alias }) => (alias === null ? [] : [{ name: alias, masked: null }]));
  }
  const found = items.map((item) => expandedColumns(walk, item, items, context, isShown));
  const computed = items.map(
    ({ value, alias }): OutputColumn => ({ name: alias ?? names.output(value), masked: null }),
  );
  const outputColumns = items.flatMap((_, index) => found[index] ?? [computed[index]!]);
  if (outputs !== 'no') scope.outputs = outputColumns;
  for (const [index, item] of items.entries()) {
    if (found[index]) continue;
    const counted = walk.analysis.counted.length;
    computed[index]!.size = walk.analysis.size.expandedBy(() => walk.visit(item.value, { ...context, outputs }));
    if (names.computed === 'own text') hideRawName(walk.analysis, item, counted, index);
  }
  return outputColumns;
}

/** The columns of a plain column or a `*`. Null for a computed item. */
function expandedColumns(
  walk: Walk,
  { value, alias }: Item,
  items: Item[],
  context: Place,
  isShown: boolean,
): OutputColumn[] | null {
  const { analysis } = walk;
  if (value.kind === 'star') return value.columns ? null : walkStar(walk, value, context, items);
  if (value.kind !== 'column') return null;
  if (context.scope.outputs.length > 0 && !isColumn(analysis, context.scope, value.path)) return null;
  let masked: string | null = null;
  const size = analysis.size.expandedBy(() => {
    masked = useColumn(analysis, value, { ...context, outputs: 'no', position: isShown ? 'shown' : 'used' });
  });
  return [{ name: alias ?? value.path.at(-1) ?? '', masked, size }];
}

/** Returns `dataset.field` if the values are hidden. Rewrites a reference that must read another column. */
export function useColumn(analysis: Analysis, column: Column, context: Place): string | null {
  const written = column.path.join('.');
  const use = resolveColumn(analysis, column, context);
  if (use.parts) {
    if (use.parts.at(-1) !== column.path.at(-1)) analysis.counted.push(written);
    column.path = use.parts;
  }
  return use.masked;
}

/** `items`: the select list that directly contains the `*`. */
export function walkStar(walk: Walk, star: Star, context: Place, items: Item[] | null = null): OutputColumn[] {
  const { analysis } = walk;
  if (star.exclude.some((path) => path.length > 1)) analysis.construct('EXCLUDE of a qualified column');
  if (star.rename.length > 0) analysis.construct('* RENAME');
  for (const { value } of star.replace) walk.visit(value, context);
  if (star.columns?.of) walk.visit(star.columns.of, context);
  const replaced = star.replace.map(({ alias }) => alias ?? '');
  const without = [...star.exclude.map((path) => path.at(-1) ?? ''), ...replaced];
  const isPlain = items !== null && without.length === 0;
  const columns = expandStar(analysis, context.scope, star.qualifier, without, isPlain ? { items, star } : null);
  return [...columns, ...replaced.map((name) => ({ name, masked: null }))];
}

/** A masked field in count(distinct …) has another name in the SQL, which must not become the name of an output. */
function hideRawName({ counted }: Analysis, item: Item, before: number, index: number): void {
  const [written] = counted.slice(before);
  if (written === undefined || item.alias !== null) return;
  item.alias = item.value.kind === 'call' ? `count(DISTINCT ${written})` : `computed_${index + 1}`;
}

const MAX_NAME_LENGTH = 60;

/** Gives computed outputs an alias where the engine names them by their SQL, which the guard changes. */
export function nameComputed({ names, quotes, writeExpression }: Dialect, { items }: Select): void {
  if (names.computed !== 'source text') return;
  for (const item of items) {
    if (item.alias !== null || item.value.kind === 'column' || item.value.kind === 'star') continue;
    try {
      const text = writeExpression(item.value).replaceAll(quotes.name, '');
      item.alias = text
        .replace(/[^\u0001-\uFFFF]/gu, '?')
        .slice(0, MAX_NAME_LENGTH)
        .trim();
    } catch (error) {
      if (!(error instanceof Unwritable)) throw error;
    }
  }
}
