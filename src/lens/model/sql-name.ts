// Writes names in SQL as an analyst would, with quotes only where a dialect needs them.
import type { DialectName } from '../../contract/warehouse.ts';
import { findDialect } from '../../dialects/dialects.ts';
import { quoteIdentifier } from '../../guard/literals.ts';
import type { LensDataset } from './lens.ts';

const RESERVED_WORDS = new Set(
  `all analyse analyze and any array as asc asymmetric at authorization between binary both by case cast check collate
  collation column concurrently constraint create cross current_catalog current_date current_role current_schema
  current_time current_timestamp current_user default deferrable delete desc describe distinct do drop else end escape except
  exists false fetch filter following for foreign freeze from full grant group having if ilike in initially inner insert
  intersect interval into is isnull join key lambda lateral leading left like limit localtime localtimestamp match natural not
  notnull null nulls of offset on only or order outer over overlaps partition pivot placing preceding primary qualify range
  rank references returning right row rows select semi session_user show similar some summarize symmetric system table
  tablesample then to trailing true unbounded union unique unpivot update user using values variadic verbose when where window
  with`.split(/\s+/),
);

/** Returns true if the name needs no quotes in any dialect, except dialects that always use quotes. */
export const needsNoQuotes = (name: string): boolean => /^[a-z_][a-z0-9_]*$/.test(name) && !RESERVED_WORDS.has(name);

export const toSqlName = (dialect: DialectName, name: string): string =>
  findDialect(dialect).quotes.plainNames && needsNoQuotes(name) ? name : quoteIdentifier(dialect, name);

/**
 * Writes a name in an expression that people read. Adds quotes only if the name would otherwise be invalid or mean
 * another name.
 */
export const toReadableSqlName = (dialect: DialectName, name: string): string => {
  const { folding, compiling } = findDialect(dialect);
  const foldedName = folding.names.startsWith('read') ? name : name.toLowerCase();
  return needsNoQuotes(foldedName) && !compiling.reserved.has(foldedName) ? name : quoteIdentifier(dialect, name);
};

export const formatTableName = (dialect: DialectName, { catalog, schema, table }: LensDataset['source']): string =>
  [catalog, schema, table].flatMap((part) => (part === null ? [] : toSqlName(dialect, part))).join('.');

export const indentLines = (text: string, width = 2): string => text.replace(/^(?=.)/gm, ' '.repeat(width));
