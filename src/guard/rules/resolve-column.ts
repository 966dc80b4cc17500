// Resolves the names of columns: first in the sources of the same FROM, then in outputs, then in outer scopes.

import { suggestNames } from '../../dialects/fault-collector.ts';
import type { Column } from '../../dialects/tree.ts';
import type { NameDisambiguator, NameScope, OutputColumn, ScopeSource } from './name-scope.ts';
import type { StatementAnalysis } from './statement-analysis.ts';
import type { ExpressionContext } from './statement-walk.ts';
import {
  type ColumnUsage,
  type ColumnUse,
  findColumnByName,
  findColumnInSources,
  isExpressionText,
  useColumn,
} from './use-column.ts';

const NO_COLUMN: ColumnUse = { masked: null, parts: null };

export function resolveColumn(analysis: StatementAnalysis, column: Column, context: ExpressionContext): ColumnUse {
  const { scope, position } = context;
  const parts = column.path;
  for (const part of parts) analysis.checkIdentifier(part);
  if (analysis.allowsAnyColumn) {
    analysis.references.push(parts);
    return NO_COLUMN;
  }
  const columnUse =
    parts.length === 1
      ? resolveUnqualified(analysis, column, parts[0]!, context)
      : resolveDotted(analysis, scope, parts, position);
  return columnUse ?? reportUnknownColumn(analysis, scope, parts);
}

export function isColumn(analysis: StatementAnalysis, scope: NameScope, parts: string[]): boolean {
  if (parts.length > 1 || analysis.allowsAnyColumn) return true;
  const [name] = parts as [string];
  const output = findColumnByName(analysis, scope.outputs, name);
  return (
    [...scope.listLevels()].some(({ sources }) => findColumnInSources(analysis, sources, name) !== null) || !output
  );
}

function resolveUnqualified(
  analysis: StatementAnalysis,
  writtenColumn: Column,
  name: string,
  context: ExpressionContext,
): ColumnUse | null {
  const { scope, position, outputs } = context;
  const output = findColumnByName(analysis, scope.outputs, name);
  const useAsOutput = () => useColumn(analysis, { source: null, column: output!, level: 0 }, position);
  if (output && outputs === 'first') return useAsOutput();
  const { wholeRow } = analysis.dialect.names;
  const prefersWholeRow = wholeRow === 'nearest' || wholeRow === 'first';
  for (const [level, levelScope] of [...scope.listLevels()].entries()) {
    if (levelScope.locals.has(analysis.fold(name))) return NO_COLUMN;
    if (wholeRow === 'first' && isSourceName(analysis, levelScope, name)) return null;
    const match = findColumnInSources(analysis, levelScope.sources, name);
    if (!match && prefersWholeRow && isSourceName(analysis, levelScope, name)) return null;
    if (!match) continue;
    analysis.writtenNames.noteAmbiguousNameUpTo(
      scope,
      level,
      name,
      match.source,
      qualifyIfUnique(analysis, writtenColumn, scope, { ...match, level }),
    );
    if (output?.masked && outputs === 'also') return useAsOutput();
    return useColumn(analysis, { ...match, level }, position);
  }
  if (!output || outputs !== 'also') return null;
  analysis.writtenNames.noteAmbiguousNameUpTo(scope, Number.POSITIVE_INFINITY, name, null, context.byPosition ?? null);
  return wholeRow !== 'never' && [...scope.listLevels()].some((level) => isSourceName(analysis, level, name))
    ? null
    : useAsOutput();
}

/** Qualifies the column with its table, unless another table can have that name. */
function qualifyIfUnique(
  analysis: StatementAnalysis,
  writtenColumn: Column,
  scope: NameScope,
  { source, column, level }: { source: ScopeSource; column: OutputColumn; level: number },
): NameDisambiguator | null {
  const { alias } = source;
  if (alias === '' || column.masked !== null || (level > 0 && analysis.dialect.names.structPaths)) return null;
  const levels = [...scope.listLevels()].slice(0, level + 1);
  if (levels.at(-1)!.mergedColumns.has(analysis.fold(column.name))) return null;
  const sameAlias = levels
    .flatMap(({ sources }) => sources)
    .filter((candidate) => analysis.isSameName(candidate.alias, alias));
  if (sameAlias.length > 1) return null;
  return () => {
    writtenColumn.path = [alias, ...writtenColumn.path.slice(-1)];
  };
}

const isSourceName = (analysis: StatementAnalysis, { sources }: NameScope, name: string): boolean =>
  sources.some(({ alias }) => analysis.isSameName(alias, name));

/**
 * Resolves `alias.column` and `schema.table.column`. A path into a struct can have more parts, or start with a column.
 */
