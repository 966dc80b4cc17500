import type { DialectName } from '../../contract/warehouse.ts';
import { findDialect } from '../../dialects/dialects.ts';
import { quoteIfNeeded } from '../semantic/draft/write-lens-yaml.ts';

export interface KnownTable {
  schema: string | null;
  table: string;
  columns: { name: string; datatype: string | null }[];
}
export interface KnownTables {
  /** Null if the SQL dialect is unknown. */
  dialect: DialectName | null;
  tables: readonly KnownTable[];
}

const splitSource = (source: string): string[] =>
  [...source.matchAll(/"([^"]+)"|[^."]+/g)].map(([match, quotedPart]) => quotedPart ?? match);
const isSameName = (a: string | null, b: string | undefined): boolean =>
  (a ?? '').toLowerCase() === (b ?? '').toLowerCase();

/** A source that doesn't name a schema must match the name of exactly one table. */
export function findTable(source: string, { tables }: KnownTables): KnownTable | undefined {
  const [table, schema] = splitSource(source).reverse();
  const matchingTables = tables.filter((item) => isSameName(item.table, table));
  return (
    matchingTables.find((item) => isSameName(item.schema, schema)) ??
    (matchingTables.length === 1 ? matchingTables[0] : undefined)
  );
}

/** Uses the spelling of the warehouse, and omits the catalog if the engine can't read other catalogs. */
export function toSourceName(source: string, catalog: KnownTables): string {
  const table = findTable(source, catalog);
  const parts = table
    ? [table.schema, table.table].filter((part) => part !== null)
    : splitSource(source).slice(canReadOtherCatalogs(catalog) ? 0 : -2);
  return parts.map(quoteIfNeeded).join('.');
}

const canReadOtherCatalogs = ({ dialect }: KnownTables): boolean =>
  dialect !== null && findDialect(dialect).catalogAsSchema;

export const findColumnType = (table: KnownTable | undefined, column: string): string | undefined =>
  table?.columns.find(({ name }) => isSameName(name, column.replaceAll('"', '')))?.datatype ?? undefined;
