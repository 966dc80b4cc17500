// Checks columns that a statement uses without naming them: through `*`, NATURAL JOIN or USING.

import type { NameScope, OutputColumn, ScopeSource } from './name-scope.ts';
import type { StarUse, StatementAnalysis } from './statement-analysis.ts';
import { findColumnInSources, useColumn } from './use-column.ts';

export function expandStar(
  analysis: StatementAnalysis,
  scope: NameScope,
  qualifier: string[],
  excluded: readonly string[] = [],
  selectList: StarUse['itemList'] = null,
): OutputColumn[] {
  if (analysis.allowsAnyColumn) {
    analysis.faults.add('star', "An expression can't contain *. Name the field.");
    return [];
  }
  const sources = qualifier.length === 0 ? scope.sources : findSourcesByName(analysis, scope, qualifier);
  analysis.stars.push({ sources, itemList: scope.mergedColumns.size > 0 ? null : selectList });
  const excludedNames = new Set(excluded.map((name) => analysis.fold(name)));
  if (!analysis.size.addStar(sources.reduce((total, { columns }) => total + columns.length, 0))) return [];
  return sources.flatMap((source) => {
    source.uses.star = true;
    const columns = source.columns.filter(({ name }) => !excludedNames.has(analysis.fold(name)));
    if (source.relation) for (const { name } of columns) analysis.columns.add(`${source.relation.dataset}.${name}`);
    return columns;
  });
}

function findSourcesByName(analysis: StatementAnalysis, scope: NameScope, qualifier: string[]): ScopeSource[] {
  const alias = qualifier.at(-1)!;
  for (const { sources } of scope.listLevels()) {
    const namedSources = sources.filter((source) => analysis.isSameName(source.alias, alias));
    if (namedSources.length > 0) return namedSources;
  }
  analysis.faults.add('column', `${qualifier.join('.')}.* refers to ${alias}, which is not in FROM.`);
  return [];
}

/** Records the columns that JOIN … USING and NATURAL JOIN compare on both sides. */
export function recordJoinColumns(
  analysis: StatementAnalysis,
  { mergedColumns }: NameScope,
  leftSources: ScopeSource[],
  rightSources: ScopeSource[],
  { using, natural }: { using: string[]; natural: boolean },
): void {
  if (natural) for (const source of [...leftSources, ...rightSources]) source.uses.natural = true;
  const sharedNames = natural
    ? leftSources
        .flatMap(({ columns }) => columns)
        .filter(({ name }) => findColumnInSources(analysis, rightSources, name) !== null)
        .map(({ name }) => name)
    : using;
  for (const name of sharedNames) {
    analysis.checkIdentifier(name);
    mergedColumns.add(analysis.fold(name));
    for (const side of [leftSources, rightSources]) {
      const hit = findColumnInSources(analysis, side, name);
      analysis.writtenNames.noteAmbiguousName(
        side.filter((source) => source !== hit?.source),
        name,
      );
      if (hit) useColumn(analysis, { ...hit, level: 0 }, 'used');
      else analysis.faults.add('column', `The column ${name} in USING is not on both sides of the join.`);
    }
  }
}