function resolveDotted(
  analysis: StatementAnalysis,
  scope: NameScope,
  parts: string[],
  position: ColumnUsage,
): ColumnUse | null {
  const allowsStructPaths = analysis.dialect.names.structPaths;
  const [first, second, third] = parts as [string, string, string | undefined];
  for (const [level, levelScope] of [...scope.listLevels()].entries()) {
    for (const source of levelScope.sources) {
      if (analysis.isSameName(source.alias, first) && (allowsStructPaths || parts.length === 2)) {
        const column = findColumnByName(analysis, source.columns, second);
        if (column) {
          recordAliasAmbiguity(analysis, scope, level, { source, first, name: second });
          return useColumn(analysis, { source, column, level }, position, parts);
        }
        if (source.open && isExpressionText(second)) return NO_COLUMN;
      }
      const isQualifiedBySchema =
        source.schema !== null &&
        analysis.isSameName(source.schema, first) &&
        analysis.isSameName(source.alias, second);
      if (isQualifiedBySchema && third !== undefined && (allowsStructPaths || parts.length === 3)) {
        const column = findColumnByName(analysis, source.columns, third);
        if (column) {
          recordAliasAmbiguity(analysis, scope, level, { source, first: second, name: third });
          if (allowsStructPaths && level > 0)
            analysis.writtenNames.noteAmbiguousNameUpTo(scope, level - 1, first, null);
          return useColumn(analysis, { source, column, level }, position, parts.slice(1));
        }
      }
    }
    if (!allowsStructPaths) continue;
    if (isSourceName(analysis, levelScope, first)) return null;
    const hit = findColumnInSources(analysis, levelScope.sources, first);
    if (hit) {
      analysis.writtenNames.noteAmbiguousNameUpTo(scope, level, first, hit.source);
      return useColumn(analysis, { ...hit, level }, 'used');
    }
    if (levelScope.locals.has(analysis.fold(first))) return NO_COLUMN;
  }
  const output = allowsStructPaths ? findColumnByName(analysis, scope.outputs, first) : undefined;
  if (output) analysis.writtenNames.noteAmbiguousNameUpTo(scope, Number.POSITIVE_INFINITY, first, null);
  return output ? useColumn(analysis, { source: null, column: output, level: 0 }, 'used') : null;
}

/**
 * Records how an alias could be ambiguous. A closer table with the same alias may have a column with this name that
 * isn't in the lens. A closer column may have the alias as its name. The server may compare aliases case-sensitively.
 */
function recordAliasAmbiguity(
  analysis: StatementAnalysis,
  scope: NameScope,
  level: number,
  { source, first: writtenAlias, name }: { source: ScopeSource; first: string; name: string },
): void {
  const { writtenNames: written, dialect } = analysis;
  if (dialect.folding.tablesByServer && source.alias !== writtenAlias)
    written.objections.add(`the alias ${source.alias} is written ${writtenAlias}`);
  for (const [scopeLevel, { sources }] of [...scope.listLevels()].entries()) {
    if (scopeLevel > level) break;
    const sameAlias = sources.filter(
      (candidate) => candidate !== source && analysis.isSameName(candidate.alias, source.alias),
    );
    written.noteAmbiguousName(sameAlias, name);
  }
  if (dialect.names.structPaths && level > 0) written.noteAmbiguousNameUpTo(scope, level - 1, writtenAlias, null);
}

function reportUnknownColumn(analysis: StatementAnalysis, scope: NameScope, parts: string[]): ColumnUse {
  const { faults } = analysis;
  const sources = [...scope.listLevels()].flatMap((level) => level.sources);
  const columnText = parts.join('.');
  const lastPart = parts.at(-1)!;
  if (parts.length === 1 && sources.some(({ alias }) => analysis.isSameName(alias, lastPart))) {
    faults.add('whole_row', `${columnText} is a whole row. List its columns instead.`);
    return NO_COLUMN;
  }
  const alias = parts.length > 1 ? parts.at(-2)! : null;
  const ofAlias = alias === null ? [] : sources.filter((source) => analysis.isSameName(source.alias, alias));
  if (alias !== null && ofAlias.length === 0) {
    const aliases = sources.map((source) => source.alias).filter((name) => name !== '');
    faults.add(
      'column',
      `The column ${columnText} refers to ${alias}, which is not in FROM.${suggestNames(alias, aliases)}`,
    );
    return NO_COLUMN;
  }
  const columnNames = (ofAlias.length > 0 ? ofAlias : sources).flatMap((source) =>
    source.columns.map(({ name }) => name),
  );
  const knownNames = columnNames.filter((name) => name !== '');
  faults.add('column', `The column ${columnText} is not in scope.${suggestNames(lastPart, knownNames)}`);
  return NO_COLUMN;
}
