// The SELECT list of DuckDB: computed columns may use the aliases of the same list, wherever they stand.
import type { Analysis } from '../analysis.ts';
import { type AstNode, asList, asNode, asText } from '../ast.ts';
import type { OutputColumn } from '../name-scope.ts';
import { isColumn } from '../resolve-column.ts';
import type { Place, Walk } from '../walk.ts';
import { useColumnRef, walkStar } from './columns.ts';
import { outputName, pathOf } from './nodes.ts';

/** Bare columns and `*` first, so that the computed ones see what they are called. */
export function walkOutputs(walk: Walk, items: AstNode[], place: Place, shown: boolean): OutputColumn[] {
  const { scope } = place;
  scope.outputs = items
    .map((item) => ({ name: asText(item['alias']), masked: null }))
    .filter(({ name }) => name !== '');
  const found = items.map((item) => taken(walk, item, place, shown));
  const named = items.flatMap((item, index) => found[index] ?? [{ name: outputName(item), masked: null }]);
  scope.outputs = named;
  for (const [index, item] of items.entries()) {
    if (found[index]) continue;
    const before = scope.sources.some(({ relation }) => relation?.raw) ? JSON.stringify(item) : null;
    walk.visit(item, place);
    if (before !== null) hideRawName(walk.analysis, item, before, index);
  }
  return named;
}

/** The columns that a bare column or a `*` stands for; null when the item is computed. */
function taken(walk: Walk, item: AstNode, place: Place, shown: boolean): OutputColumn[] | null {
  const path = pathOf(item);
  if (path && isColumn(walk.analysis, place.scope, path)) {
    const at: Place = { ...place, outputs: 'no', position: shown ? 'shown' : 'used' };
    return [{ name: asText(item['alias']) || path.at(-1)!, masked: useColumnRef(walk.analysis, item, at) }];
  }
  return item['class'] === 'STAR' && item['columns'] !== true ? walkStar(walk, item, place) : null;
}

/** A counted masked field is read under another name, which must not show as the name of an output column. */
function hideRawName({ rawNames }: Analysis, item: AstNode, before: string, index: number): void {
  const raw = rawNames.find((name) => !before.includes(name) && JSON.stringify(item).includes(name));
  if (raw === undefined || asText(item['alias']) !== '') return;
  const counted = pathOf(asNode(asList(asNode(JSON.parse(before))['children'])[0]));
  item['alias'] = counted ? `count(DISTINCT ${counted.join('.')})` : `computed_${index + 1}`;
}
