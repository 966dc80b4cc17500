// Resolves names of columns: sources of the same FROM, then outputs, then outer scopes.

import { suggestNames } from '../../dialects/faults.ts';
import type { Column } from '../../dialects/tree.ts';
import type { Analysis } from './analysis.ts';
import type { NameScope, OutputColumn, Settle, Source } from './name-scope.ts';
import {
  type ColumnUse,
  columnAmong,
  columnCalled,
  isTextOfExpression,
  type Position,
  useColumn,
} from './use-column.ts';
import type { Place } from './walk.ts';

const NO_COLUMN: ColumnUse = { masked: null, parts: null };

export function resolveColumn(analysis: Analysis, column: Column, context: Place): ColumnUse {
  const { scope, position } = context;
  const parts = column.path;
  for (const part of parts) analysis.identifier(part);
  if (analysis.anyColumn) {
    analysis.references.push(parts);
    return NO_COLUMN;
  }
  const found =
    parts.length === 1
      ? resolveUnqualified(analysis, column, parts[0]!, context)
      : resolveDotted(analysis, scope, parts, position);
  return found ?? unknownColumn(analysis, scope, parts);
}

export function isColumn(analysis: Analysis, scope: NameScope, parts: string[]): boolean {
  if (parts.length > 1 || analysis.anyColumn) return true;
  const [name] = parts as [string];
  const output = columnCalled(analysis, scope.outputs, name);
  return [...scope.levels()].some(({ sources }) => columnAmong(analysis, sources, name) !== null) || !output;
}

function resolveUnqualified(analysis: Analysis, written: Column, name: string, context: Place): ColumnUse | null {
  const { scope, position, outputs } = context;
  const output = columnCalled(analysis, scope.outputs, name);
  const asOutput = () => useColumn(analysis, { source: null, column: output!, level: 0 }, position);
  if (output && outputs === 'first') return asOutput();
  const { wholeRow } = analysis.dialect.names;
  const rowsFirst = wholeRow === 'nearest' || wholeRow === 'first';
  for (const [level, levelScope] of [...scope.levels()].entries()) {
    if (levelScope.locals.has(analysis.fold(name))) return NO_COLUMN;
    if (wholeRow === 'first' && namesSource(analysis, levelScope, name)) return null;
    const hit = columnAmong(analysis, levelScope.sources, name);
    if (!hit && rowsFirst && namesSource(analysis, levelScope, name)) return null;
    if (!hit) continue;
    analysis.written.reachUpTo(
      scope,
      level,
      name,
      hit.source,
      qualifyIfUnique(analysis, written, scope, { ...hit, level }),
    );
    if (output?.masked && outputs === 'also') return asOutput();
    return useColumn(analysis, { ...hit, level }, position);
  }
  if (!output || outputs !== 'also') return null;
  analysis.written.reachUpTo(scope, Number.POSITIVE_INFINITY, name, null, context.byPosition ?? null);
  return wholeRow !== 'never' && [...scope.levels()].some((at) => namesSource(analysis, at, name)) ? null : asOutput();
}

/** Qualifies the column with its table, unless another table can have that name. */
function qualifyIfUnique(
  analysis: Analysis,
  written: Column,
  scope: NameScope,
  { source, column, level }: { source: Source; column: OutputColumn; level: number },
): Settle | null {
  const { alias } = source;
  if (alias === '' || column.masked !== null || (level > 0 && analysis.dialect.names.structPaths)) return null;
  const levels = [...scope.levels()].slice(0, level + 1);
  if (levels.at(-1)!.merged.has(analysis.fold(column.name))) return null;
  const sameAlias = levels.flatMap(({ sources }) => sources).filter((other) => analysis.same(other.alias, alias));
  if (sameAlias.length > 1) return null;
  return () => {
    written.path = [alias, ...written.path.slice(-1)];
  };
}

const namesSource = (analysis: Analysis, { sources }: NameScope, name: string): boolean =>
  sources.some(({ alias }) => analysis.same(alias, name));

