// Checks columns that a statement uses without naming them: through `*`, NATURAL JOIN, USING or a position.
import type { Analysis, Starred } from './analysis.ts';
import type { NameScope, OutputColumn, Source } from './name-scope.ts';
import { columnAmong, useColumn } from './use-column.ts';

export function expandStar(
  analysis: Analysis,
  scope: NameScope,
  qualifier: string[],
  except: readonly string[] = [],
  selectList: Starred['among'] = null,
): OutputColumn[] {
  if (analysis.anyColumn) {
    analysis.faults.add('star', "An expression can't contain *. Name the field.");
    return [];
  }
  const sources = qualifier.length === 0 ? scope.sources : sourcesCalled(analysis, scope, qualifier);
  analysis.stars.push({ sources, among: scope.merged.size > 0 ? null : selectList });
  const left = new Set(except.map((name) => analysis.fold(name)));
  if (!analysis.size.starred(sources.reduce((total, { columns }) => total + columns.length, 0))) return [];
  return sources.flatMap((source) => {
    source.uses.star = true;
    const columns = source.columns.filter(({ name }) => !left.has(analysis.fold(name)));
    if (source.relation) for (const { name } of columns) analysis.columns.add(`${source.relation.dataset}.${name}`);
    return columns;
  });
}

function sourcesCalled(analysis: Analysis, scope: NameScope, qualifier: string[]): Source[] {
  const alias = qualifier.at(-1)!;
  for (const { sources } of scope.levels()) {
    const found = sources.filter((source) => analysis.same(source.alias, alias));
    if (found.length > 0) return found;
  }
  analysis.faults.add('column', `${qualifier.join('.')}.* names ${alias}, which is not in FROM.`);
  return [];
}

/** JOIN … USING and NATURAL JOIN compare columns of both sides. */
export function compareJoined(
  analysis: Analysis,
  { merged }: NameScope,
  left: Source[],
  right: Source[],
  { using, natural }: { using: string[]; natural: boolean },
): void {
  if (natural) for (const source of [...left, ...right]) source.uses.natural = true;
  const shared = natural
    ? left
        .flatMap(({ columns }) => columns)
        .filter(({ name }) => columnAmong(analysis, right, name) !== null)
        .map(({ name }) => name)
    : using;
  for (const name of shared) {
    analysis.identifier(name);
    merged.add(analysis.fold(name));
    for (const side of [left, right]) {
      const hit = columnAmong(analysis, side, name);
      analysis.written.reach(
        side.filter((source) => source !== hit?.source),
        name,
      );
      if (hit) useColumn(analysis, { ...hit, level: 0 }, 'used');
      else analysis.faults.add('column', `The column ${name} of USING is not on both sides of the join.`);
    }
  }
}

/** ORDER BY 2 refers to an output by its position, which is unknown after a `*`. */
export function useByPosition(analysis: Analysis, columns: OutputColumn[], position: number, starred: boolean): void {
  analysis.noMasked(starred ? columns : columns.slice(position - 1, position), 'by its position');
}
