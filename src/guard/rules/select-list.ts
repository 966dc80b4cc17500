// Checks select lists: the names of outputs, and which outputs show a masked field.
import { type Dialect, UnwritableError } from '../../dialects/dialect.ts';
import type { Column, Select, SelectItem, Star } from '../../dialects/tree.ts';
import type { OutputColumn } from './name-scope.ts';
import { isColumn, resolveColumn } from './resolve-column.ts';
import type { StatementAnalysis } from './statement-analysis.ts';
import type { ExpressionContext, StatementWalk } from './statement-walk.ts';
import { expandStar } from './unnamed-columns.ts';

/** Reads plain columns and `*` first, because computed items can refer to the names of these outputs. */
export function walkItems(
  walk: StatementWalk,
  { items }: Select,
  context: ExpressionContext,
  isShown: boolean,
): OutputColumn[] {
  const { names } = walk.analysis.dialect;
  const outputs = names.outputs.items;
  const { scope } = context;
  if (outputs !== 'no') {
    scope.outputs = items.flatMap(({ alias }) => (alias === null ? [] : [{ name: alias, masked: null }]));
  }
  const expandedItems = items.map((item) => expandColumns(walk, item, items, context, isShown));
  const computedItems = items.map(
    ({ value, alias }): OutputColumn => ({ name: alias ?? names.output(value), masked: null }),
  );
  const outputColumns = items.flatMap((_, index) => expandedItems[index] ?? [computedItems[index]!]);
  if (outputs !== 'no') scope.outputs = outputColumns;
  for (const [index, item] of items.entries()) {
    if (expandedItems[index]) continue;
    const countedBefore = walk.analysis.countedColumns.length;
    computedItems[index]!.size = walk.analysis.size.measureExpansion(() =>
      walk.visit(item.value, { ...context, outputs }),
    );
    if (names.computed === 'own text') nameMaskedCount(walk.analysis, item, countedBefore, index);
  }
  return outputColumns;
}

/** Returns the columns of an item that is a plain column or a `*`. Null for a computed item. */
function expandColumns(
  walk: StatementWalk,
  { value, alias }: SelectItem,
  items: SelectItem[],
  context: ExpressionContext,
  isShown: boolean,
): OutputColumn[] | null {
  const { analysis } = walk;
  if (value.kind === 'star') return value.columns ? null : walkStar(walk, value, context, items);
  if (value.kind !== 'column') return null;
  if (context.scope.outputs.length > 0 && !isColumn(analysis, context.scope, value.path)) return null;
  let maskedName: string | null = null;
  const size = analysis.size.measureExpansion(() => {
    maskedName = resolveAndUseColumn(analysis, value, {
      ...context,
      outputs: 'no',
      position: isShown ? 'shown' : 'used',
    });
  });
  return [{ name: alias ?? value.path.at(-1) ?? '', masked: maskedName, size }];
}

/** Returns `dataset.field` if the column's values are hidden. Rewrites the reference if it must read another column. */
export function resolveAndUseColumn(
  analysis: StatementAnalysis,
  column: Column,
  context: ExpressionContext,
): string | null {
  const columnText = column.path.join('.');
  const use = resolveColumn(analysis, column, context);
  if (use.parts) {
    if (use.parts.at(-1) !== column.path.at(-1)) analysis.countedColumns.push(columnText);
    column.path = use.parts;
  }
  return use.masked;
}

/** `items`: the select list that directly contains the `*`. */
export function walkStar(
  walk: StatementWalk,
  star: Star,
  context: ExpressionContext,
  items: SelectItem[] | null = null,
): OutputColumn[] {
  const { analysis } = walk;
  if (star.exclude.some((path) => path.length > 1)) analysis.refuseConstruct('EXCLUDE of a qualified column');
  if (star.rename.length > 0) analysis.refuseConstruct('* RENAME');
  for (const { value } of star.replace) walk.visit(value, context);
  if (star.columns?.of) walk.visit(star.columns.of, context);
  const replacedNames = star.replace.map(({ alias }) => alias ?? '');
  const excludedNames = [...star.exclude.map((path) => path.at(-1) ?? ''), ...replacedNames];
  const isPlain = items !== null && excludedNames.length === 0;
  const columns = expandStar(analysis, context.scope, star.qualifier, excludedNames, isPlain ? { items, star } : null);
  return [...columns, ...replacedNames.map((name) => ({ name, masked: null }))];
}

/**
 * A masked field in count(distinct …) has another name in the guarded SQL. Gives the output an alias, so that this
 * internal name never appears in the result.
 */
function nameMaskedCount(
  { countedColumns }: StatementAnalysis,
  item: SelectItem,
  countedBefore: number,
  index: number,
): void {
  const [countedName] = countedColumns.slice(countedBefore);
  if (countedName === undefined || item.alias !== null) return;
  item.alias = item.value.kind === 'call' ? `count(DISTINCT ${countedName})` : `computed_${index + 1}`;
}

const MAX_NAME_LENGTH = 60;

/** Gives computed outputs an alias if the engine names an output by its SQL, because the guard changes the SQL. */
export function nameComputedItems({ names, quotes, writeExpression }: Dialect, { items }: Select): void {
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
      if (!(error instanceof UnwritableError)) throw error;
    }
  }
}
