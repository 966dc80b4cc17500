// Trino has no keys, so svc infers keys from the values.

import { CatalogTableCollector } from '../../../adapters/warehouse/catalog-tables.ts';
import { quoteText } from '../../../dialects/foreign/rules.ts';
import type { CatalogTable } from '../../../domain/ports.ts';
import { quoteIdentifier } from '../../../guard/literals.ts';
import { toBaseType, toDatatype } from './cells.ts';

/** If `isDefault` is true, a lens names the tables without the catalog or schema. */
export interface VisibleCatalog {
  catalog: string;
  schema: string | null;
  isDefault: boolean;
}

export async function readTrinoCatalog(
  query: (sql: string) => Promise<unknown[][]>,
  { catalog, schema, isDefault }: VisibleCatalog,
): Promise<CatalogTable[]> {
  const informationSchema = `${quoteIdentifier('trino', catalog)}.information_schema`;
  const where = schema
    ? `table_schema = ${quoteText("'", schema.toLowerCase())}`
    : "table_schema <> 'information_schema'";
  const tables = new CatalogTableCollector();
  for (const [schemaName, table, type] of await query(
    `select table_schema, table_name, table_type from ${informationSchema}.tables where ${where} order by table_schema, table_name`,
  ))
    tables.add(schemaName, table, { catalog: isDefault ? null : catalog, isView: type === 'VIEW' });
  for (const [schemaName, table, name, type, nullable] of await query(
    `select table_schema, table_name, column_name, data_type, is_nullable from ${informationSchema}.columns where ${where}
     order by table_schema, table_name, ordinal_position`,
  ))
    tables.addColumn(schemaName, table, {
      name,
      datatype: toDatatype(String(type)),
      nativeType: toBaseType(String(type)),
      nullable: nullable !== 'NO',
    });
  return tables.withColumns();
}