/** Resolves `alias.column` and `schema.table.column`. A struct path can be longer or start with a column. */
function resolveDotted(analysis: Analysis, scope: NameScope, parts: string[], position: Position): ColumnUse | null {
  const structs = analysis.dialect.names.structPaths;
  const [first, second, third] = parts as [string, string, string | undefined];
  for (const [level, levelScope] of [...scope.levels()].entries()) {
    for (const source of levelScope.sources) {
      if (analysis.same(source.alias, first) && (structs || parts.length === 2)) {
        const column = columnCalled(analysis, source.columns, second);
        if (column) {
          writtenAlias(analysis, scope, level, { source, first, name: second });
          return useColumn(analysis, { source, column, level }, position, parts);
        }
        if (source.open && isTextOfExpression(second)) return NO_COLUMN;
      }
      const bySchema =
        source.schema !== null && analysis.same(source.schema, first) && analysis.same(source.alias, second);
      if (bySchema && third !== undefined && (structs || parts.length === 3)) {
        const column = columnCalled(analysis, source.columns, third);
        if (column) {
          writtenAlias(analysis, scope, level, { source, first: second, name: third });
          if (structs && level > 0) analysis.written.reachUpTo(scope, level - 1, first, null);
          return useColumn(analysis, { source, column, level }, position, parts.slice(1));
        }
      }
    }
    if (!structs) continue;
    if (namesSource(analysis, levelScope, first)) return null;
    const hit = columnAmong(analysis, levelScope.sources, first);
    if (hit) {
      analysis.written.reachUpTo(scope, level, first, hit.source);
      return useColumn(analysis, { ...hit, level }, 'used');
    }
    if (levelScope.locals.has(analysis.fold(first))) return NO_COLUMN;
  }
  const output = structs ? columnCalled(analysis, scope.outputs, first) : undefined;
  if (output) analysis.written.reachUpTo(scope, Number.POSITIVE_INFINITY, first, null);
  return output ? useColumn(analysis, { source: null, column: output, level: 0 }, 'used') : null;
}

/**
 * The alias as written can be ambiguous: a nearer table with that alias may have an unlisted column with the name, a
 * nearer column may have the alias as its name, and a server may compare aliases case-sensitively.
 */
function writtenAlias(
  analysis: Analysis,
  scope: NameScope,
  level: number,
  { source, first, name }: { source: Source; first: string; name: string },
): void {
  const { written, dialect } = analysis;
  if (dialect.folding.tablesByServer && source.alias !== first)
    written.never.add(`the alias ${source.alias} is written ${first}`);
  for (const [scopeLevel, { sources }] of [...scope.levels()].entries()) {
    if (scopeLevel > level) break;
    const sameAlias = sources.filter((other) => other !== source && analysis.same(other.alias, source.alias));
    written.reach(sameAlias, name);
  }
  if (dialect.names.structPaths && level > 0) written.reachUpTo(scope, level - 1, first, null);
}

function unknownColumn(analysis: Analysis, scope: NameScope, parts: string[]): ColumnUse {
  const { faults } = analysis;
  const sources = [...scope.levels()].flatMap((level) => level.sources);
  const written = parts.join('.');
  const last = parts.at(-1)!;
  if (parts.length === 1 && sources.some(({ alias }) => analysis.same(alias, last))) {
    faults.add('whole_row', `${written} is a whole row. List its columns instead.`);
    return NO_COLUMN;
  }
  const alias = parts.length > 1 ? parts.at(-2)! : null;
  const ofAlias = alias === null ? [] : sources.filter((source) => analysis.same(source.alias, alias));
  if (alias !== null && ofAlias.length === 0) {
    const aliases = sources.map((source) => source.alias).filter((name) => name !== '');
    faults.add('column', `The column ${written} names ${alias}, which is not in FROM.${suggestNames(alias, aliases)}`);
    return NO_COLUMN;
  }
  const columnNames = (ofAlias.length > 0 ? ofAlias : sources).flatMap((source) =>
    source.columns.map(({ name }) => name),
  );
  const knownNames = columnNames.filter((name) => name !== '');
  faults.add('column', `The column ${written} is not in scope.${suggestNames(last, knownNames)}`);
  return NO_COLUMN;
}
