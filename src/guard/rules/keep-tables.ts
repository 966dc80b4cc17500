// Keeps tables as written if nothing in them is hidden from the caller, because the engine then knows that the key
// determines the row. The guard writes out `*` and qualifies ambiguous names.
import { columnOf } from '../../dialects/make-nodes.ts';
import type { Item, Table } from '../../dialects/tree.ts';
import type { Analysis, Replaceable, Starred } from './analysis.ts';
import type { Source } from './name-scope.ts';
import { isOwnName } from './resolve-table.ts';

export function keepTables(analysis: Analysis): Set<Source> {
  const keepable = new Set(
    analysis.replaceable.filter((item) => canKeepTable(analysis, item)).map(({ source }) => source),
  );
  const listed = analysis.stars.filter((starred) => starred.sources.some((source) => keepable.has(source)));
  for (const { sources } of listed.filter((starred) => !canBeListed(analysis, starred)))
    for (const source of sources) keepable.delete(source);
  for (const starred of listed) if (starred.sources.some((source) => keepable.has(source))) expandStars(starred);
  for (const { source, table } of analysis.replaceable) {
    if (!keepable.has(source)) continue;
    for (const settle of source.taken) settle!();
    qualifyTable(analysis, source, table);
  }
  return keepable;
}

function canKeepTable(analysis: Analysis, { source: { relation, uses, taken }, table }: Replaceable): boolean {
  if (!relation?.whole || uses.natural || uses.renamed || taken.includes(null)) return false;
  const isUnqualified = table.schema === null && relation.source.schema === null;
  return !(isUnqualified && analysis.cteNames.has(analysis.fold(table.name)));
}

/** True if all sources are governed tables with distinct names, so that svc can qualify every column. */
const canBeListed = (analysis: Analysis, { sources, among }: Starred): boolean =>
  among !== null &&
  sources.every(({ relation, alias }) => {
    const sameAlias = sources.filter((other) => analysis.same(other.alias, alias));
    return relation !== null && alias !== '' && sameAlias.length === 1;
  });

function expandStars({ sources, among }: Starred): void {
  const { items, star } = among!;
  const starIndex = items.findIndex(({ value }) => value === star);
  const columns = sources.flatMap(({ alias, columns }) =>
    columns.map(({ name }): Item => ({ value: columnOf(alias, name), alias: null })),
  );
  items.splice(starIndex, 1, ...columns);
}

/** Qualifies a table and keeps the name that the statement uses for it. */
function qualifyTable(analysis: Analysis, { relation }: Source, table: Table): void {
  const { catalog, schema, name } = table;
  const written = { catalog: catalog ?? '', schema: schema ?? '', table: name };
  if (isOwnName(analysis, written, relation!) && !analysis.cteNames.has(analysis.fold(name))) return;
  const { source } = relation!;
  Object.assign(table, { catalog: source.catalog, schema: source.schema, name: source.table });
  table.alias ??= name === source.table ? null : name;
}
