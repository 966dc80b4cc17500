// The rows that aggregates run over: leaves with one home and the same restrictions share one SELECT.
import { homeOfLeaf } from './choose-home.ts';
import type { Compilation } from './compilation.ts';
import { filterPaths, restriction, timeSql } from './filter-sql.ts';
import type { Filter, Intent, TimeWindow } from './intent.ts';
import type { Leaf } from './measure.ts';
import { RowScope } from './row-scope.ts';

/** Leaves with one home and one filter of their own, grouped in one SELECT. */
export interface Part {
  name: string;
  home: string;
  filter: string | null;
  within: TimeWindow | undefined;
  where: Filter[];
  leaves: Leaf[];
}

/** What the rows must lead to, whatever is aggregated. */
export const neededBy = (intent: Intent): string[] => [
  ...intent.dimensions.map(({ path }) => path),
  ...filterPaths(intent.filters),
  ...(intent.time ? [intent.time.field.path] : []),
  ...(intent.groupKeys ?? []),
];

export function partsOf(compilation: Compilation, leaves: Leaf[], needed: string[]): Part[] {
  const parts = new Map<string, Part>();
  for (const leaf of leaves) {
    const { filter, within, where = [] } = leaf;
    const own = [...filterPaths(where), ...(within ? [within.field.path] : [])];
    const home = homeOfLeaf(compilation, leaf, [...needed, ...own]);
    const key = [home, filter ?? '', JSON.stringify([within, where])].join('\u0000');
    const part = parts.get(key) ?? { name: '', home, filter, within, where, leaves: [] };
    if (!part.leaves.some((known) => known.key === leaf.key)) part.leaves.push(leaf);
    parts.set(key, part);
  }
  const all = [...parts.values()];
  const datasets = compilation.lens.datasets.map(({ name }) => name);
  for (const part of all) {
    const wanted = `${part.leaves[0]!.name}_rows`;
    part.name = datasets.includes(wanted) ? `${wanted}_grouped` : wanted;
  }
  return all;
}

/** FROM, WHERE and the key columns that join the grouping unseen. */
export function rowsOf(compilation: Compilation, intent: Intent, part: Part) {
  const scope = new RowScope(compilation, part.home);
  // Authors' names first, so that their text can stand as it is.
  const leafSql = new Map(part.leaves.map((leaf) => [leaf.key, leaf.sql(scope) ?? 'null']));
  const own = part.filter ? [ownFilter(compilation, scope, part.filter)] : [];
  const where = [
    ...[intent.time, part.within].flatMap((window) => (window ? timeSql(compilation, scope, window) : [])),
    ...[...intent.filters, ...part.where].flatMap((filter) => restriction(compilation, scope, filter) ?? []),
    ...own,
  ];
  const keys = (intent.groupKeys ?? []).flatMap((path) => {
    const joined = scope.at(path, path);
    if (joined && joined.dataset.primaryKey.length === 0)
      compilation.fault(`${path} has no primary key to tell its rows apart.`, path);
    return joined ? scope.key(joined, joined.dataset.primaryKey) : [];
  });
  return { scope, leafSql, where, keys };
}

function ownFilter(compilation: Compilation, scope: RowScope, filter: string): string {
  const { metrics } = compilation.lens;
  const owner = metrics.find((metric) => metric.filter === filter);
  if (owner) scope.verbatim(owner.references.fields);
  return `(${filter})`;
}
